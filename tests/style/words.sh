#!/bin/sh
# Banned words: the libc functions of common/banned.txt (one a line, # starts a comment), which
# have a safer form here, and the words that mark unfinished work.
. "$(dirname "$0")/files.sh"

[ ! -f common/banned.txt ] || while read -r word _; do
	case $word in
	'' | '#'*) continue ;;
	esac
	# shellcheck disable=SC2046 # our file names have no spaces
	grep -nE "(^|[^A-Za-z0-9_>.])${word}[ ]*\(" /dev/null \
		$(files "$folders include examples bench tests" c h) |
		sed "s/\$/ (banned: $word)/" >>"$findings" || true
done <common/banned.txt

unfinished='(TO''DO|FIX''ME|X''XX|HA''CK|not implem''ented)'
# shellcheck disable=SC2046
grep -nE "(^|[^A-Za-z])$unfinished([^A-Za-z]|\$)" /dev/null \
	$(files "$folders include examples bench tests cmake man completions" c h sql sh cmake txt) \
	>>"$findings" || true

conclude "no banned functions, no marks of unfinished work"
