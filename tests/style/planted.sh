#!/bin/sh
# The faults of tests/planted still fit the code: a patch that does not apply catches nothing, and the gate
# that replays them runs only at night.
. "$(dirname "$0")/files.sh"

need git
for patch in tests/planted/*.patch; do
	[ -f "$patch" ] || continue
	git apply --check "$patch" 2>/dev/null || echo "$patch:1: does not apply" >>"$findings"
done

conclude "planted faults that apply"
