# How everything is linked, and what an optimised build is hardened with: position-independent
# programs, read-only relocations bound at start, checked libc calls, guarded stacks.
include(CheckPIESupported)
include(CheckCCompilerFlag)
check_pie_supported(LANGUAGES C)

set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_SKIP_INSTALL_RPATH ON)
add_link_options(-Wl,--as-needed)

set(optimised "$<CONFIG:Release,RelWithDebInfo,MinSizeRel>")
if(NOT DRAY_SANITIZE)
	# Some distributions' compilers define _FORTIFY_SOURCE themselves, hence the -U.
	add_compile_options("$<${optimised}:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
endif()
add_compile_options("$<${optimised}:-fstack-protector-strong>")
foreach(flag -fstack-clash-protection -fcf-protection)
	string(MAKE_C_IDENTIFIER "DRAY_HAS${flag}" has)
	check_c_compiler_flag(${flag} ${has})
	if(${has})
		add_compile_options("$<${optimised}:${flag}>")
	endif()
endforeach()
add_link_options("$<${optimised}:-Wl,-z,relro;-Wl,-z,now;-Wl,-z,noexecstack>")
