# shellcheck shell=sh
# shellcheck disable=SC2154 # build and the others are set by test.sh
# Sourced by test.sh: how a run is judged. All gates run, so that one run tells everything; what failed
# is looked at again at the end.
#
# A case that fails in the landing tier is run once more, alone, when all gates have run. If it passes
# then it is listed under FLAKY, which asks for its cause, and the run goes on. Whatever says that
# something is broken is never run again: a sanitizer's report, a crash, a broken invariant, a job lost
# or run twice, a cell of the fault suite. Nor is anything when more than three cases have failed.
failed=0
running=
table=
failures=
flaky=
skips=
reruns=3
lowest= # free kilobytes where the run writes, and the gate behind which it was so
lowest_at=
children= # gates that run beside others

# gate NAME FUNCTION [ARGUMENT...]: runs it and adds a line to the table. What it prints is kept, too,
# for the end.
gate()
{
	title=$1
	shift
	printf '\n=== %s\n' "$title"
	started=$(date +%s)
	result=passed
	mkdir -p "$build/gates"
	rm -f "$build/gates/$title" "$build/pipe"
	mkfifo "$build/pipe"
	tee "$build/gates/$title" <"$build/pipe" &
	tee=$!
	"$@" >"$build/pipe" 2>&1 || {
		result=FAILED
		fail_gate "$title"
	}
	# Whatever a gate has left behind may hold the pipe open.
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		kill -0 $tee 2>/dev/null || break
		sleep 0.1
	done
	rm -f "$build/pipe"
	watch_disk "$title"
	seconds=$(($(date +%s) - started))
	printf '=== %s: %s after %d s\n' "$title" "$result" "$seconds"
	table="$table$(printf '%-20s %-8s %5d s' "$title" "$result" "$seconds")
"
}

# beside NAME...: these gates at once. What each printed, how it ended and how long that took is told
# when all have ended. No two of them may build in one folder.
# shellcheck disable=SC2030,SC2031 # what a gate left out is handed on by a file
beside()
{
	rm -rf "$build/beside"
	mkdir -p "$build/beside"
	for name in "$@"; do
		(
			result=passed
			skips=
			began=$(date +%s)
			"gate_$name" >"$build/beside/$name.log" 2>&1 || result=FAILED
			printf '%s\n' "$result" "$(($(date +%s) - began))" "$skips" >"$build/beside/$name"
		) &
		children="$children $!"
	done
	for child in $children; do
		wait "$child" || true
	done
	children=
	for name in "$@"; do
		gate "$name" ended_beside "$name"
	done
}

# ended_beside NAME: a gate that ran beside others, as if it had run now. One that did not come to its
# end has not passed.
# shellcheck disable=SC2031
ended_beside()
{
	cat "$build/beside/$1.log"
	[ -s "$build/beside/$1" ] || return 1
	{
		read -r result
		read -r lasted
		read -r left_out
	} <"$build/beside/$1"
	skips="$skips${left_out:+ $left_out}"
	started=$((started - lasted))
	case $result in
	passed | 'LEFT OUT') ;;
	*) return 1 ;;
	esac
}

# stop_beside: what still runs there, when the run is ended.
stop_beside()
{
	for child in $children; do
		stop_tree "$child"
	done
}

# stop_tree PID: a process of ours, and those that it has started.
stop_tree()
{
	for member in $(ps -o pid= --ppid "$1"); do
		stop_tree "$member"
	done
	kill "$1" 2>/dev/null || true
}

fail_gate()
{
	failed=1
	failures="$failures$1
"
}

# free_kilobytes FOLDER
free_kilobytes()
{
	df -Pk "$1" | awk 'NR == 2 { print $4 }'
}

watch_disk()
{
	for folder in "$build" "${TMPDIR:-/tmp}"; do
		free=$(free_kilobytes "$folder")
		if [ -z "$lowest" ] || [ "$free" -lt "$lowest" ]; then
			lowest=$free
			lowest_at=$1
		fi
	done
}

# gate_preflight: what would make everything fail later, and not say why.
gate_preflight()
{
	lacking=
	for folder in "$build" "${TMPDIR:-/tmp}"; do
		[ "$(free_kilobytes "$folder")" -ge 4000000 ] || lacking="$lacking
  4 GB of free disk in $folder: $(free_kilobytes "$folder") kB are free"
	done
	memory=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
	[ "$memory" -ge 2000000 ] || lacking="$lacking
  2 GB of free memory: $memory kB are free"
	# Those that wait after their end (06) are used again: a run before this one leaves thousands.
	used=$(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '$4 != "06"' | wc -l)
	[ "$used" -lt 10000 ] || lacking="$lacking
  free ports: $used are in use"
	for url in "${DRAY_TEST_POSTGRESQL_URL:-}" "${DRAY_TEST_MYSQL_URL:-}" "${DRAY_TEST_MARIADB_URL:-}"; do
		[ -n "$url" ] || continue
		place=$(echo "$url" | sed -n 's,^[a-z]*://\([^@/]*@\)\{0,1\}\([^:/]*\):\([0-9]*\)/.*,\2/\3,p')
		[ -z "$place" ] || timeout 10 bash -c "exec 3<>/dev/tcp/$place" 2>/dev/null || lacking="$lacking
  a server at $url: nobody answers"
	done
	[ -n "$lacking" ] || {
		echo "disk, memory and ports: there is enough"
		return 0
	}
	echo "This run needs, and does not find:$lacking"
	return 1
}

