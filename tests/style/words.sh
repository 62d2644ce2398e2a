#!/bin/sh
# Words that mark unfinished work, and a merge that nobody has ended. (Functions that we do not use are refused by the compiler:
# common/banned.h.)
. "$(dirname "$0")/files.sh"

unfinished='(TO''DO|FIX''ME|X''XX|HA''CK|not implem''ented)'
# shellcheck disable=SC2046 # our file names have no spaces
grep -nE "(^|[^A-Za-z])$unfinished([^A-Za-z]|\$)" /dev/null \
	$(files "$folders include examples bench tests cmake man completions" c h sql sh cmake txt) \
	>>"$findings" || true

# shellcheck disable=SC2046
grep -nE '^(<<<<<<<|>>>>>>>) ' /dev/null $(find . -maxdepth 1 -name '*.md') \
	$(files "$folders include examples bench tests cmake man completions docs packaging" \
		c h sql sh cmake txt md yml 1 bash fish zsh service) >>"$findings" || true

conclude "no marks of unfinished work"
