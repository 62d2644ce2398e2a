#!/bin/sh
# Words that mark unfinished work. (Functions that we do not use are refused by the compiler:
# common/banned.h.)
. "$(dirname "$0")/files.sh"

unfinished='(TO''DO|FIX''ME|X''XX|HA''CK|not implem''ented)'
# shellcheck disable=SC2046 # our file names have no spaces
grep -nE "(^|[^A-Za-z])$unfinished([^A-Za-z]|\$)" /dev/null \
	$(files "$folders include examples bench tests cmake man completions" c h sql sh cmake txt) \
	>>"$findings" || true

conclude "no marks of unfinished work"
