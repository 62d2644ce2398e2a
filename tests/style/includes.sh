#!/bin/sh
# Who may include whom: cli -> supervisor -> {worker, dispatcher, scheduler} -> queue -> db ->
# common; config -> common; roles see only config/config.h; library -> queue. A client library's
# header appears in one .c file. Arrows never point up or sideways.
. "$(dirname "$0")/files.sh"

cat >"$findings.allowed" <<'TABLE'
common common
config config common
db db common
queue queue db common
worker worker queue db common config/config.h include
dispatcher dispatcher queue db common config/config.h
scheduler scheduler queue db common config/config.h
supervisor supervisor worker dispatcher scheduler queue db common config/config.h
library library queue db common include
cli cli supervisor worker dispatcher scheduler queue db common config
include
examples examples include
TABLE
trap 'rm -f "$findings" "$findings.allowed"' EXIT

# shellcheck disable=SC2046 # our file names have no spaces
set -- $(files "$folders include examples" c h)
[ $# -gt 0 ] || exit 0

awk '
	FILENAME == ARGV[1] {
		for (i = 2; i <= NF; i++)
			allowed[$1, $i] = 1
		next
	}
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		from = FILENAME
		sub(/\/.*/, "", from)
		split($0, part, "\"")
		to = part[2]
		folder = to
		if (!sub(/\/.*/, "", folder))
			folder = from
		if (folder == "dray.h" || to == "dray.h")
			folder = "include"
		if (!((from, folder) in allowed) && !((from, to) in allowed))
			print FILENAME ":" FNR ": " from "/ may not include \"" to "\""
	}
' "$findings.allowed" "$@" >>"$findings"

# one_home HEADER-REGEX HOME: only HOME includes such a header.
one_home()
{
	home=$2
	# shellcheck disable=SC2086
	grep -nE "^[ 	]*#[ 	]*include[ 	]*[<\"]($1)[>\"]" $sources /dev/null |
		grep -v "^$home:" | sed "s|\$| (only $home may)|" >>"$findings" || true
}

# shellcheck disable=SC2046
sources=$(files "$folders include bench" c h | tr '\n' ' ')
one_home '(.*/)?(libpq-fe|libpq/.*|libpq-events)\.h' db/postgresql.c
one_home '(.*/)?(mysql|errmsg|mysqld_error)\.h' db/mysql.c
one_home 'sqlite3\.h' db/sqlite.c
one_home 'yaml\.h' config/yaml.c

conclude "who may include whom"
