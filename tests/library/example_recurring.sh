#!/bin/sh
# example_recurring.sh DRAY REPORT_TIMES: the example keeps tasks that dray lists and runs.
set -eu
dray=$1
report_times=$2
directory=$(mktemp -d "${TMPDIR:-/tmp}/dray-example-XXXXXX")
trap 'rm -rf "$directory"' EXIT
database=sqlite3:$directory/jobs.sqlite3

fail()
{
	echo "$*"
	exit 1
}

# expect STATUS ARGUMENT...: what it says is in `said`.
expect()
{
	wanted=$1
	shift
	code=0
	said=$("$report_times" "$database" "$@" 2>&1) || code=$?
	[ "$code" -eq "$wanted" ] || fail "report_times $*: exit status $code, not $wanted: $said"
}

# listed TEXT: of the only task.
listed()
{
	"$dray" recurring list --database "$database" --json >"$directory/list"
	[ "$(grep -o '"key"' "$directory/list" | wc -l)" -eq 1 ] || fail "$(cat "$directory/list")"
	grep -q "$1" "$directory/list" || fail "no $1 in $(cat "$directory/list")"
}

"$dray" db migrate --quiet --database "$database"
expect 0 set ada 'every weekday at 9am' Europe/Madrid
listed '"schedule": *"every weekday at 9am"'
listed '"zone": *"Europe/Madrid"'
expect 0 set ada 'every monday at noon'
listed '"schedule": *"every monday at noon"'
listed '"zone": *"UTC"'
expect 1 set ada 'every mooday'
case $said in
*'did you mean'*'(invalid)') ;;
*) fail "of a wrong schedule it says: $said" ;;
esac
listed '"schedule": *"every monday at noon"'
expect 0 rest ada 'on holiday'
listed '"pause_reason": *"on holiday"'
expect 0 now ada
[ "$said" = 'job 1' ] || fail "of a run by hand it says: $said"
"$dray" job 1 --database "$database" --json >"$directory/job"
grep -q '"customer": *"ada"' "$directory/job" || fail "$(cat "$directory/job")"
expect 0 wake ada
listed '"paused": *false'
expect 0 stop ada
expect 0 stop ada
expect 1 wake ada
expect 2 set 'a"b' 'every day'
expect 2 set ada
database=sqlite3:$directory
expect 3 stop ada