# output_of FOLDER CASE: what it printed in the last run there.
output_of()
{
	awk -v name="$2" '
		/^[0-9]+\/[0-9]+ Test: / { mine = $3 == name }
		mine { print }' "$1/Testing/Temporary/LastTest.log"
}

# may_run_again CASE FILE: did an assertion fail, and is nothing of its output about something that is
# broken? What counts jobs under load and faults would tell of a lost one. A case that fails leaves its
# memory behind, so the leaks that its own program reports when it ends say nothing; those of a program that
# it has run are reported before that.
may_run_again()
{
	case $1 in
	fault.* | *.concurrency.* | *_race.* | e2e.crash.*) return 1 ;;
	esac
	! grep -qE 'ERROR: AddressSanitizer|ThreadSanitizer:|runtime error:|exception: |INVARIANT:' "$2" &&
		! awk '/LeakSanitizer/ && !leak { leak = NR } /test\(s\) run\./ { ended = NR }
			END { exit !(leak && leak < ended) }' "$2" &&
		grep -q '\[  FAILED  \]' "$2"
}

# put_off FOLDER: of the run there that has just failed, notes the cases to run again. False when one
# of them must not be, or they are too many.
put_off()
{
	$forgiving || return 1
	[ -f "$1/Testing/Temporary/LastTestsFailed.log" ] || return 1
	while IFS=: read -r _ name; do
		output_of "$1" "$name" >"$build/gates/failed.$name"
		if [ "$reruns" -eq 0 ] || ! may_run_again "$name" "$build/gates/failed.$name"; then
			return 1
		fi
		reruns=$((reruns - 1))
		echo "$1 $name" >>"$build/gates/again"
	done <"$1/Testing/Temporary/LastTestsFailed.log"
}

# run_again: the cases that were put off.
run_again()
{
	passed=
	while read -r folder name <&3; do
		rm -f "$folder/Testing/Temporary/LastTest.log"
		ctest --test-dir "$folder" --no-tests=error --output-on-failure -R "^$(echo "$name" | sed 's/\./\\./g')\$" ||
			return 1
		passed="$passed $name"
	done 3<"$build/gates/again"
	flaky=$passed
}

# slowest: the fifteen cases that took longest.
slowest()
{
	cat "$build"/gates/* 2>/dev/null | sed -n \
		's,^ *[0-9]*/[0-9]* Test *#[0-9]*: \([^ ]*\) .* \([0-9.]*\) sec.*,\2 \1,p' |
		sort -rn | head -n 15 | awk '{ printf "  %7.1f s  %s\n", $1, $2 }'
}

# conclude: runs again what may be, shows what came of everything, and exits.
conclude()
{
	[ ! -s "$build/gates/again" ] || gate "once more" run_again
	printf '%s' "$failures" | while read -r title; do
		printf '\n=== %s FAILED; its last lines:\n' "$title"
		tail -n 60 "$build/gates/$title" | cut -c 1-300
	done
	[ -z "$(slowest)" ] || printf '\nThe slowest cases:\n%s\n' "$(slowest)"
	[ -z "$skips" ] || printf '\nLeft out (tests/support/gates/skips.txt):%s\n' "$skips"
	printf '\nDatabases:%s\n\n%s\n' "$running" "$table"
	[ -z "$flaky" ] || printf 'FLAKY, each a defect to be found:%s\n' "$flaky"
	[ "$failed" -eq 0 ] || echo "Some gates have FAILED."
	if [ "$failed" -ne 0 ] && [ "$lowest" -lt 500000 ]; then
		echo "The cause may be the disk: after the gate $lowest_at only $lowest kB were free."
	fi
	case $failed$table in
	0*'LEFT OUT'*) echo "Every gate has passed but for those that were LEFT OUT." ;;
	0*)
		echo "Every gate has passed."
		note_green
		;;
	esac
	exit "$failed"
}

# commit_at_hand: the commit, if the tree is exactly that.
commit_at_hand()
{
	[ -z "$(git status --porcelain 2>&1)" ] || return 0
	git rev-parse HEAD 2>/dev/null || true
}

# note_green: the whole landing tier has passed on this commit.
note_green()
{
	[ "$gates" = "$landing" ] && [ "$backends" = "$databases" ] && [ "$filter" = . ] || return 0
	[ -n "$commit" ] && [ "$(commit_at_hand)" = "$commit" ] || return 0
	echo "$commit" >"$build/green"
}
