#!/bin/sh
# Every shell script passes shellcheck.
. "$(dirname "$0")/files.sh"
need shellcheck

for file in test.sh quickstart.sh .ci/run $(files "bench examples tests" sh); do
	[ -f "$file" ] || continue
	shellcheck -x -P SCRIPTDIR -f gcc "$file" >>"$findings" || true
done

conclude "shellcheck"
