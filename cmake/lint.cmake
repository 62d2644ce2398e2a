# cmake --build BUILD --target lint: clang-format, clang-tidy and cppcheck over all our own files.
# Run it in the build of preset tested: clang-tidy understands its compile commands, and it
# has all the code.
file(STRINGS ${CMAKE_SOURCE_DIR}/cmake/folders.txt DRAY_FOLDERS)
list(APPEND DRAY_FOLDERS include examples bench tests)
find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
find_program(CLANG_TIDY NAMES clang-tidy-14 clang-tidy)
find_program(RUN_CLANG_TIDY NAMES run-clang-tidy-14 run-clang-tidy)
find_program(CPPCHECK NAMES cppcheck)

cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
list(JOIN DRAY_FOLDERS "|" folders)
set(lint_files "")
foreach(folder ${DRAY_FOLDERS})
	file(GLOB_RECURSE found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.[ch])
	list(APPEND lint_files ${found})
endforeach()

# dray_lint(NAME PROGRAM COMMAND...): a target that fails with one clear line without its program.
function(dray_lint name program)
	if(NOT program)
		set(ARGN ${CMAKE_COMMAND} -E false)
		set(missing " (program not found)")
	endif()
	add_custom_target(lint-${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}
		COMMENT "lint: ${name}${missing}" VERBATIM USES_TERMINAL)
endfunction()

dray_lint(format "${CLANG_FORMAT}" ${CLANG_FORMAT} --dry-run -Werror --style=file ${lint_files})
dray_lint(tidy "${RUN_CLANG_TIDY}" ${RUN_CLANG_TIDY} -quiet -j ${cores} -p ${CMAKE_BINARY_DIR}
	-clang-tidy-binary ${CLANG_TIDY} "^${CMAKE_SOURCE_DIR}/(${folders})/")
dray_lint(cppcheck "${CPPCHECK}" ${CPPCHECK} -q -j ${cores} --error-exitcode=1 --std=c11
	--project=${CMAKE_BINARY_DIR}/compile_commands.json -i${CMAKE_BINARY_DIR} --inline-suppr
	--enable=warning,style,performance,portability
	--suppressions-list=${CMAKE_SOURCE_DIR}/cmake/cppcheck.txt
	"--template={file}:{line}:{column}: {severity}: {message} [{id}]")
add_custom_target(lint)
add_dependencies(lint lint-format lint-tidy lint-cppcheck)
# The tidy and cppcheck targets read sources that the build generates.
add_dependencies(lint-tidy dray_db)
