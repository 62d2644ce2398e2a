#!/bin/sh
# Banned words: the libc functions of common/banned.txt (one a line, # starts a comment), which
# have a safer form here, and the words that mark unfinished work.
. "$(dirname "$0")/files.sh"

# shellcheck disable=SC2046
set -- $(files "$folders include examples bench tests" c h)
[ $# -gt 0 ] || exit 0

[ ! -f common/banned.txt ] || while read -r word _; do
	case $word in
	'' | '#'*) continue ;;
	esac
	grep -nE "(^|[^A-Za-z0-9_>.])$word[ ]*\(" "$@" /dev/null |
		sed "s/\$/ (banned: $word)/" >>"$findings" || true
done <common/banned.txt

unfinished='(TO''DO|FIX''ME|X''XX|HA''CK|not implem''ented)'
# shellcheck disable=SC2046
grep -nE "(^|[^A-Za-z])$unfinished([^A-Za-z]|\$)" "$@" \
	$(files "cmake db tests man completions" sql sh cmake txt) /dev/null >>"$findings" || true

conclude "no banned functions, no marks of unfinished work"
