#!/bin/sh
# Runs quickstart.sh as a stranger would: in a copy of this tree where nothing was ever built, and
# then once more. Each time its jobs are done, their results are there and no process is left.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
copy=$(mktemp -d "${TMPDIR:-/tmp}/dray-quickstart-XXXXXX")
trap 'rm -rf "$copy"' EXIT

fail()
{
	cat "$copy/log" >&2
	echo "quickstart: $*" >&2
	exit 1
}

# left: how many processes have their working directory in the copy.
left()
{
	count=0
	for process in /proc/[0-9]*; do
		case $(readlink "$process/cwd" || true) in
		"$copy"*) count=$((count + 1)) ;;
		esac
	done
	echo "$count"
}

# Whatever is in the tree but what was built or made there.
(cd "$source" && tar -cf - --exclude=.git --exclude='./build*' --exclude=./quickstart .) |
	tar -xf - -C "$copy"

for run in first second; do
	"$copy/quickstart.sh" >"$copy/log" 2>&1 || fail "the $run run failed"
	grep '^8. All done: [0-9]* jobs' "$copy/log" || fail "the $run run does not say that all is done"
	! grep -q 'unserved\|warning' "$copy/log" || fail "the $run run shows an alarm"
	! grep -q '^[0-9:.]* error ' "$copy/quickstart/dray.log" || fail "the $run run has errors in its log"
	[ -f "$copy/quickstart/files/README.md.gz" ] || fail "the $run run compressed nothing"
	[ "$(left)" -eq 0 ] || fail "the $run run has left a process"
done
echo "quickstart: twice from nothing to all jobs done"
