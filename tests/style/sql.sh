#!/bin/sh
# SQL lives in db/sql: no statement in a string of a .c file elsewhere; a file is one operation and begins
# with its signature, "-- name(parameters)", named as the file; what differs between dialects stands in
# sections, each dialect in one; a fragment says what it means, and some script includes it.
. "$(dirname "$0")/files.sh"

# shellcheck disable=SC2046
grep -nE '"[^"]*(SELECT [^"]* FROM|SELECT [a-z_*]+\(|INSERT INTO|UPDATE [a-z_]+ SET|DELETE FROM|CREATE (TABLE|INDEX|UNIQUE)|ALTER TABLE|DROP TABLE)' \
	$(files "$(echo "$folders" | sed 's/ db / /') include examples" c h) /dev/null |
	sed 's/$/ (SQL belongs in db\/sql)/' >>"$findings" || true

# A call that is assigned or returned as it is has lost its values: db_call_keep (db/db.h).
# shellcheck disable=SC2046
grep -nE '(return|[^ ]+ =) DB_CALL\(' $(files "$folders bench tests" c) /dev/null |
	grep -vE ':[	 ]*(const )?struct db_call ' |
	sed 's/$/ (db_call_keep)/' >>"$findings" || true

# shellcheck disable=SC2046
awk '
	function tell(line, what) { print FILENAME ":" line ": " what }
	FNR == 1 {
		said = 1
		split("", in_section)
		count = split(FILENAME, part, "/")
		name = part[count]
		sub(/\.sql$/, "", name)
		kind = FILENAME ~ /^db\/sql\/schema\// ? "schema" : name == "fragments" ? name : "operation"
		if (name !~ /^[a-z0-9_]+$/)
			tell(1, "a name has letters and underscores; what is for one dialect is a section")
		if (kind == "operation" && index($0, "-- " name "(") != 1)
			tell(1, "expected the signature \"-- " name "(parameters) -> result\"")
	}
	/\{include:/ {
		rest = $0
		while (match(rest, /\{include:[a-z_]+/)) {
			included[substr(rest, RSTART + 9, RLENGTH - 9)] = 1
			rest = substr(rest, RSTART + RLENGTH)
		}
	}
	!/^-- @/ && !said {
		if ($0 !~ /^-- [A-Z]/)
			tell(FNR, "expected a sentence that says what it means")
		said = 1
	}
	/^-- @fragment [a-z_]+$/ && kind == "fragments" {
		fragment[$3] = FILENAME ":" FNR
		said = 0
		split("", in_section)
		next
	}
	/^-- @/ {
		for (i = 2; i <= NF; i++) {
			if ($i !~ /^@(sqlite|postgresql|mysql)$/)
				tell(FNR, "a section is \"-- @DIALECT\" or, in fragments.sql, \"-- @fragment NAME\"")
			else if ($i in in_section)
				tell(FNR, $i " has two sections")
			in_section[$i] = 1
		}
	}
	END {
		for (name in fragment)
			if (!(name in included))
				print fragment[name] ": no script includes " name
	}
' $(files db/sql sql) /dev/null | sort >>"$findings"

conclude "SQL in db/sql, each operation with its signature"
