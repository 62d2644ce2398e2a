#!/bin/sh
# Writes tests/wording.txt anew, sorted: the messages that a run left in the folder $1 replace those of their
# name, and names that no case looks for any more go.
set -eu
cd "$(dirname "$0")/../.."
touch wording.txt
end=$(printf '\001') # of a line within a message, so that messages can be sorted as lines
{
	find "$1" -type f -exec cat {} +
	cat wording.txt
} | awk -v end="$end" '
	/^[^\t]/ { if (name != "") print name message; name = $0; message = ""; next }
	{ message = message end $0 }
	END { if (name != "") print name message }' | sed "s/$end*\$//" | LC_ALL=C sort -s -t "$end" -k1,1 -u |
	while IFS= read -r message; do
		if grep -rqF --include='*.c' "\"${message%%"$end"*}\"" .; then
			printf '%s\n\n' "$message"
		fi
	done | tr "$end" '\n' >"$1.txt"
sed '$ d' "$1.txt" >wording.txt
