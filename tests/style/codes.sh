#!/bin/sh
# The codes, defects, rules and sections of docs/internals/solid-queue.md: what our files name stands there,
# and each row of its tables names cases that exist, in files that name its code, or a reason.
. "$(dirname "$0")/files.sh"

page=docs/internals/solid-queue.md
named=$findings.named # FILE CODE, one a line
trap 'rm -f "$findings" "$named"' EXIT

# shellcheck disable=SC2046 # our file names have no spaces
set -- $(files "$folders include tests" c h) $(files docs/internals md)
[ $# -gt 0 ] || exit 0
[ -f "$page" ] || page=/dev/null

# Prints FILE CODE for what is named, and what the page lacks to the findings. A code is two letters and
# a number (CC3, "CC1 to CC3", also as the first part of a case's name); PS1 is the shell's.
awk -v page="$page" -v findings="$findings" -v own="docs/internals/solid-queue.md" '
	function found(what) { print FILENAME ":" FNR ": " what >>findings }
	function name(code)
	{
		print FILENAME, code
		if (!(code in known) && code != "PS1" && FILENAME != own)
			found(code " is not in docs/internals/solid-queue.md")
	}
	# The codes of a text; "CC1 to CC3" and "CC1-CC3" are three.
	function codes(text,   code, last, i, start, before)
	{
		while (match(text, /[A-Z][A-Z][0-9]+/)) {
			start = RSTART
			code = substr(text, start, RLENGTH)
			before = start > 1 ? substr(text, start - 1, 1) : " "
			text = substr(text, start + RLENGTH)
			if (before ~ /[A-Za-z0-9_]/ || text ~ /^[A-Za-z0-9_]/ || length(code) > 4)
				continue
			name(code)
			if (match(text, /^( to |-)[A-Z][A-Z][0-9]+/) &&
			    index(text, substr(code, 1, 2)) <= 5 && index(text, substr(code, 1, 2)) > 0) {
				last = substr(text, 1, RLENGTH)
				sub(/.*[A-Z]/, "", last)
				for (i = substr(code, 3) + 1; i < last + 0; i++)
					name(substr(code, 1, 2) i)
			}
		}
	}
	# As the first part of a case: cf18_cf20_, rk21_to_rk25_.
	function case_codes(text,   code, range, last, i)
	{
		while (match(text, /^[a-z][a-z][0-9]+_/)) {
			code = toupper(substr(text, 1, RLENGTH - 1))
			text = substr(text, RLENGTH + 1)
			for (i = last + 1; range && i < substr(code, 3) + 0; i++)
				name(substr(code, 1, 2) i)
			name(code)
			last = substr(code, 3) + 0
			range = sub(/^to_/, "", text)
		}
	}
	# "defect 9", "defects 10 to 14", "rules 3 and 4": each number is a row of the page.
	function numbers(text, word,   number)
	{
		while (match(text, "(^|[^a-z])" word "s? [0-9]+((,| and| to|, and) [0-9]+)*")) {
			number = substr(text, RSTART, RLENGTH)
			text = substr(text, RSTART + RLENGTH)
			gsub(/[^0-9]+/, " ", number)
			count = split(number, each, " ")
			for (i = 1; i <= count; i++)
				if (!((word " " each[i]) in known))
					found(word " " each[i] " is not in docs/internals/solid-queue.md")
		}
	}
	function sections(text,   number)
	{
		while (match(text, /solid-queue\.md, [0-9]+(\.[0-9]+)?((,| and| to) [0-9]+(\.[0-9]+)?)*/)) {
			number = substr(text, RSTART + 16, RLENGTH - 16)
			text = substr(text, RSTART + RLENGTH)
			gsub(/[^0-9.]+/, " ", number)
			count = split(number, each, " ")
			for (i = 1; i <= count; i++)
				if (!(each[i] in headings))
					found("section " each[i] " is not in docs/internals/solid-queue.md")
		}
	}
	FILENAME == page && FILENAME == ARGV[1] && !second {
		if (FNR == 1 && seen++)
			second = 1
		else if ($1 == "|") {
			code = $0
			sub(/^\| */, "", code)
			sub(/ *\|.*/, "", code)
			known[code] = 1
			next
		} else if ($1 ~ /^##+$/) {
			sub(/\.$/, "", $2)
			headings[$2] = 1
			next
		} else
			next
	}
	FILENAME == own { next }
	{
		codes($0)
		sections($0)
		line = tolower($0)
		numbers(line, "defect")
		if (FILENAME ~ /^tests\// || /solid-queue\.md/)
			numbers(line, "rule")
	}
	/^(static void |[A-Z_]+\()/ {
		sub(/^(static void |[A-Z_]+\()(test_)?/, "")
		case_codes($0)
	}
' "$page" "$@" >"$named"

# Each row, by its first cell; its last cell is read.
[ "$page" = /dev/null ] || awk -v named="$named" '
	function fail(what) { print FILENAME ":" FNR ": " code ": " what }
	function read_cases(file,   line)
	{
		if (file in readable)
			return readable[file]
		readable[file] = 0
		while ((getline line <file) > 0) {
			readable[file] = 1
			# static void NAME(, or a macro of tests/support/test.h: TEST(NAME
			if (sub(/^(static void |[A-Z_]*(TEST|CASE)[A-Z_]*\()/, "", line) &&
			    match(line, /^[a-z0-9_]+/))
				cases[file, substr(line, 1, RLENGTH)] = 1
		}
		close(file)
		return readable[file]
	}
	# The file of FOLDER.NAME: tests/FOLDER/NAME_test.c, or one of a room in that folder.
	function place_of(program)
	{
		return (program in places) && read_cases(places[program]) ? places[program] : ""
	}
	BEGIN {
		while (("find tests -name \"*.c\"" | getline path) > 0) {
			count = split(path, part, "/")
			sub(/(_test)?\.c$/, "", part[count])
			if (!((part[2] "." part[count]) in places) || path ~ /_test\.c$/)
				places[part[2] "." part[count]] = path
		}
		while ((getline line <named) > 0)
			names[line] = 1
	}
	/^\| *([A-Z][A-Z][0-9]+|defect [0-9]+|rule [0-9]+) *\|/ {
		count = split($0, cells, "|")
		code = cells[2]
		gsub(/^ +| +$/, "", code)
		if (code in rows)
			fail("stands twice")
		rows[code] = 1
		last = cells[count - 1]
		gsub(/^ +| +$/, "", last)
		if (last ~ /^Not (in dray|tested): ./)
			next
		file = ""
		cases_seen = 0
		parts = split(last, ticks, "`")
		for (i = 2; i <= parts; i += 2) {
			if (ticks[i] ~ /^[a-z0-9]+\.[a-z0-9_]+$/) {
				file = place_of(ticks[i])
				if (file == "")
					fail("there is no " ticks[i])
				else if (code ~ /^[A-Z]/ && !((file " " code) in names))
					fail(file " does not name it")
			} else if (file != "") {
				cases_seen++
				if (!((file, ticks[i]) in cases))
					fail(file " has no case " ticks[i])
			}
		}
		if (file != "" && cases_seen == 0)
			fail("no case is named")
		if (parts < 2)
			fail("neither a test nor a reason")
	}
' "$page" >>"$findings"

conclude "what is named of Solid Queue is explained, and tested or reasoned"
