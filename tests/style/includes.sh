#!/bin/sh
# Which folder may include which: cli -> supervisor -> {process, worker and the other roles} ->
# policy -> {queue, config}; {cli, process} -> show -> {queue, config}; queue -> db -> common; config -> common;
# library -> queue. From policy and show upwards only config/config.h is seen of config, except by
# cli. schedule -> common is for every folder that reads a schedule. Arrows never point up or
# sideways, and cli sees of the supervisor only how it is started and found. A client library's header
# appears in one file: the private header of its driver.
. "$(dirname "$0")/files.sh"

roles=$(cd "$(dirname "$0")/../.." && grep -l '^dray_role(' ./*/CMakeLists.txt | cut -d/ -f2 | tr '\n' ' ')
for role in $roles; do
	echo "$role $role policy queue db common config/config.h"
done >"$findings.allowed"
cat >>"$findings.allowed" <<TABLE
common common
schedule schedule common
config config schedule common
db db common
queue queue db schedule common
policy policy queue schedule common config/config.h
show show queue schedule db common config/config.h
worker include
scheduler schedule
process process show policy queue db common config/config.h
supervisor supervisor process $roles policy queue db common config/config.h
library library queue db schedule common include
cli cli show $roles policy queue db schedule common config
cli process/runner.h supervisor/supervisor.h supervisor/roles.h supervisor/pidfile.h
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

# one_home HEADER-REGEX HOME FOR: only HOME includes such a header, and only FOR includes HOME.
sources=$(files "$folders include bench" c h)
one_home()
{
	# shellcheck disable=SC2086 # our file names have no spaces
	{
		grep -nE "^[ 	]*#[ 	]*include[ 	]*[<\"]($1)[>\"]" $sources /dev/null | grep -v "^$2:" || true
		grep -nF "#include \"$2\"" $sources /dev/null | grep -v "^$3" || true
	} | sed "s|\$| (belongs to $3*.c)|" >>"$findings"
}

one_home '(.*/)?(libpq-fe|libpq/.*|libpq-events)\.h' db/postgresql/driver.h db/postgresql/
one_home '(.*/)?(mysql|errmsg|mysqld_error)\.h' db/mysql/driver.h db/mysql/
one_home 'sqlite3\.h' db/sqlite/sqlite.c db/sqlite/
one_home 'yaml\.h' config/yaml/node.c config/yaml/node

conclude "who may include whom"
