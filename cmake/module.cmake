# dray_folder(NAME LIBRARIES...): every .c file of the current folder and its rooms becomes the static library
# dray_NAME. The libraries named are the arrows of docs/internals: who may include whom.
function(dray_folder name)
	file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
	if(NOT DRAY_FAULTS) # see common/fault.h
		list(FILTER sources EXCLUDE REGEX "/fault\\.c$")
	endif()
	add_library(dray_${name} STATIC ${sources})
	target_link_libraries(dray_${name} PUBLIC ${ARGN})
endfunction()
# The same for the folder of a role, which the supervisor links: tests/style/includes.sh finds it by this.
function(dray_role name)
	dray_folder(${name} ${ARGN})
	set_property(GLOBAL APPEND PROPERTY DRAY_ROLES dray_${name})
endfunction()
