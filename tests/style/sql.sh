#!/bin/sh
# SQL lives in db/sql: no statement in a string of a .c file elsewhere, and every operation begins
# with its signature, "-- name(parameters)", named as its file; a fragment with what it means.
. "$(dirname "$0")/files.sh"

# shellcheck disable=SC2046
grep -nE '"[^"]*(SELECT [^"]* FROM|SELECT [a-z_*]+\(|INSERT INTO|UPDATE [a-z_]+ SET|DELETE FROM|CREATE (TABLE|INDEX|UNIQUE)|ALTER TABLE|DROP TABLE)' \
	$(files "$(echo "$folders" | sed 's/ db / /') include examples" c h) /dev/null |
	sed 's/$/ (SQL belongs in db\/sql)/' >>"$findings" || true

for file in $(files db/sql sql); do
	name=${file##*/}
	name=${name%.sql}
	name=${name%.sqlite}
	name=${name%.postgresql}
	name=${name%.mysql}
	case $file in
	db/sql/schema/*) ;;
	*/fragments/*)
		head -n 1 "$file" | grep -q '^-- [A-Z]' ||
			echo "$file:1: expected a sentence that says what it means" >>"$findings"
		grep -qrE "\{include:${name}[ }]" db/sql ||
			echo "$file:1: no script includes it" >>"$findings"
		;;
	*)
		head -n 1 "$file" | grep -qE "^-- $name\(" ||
			echo "$file:1: expected the signature \"-- $name(parameters) -> result\"" >>"$findings"
		;;
	esac
done

conclude "SQL in db/sql, each operation with its signature"
