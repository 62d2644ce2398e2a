#!/bin/sh
# Marks of unfinished work, of a merge that was not ended, and words that our English avoids. (Functions
# that we do not use are refused by the compiler: common/banned.h.)
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

# "Who" is only for people. Name the thing (the process, the job, the transaction) instead.
avoided='(who''ever|whom''ever|whose''ver)'
# shellcheck disable=SC2046
grep -niwE "$avoided" /dev/null $(find . -maxdepth 1 -name '*.md') \
	$(files "$folders include examples bench tests docs man completions packaging" \
		c h sql sh md 1 rb yml in bash fish zsh) >>"$findings" || true

conclude "no marks of unfinished work, and no words that our English avoids"
