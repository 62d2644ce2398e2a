# Fault points (common/fault.h) let a test kill, freeze or hinder a process at any step. They are
# for the suite tests/fault and for nothing that is installed.
option(DRAY_FAULTS "Compile the fault points in, for tests only" OFF)
if(DRAY_FAULTS)
	add_compile_definitions(DRAY_FAULTS)
endif()
