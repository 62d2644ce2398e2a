# `dray top` is live when ncurses is found, unless switched off; asking for it explicitly
# (-DDRAY_NCURSES=ON) makes its absence an error.
set(DRAY_NCURSES AUTO CACHE STRING "live `dray top`: AUTO, ON or OFF")
if(DRAY_NCURSES)
	pkg_check_modules(NCURSES QUIET IMPORTED_TARGET ncursesw)
endif()
if(DRAY_NCURSES AND NOT DRAY_NCURSES STREQUAL "AUTO" AND NOT NCURSES_FOUND)
	message(FATAL_ERROR "DRAY_NCURSES=${DRAY_NCURSES}, but pkg-config does not find ncursesw")
endif()
if(NOT DRAY_NCURSES)
	set(NCURSES_FOUND FALSE)
endif()
