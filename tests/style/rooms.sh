#!/bin/sh
# Rooms stay rooms: no folder of more than 25 files of C, or 40 of SQL (all migrations are one), each room
# has a file that begins with what the room is for, and each file stands in a table of docs/internals,
# under the name of its folder.
. "$(dirname "$0")/files.sh"

ours="$folders include tests/support"

files "$folders bench examples tests" c h sh sql |
	sed -E 's|/[0-9]{3}_[a-z_]+\.sql$|/migrations|; s|/[^/]*$||' |
	awk '{ n[$0]++ }
		END {
			for (d in n) {
				most = d ~ "^db/sql/" ? 40 : 25
				if (n[d] > most)
					print d "/: " n[d] " files, at most " most
			}
		}' >>"$findings"

# Which file begins with "ROOM/: ", as /* ROOM/: ... */ or on the second line.
files "$ours" c h | sed 's|/[^/]*$||' | sort -u | while read -r room; do
	case $room in
	tests/support | [a-z]*/*) ;;
	*) continue ;;
	esac
	[ "$room" != tests/support ] || continue
	if ! head -q -n 2 "$room"/*.[ch] 2>/dev/null | grep -qE "^(/\*| \*) $room/: "; then
		echo "$room/: no file begins with \"$room/: \" and what the room is for" >>"$findings"
	fi
done

# A table begins with | `FOLDER/` |; a row names files of that folder, and NAME.c stands for NAME.h.
# shellcheck disable=SC2046 # our file names have no spaces
files "$ours" c h | awk '
	FILENAME != "-" && !/^\|/ {
		folder = ""
	}
	FILENAME != "-" && /^\|---/ && before ~ /^\| `[a-z\/]+\/` *\|/ {
		split(before, tick, "`")
		folder = tick[2]
	}
	{
		before = $0
	}
	FILENAME != "-" && folder && /^\| `/ {
		split($0, cell, "|")
		count = split(cell[2], tick, "`")
		for (i = 2; i <= count; i += 2) {
			if ((folder tick[i]) in row)
				print FILENAME ":" FNR ": " folder tick[i] " stands twice"
			row[folder tick[i]] = FILENAME ":" FNR
		}
	}
	FILENAME == "-" {
		is[$0] = 1
	}
	END {
		for (file in is) {
			body = file
			sub(/\.h$/, ".c", body)
			if (!(file in row) && !((body in row) && (body in is)))
				print file ": no table of docs/internals names it"
		}
		for (file in row)
			if (!(file in is))
				print row[file] ": there is no " file
	}
' $(files docs/internals md) - | sort >>"$findings"

conclude "folders of at most 25 files (SQL: 40), each with what it is for, each file in a table of docs/internals"
