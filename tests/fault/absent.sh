#!/bin/sh
# absent.sh ON|OFF FILE...: programs and libraries built without faults have nothing of them, not a
# name, not a text; built with faults the program has all of them, so that this can fail.
set -eu
faults=$1
shift

# traces FILE: how many of the things that give faults away are in it.
traces()
{
	found=0
	for trace in DRAY_FAULT DRAY_TEST_HOST fault_pass db_fault_statement dray_faults janitor.burying; do
		if grep -qaF "$trace" "$1"; then
			found=$((found + 1))
		fi
	done
	echo "$found"
}

for file; do
	count=$(traces "$file")
	echo "$file: $count of 6 traces"
	case $faults,$count in
	OFF,0 | ON,6) ;;
	*) exit 1 ;;
	esac
done
