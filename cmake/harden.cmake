# How everything is linked, and what an optimised build is hardened with: position-independent
# programs, read-only relocations bound at start, checked libc calls, guarded stacks.
include(CheckPIESupported)
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
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

# The linker says that a program may have a shadow stack only if every object of it says so, and those
# of the C library, which begin and end each program, say it on few distributions. They keep to it
# everywhere. They have no landing pads for indirect branches there, so that is the linker's to say.
if(DRAY_HAS_fcf_protection)
	check_linker_flag(C -Wl,-z,shstk DRAY_LINKS_shadow_stack)
	if(DRAY_LINKS_shadow_stack)
		add_link_options("$<${optimised}:-Wl,-z,shstk>")
	endif()
endif()
