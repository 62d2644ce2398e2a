# Every warning is an error in development and CI (DRAY_WERROR, set by the presets); a user's
# newer compiler must not fail the build, so it is off by default.
option(DRAY_WERROR "Treat warnings as errors" OFF)

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes
	-Wmissing-prototypes -Wformat=2 -Wswitch-enum -Wvla -Wwrite-strings -Wundef
	-Wno-missing-field-initializers)
if(DRAY_WERROR)
	add_compile_options(-Werror)
endif()

# Functions that our code must not use are poisoned before the first line of every source.
add_compile_options(-include ${CMAKE_SOURCE_DIR}/common/banned.h)
