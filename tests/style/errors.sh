#!/bin/sh
# docs/errors.md is complete: each log event with its level, each class of error and each exit status
# of the code has its row there, and no row is of an event or a class that the code does not have. And
# no field of an event has a name that each line of the log has for itself.
. "$(dirname "$0")/files.sh"

page=docs/errors.md
work=$(mktemp -d)
trap 'rm -rf "$findings" "$work"' EXIT
[ -f "$page" ] || page=/dev/null

# shellcheck disable=SC2046 # our file names have no spaces
set -- $(files "$folders include" c h)
[ $# -gt 0 ] || exit 0

# The page's tables, one line a name: NAME LEVELS, where a row may have several names.
awk -F '|' '/^\| `/ {
	levels = $3
	gsub(/ /, "", levels)
	names = split($2, part, "`")
	for (i = 2; i <= names; i += 2)
		print part[i], levels
}' "$page" >"$work/rows"

# A call may name two events or levels, by a condition, on several lines: FILE:LINE EVENT LEVEL, with
# "any" for a level that is not one word of the call. What comes after the first field is not looked at.
# shellcheck disable=SC2046
awk '
	FNR == 1 {
		call = ""
	}
	/(log_event|log_write|write_line)\(/ && !/^(static |void |bool |#define )/ && !/enum log_level level,/ {
		call = ""
		place = FILENAME ":" FNR
		open = 1
	}
	open {
		call = call " " $0
	}
	open && (/LOG_(TEXT|INT|REAL|END)|log_ms\(|, report\)/ || /;[ \t]*$/) {
		open = 0
		sub(/LOG_(TEXT|INT|REAL|END)[(;) ].*|log_ms\(.*/, "", call)
		count = split(call, part, "\"")
		level = "any"
		if (gsub(/LOG_(DEBUG|INFO|WARN|ERROR)/, "&", call) == 1) {
			match(call, /LOG_(DEBUG|INFO|WARN|ERROR)/)
			level = tolower(substr(call, RSTART + 4, RLENGTH - 4))
		}
		if (count < 3 && call ~ /log_event/)
			print place, "-", level
		for (i = 2; i <= count; i += 2)
			print place, part[i], level
	}
' $(printf '%s\n' "$@" | grep '\.c$') >"$work/events"

awk -v page="docs/errors.md" '
	FILENAME == ARGV[1] {
		levels[$1] = "," $2 ","
		if ($1 ~ /^[a-z]+\.[a-z_]+$/)
			listed[$1] = 1
		next
	}
	$2 == "-" {
		print $1 ": the name of a log event is not in the call"
		next
	}
	{
		delete listed[$2]
	}
	!($2 in levels) {
		print $1 ": log event " $2 " is not in " page
		next
	}
	$3 != "any" && index(levels[$2], "," $3 ",") == 0 {
		print $1 ": log event " $2 " is " $3 ", " page " says otherwise"
	}
	END {
		for (event in listed)
			print page ": log event " event " is not in the code"
	}
' "$work/rows" "$work/events" >>"$findings"

# common/log/log.c has the names: "time", "level", ...
own=$(sed -n 's/.*reserved\[\] = { *"\(.*\)" *};$/\1/p' common/log/log.c 2>/dev/null |
	sed 's/", *"/|/g')
if [ -n "$own" ]; then
	grep -noE "(LOG_(TEXT|INT|REAL)|log_ms)\(\"($own)\"" /dev/null "$@" |
		sed 's/:[^:]*\("[a-z]*"\)$/: each line of the log has a \1 of its own/' >>"$findings"
fi

grep -onE '"(Dray|SolidQueue)::[A-Za-z:]+"' /dev/null "$@" | tr -d '"' |
	sed 's/^\([^:]*:[0-9]*\):/\1 /' >"$work/classes"
awk -v page="docs/errors.md" '
	FILENAME == ARGV[1] {
		listed[$1] = $1 ~ /::/
		next
	}
	!($2 in listed) {
		print $1 ": class " $2 " is not in " page
	}
	{
		listed[$2] = 0
	}
	END {
		for (class in listed)
			if (listed[class])
				print page ": class " class " is not in the code"
	}
' "$work/rows" "$work/classes" >>"$findings"

# Those of a process, and those that the manual lists.
{
	grep -nE '^[[:space:]]*EXIT_[A-Z]+ = [0-9]+,' common/process.h /dev/null |
		sed 's/^\([^:]*:[0-9]*\):.*= \([0-9]*\),.*/\1 \2/'
	sed -n '/exit_statuses\[\] = {/,/^};/s/^[[:space:]]*{ "\([0-9]*\)".*/cli\/reference.c \1/p' \
		cli/reference/reference.c
} 2>/dev/null | while read -r place status; do
	grep -q "^$status " "$work/rows" ||
		echo "$place: exit status $status is not in docs/errors.md" >>"$findings"
done

conclude "each log event, class of error and exit status is in docs/errors.md"
