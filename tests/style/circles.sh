#!/bin/sh
# The files of a folder call each other in one direction: a caller above its callees. Two files that
# call each other, directly or by way of others, are one file in two pieces: what both need goes into a
# third one, or the lower one is handed what it needs.
. "$(dirname "$0")/files.sh"

# shellcheck disable=SC2046 # our file names have no spaces
set -- $(files "$folders" c)
[ $# -gt 0 ] || exit 0

# Lines of the form "file:line name", "+" before the names that others see and "-" before static ones,
# and "." before those that are used. Definitions begin in the first column, as clang-format has them.
awk '
	# What a definition without its body, or its value, defines.
	function define(head, name) {
		name = head
		sub(/ = .*/, "", name)
		sub(/\(.*/, "", name)
		gsub(/\[[^\]]*\]/, "", name)
		sub(/ *$/, "", name)
		sub(/^.*[^A-Za-z_0-9]/, "", name)
		print (head ~ /^static/ ? "-" : "+"), FILENAME, name
	}

	# The code of a line, without texts and comments.
	function code(line) {
		gsub(/\\./, "", line)
		gsub(/"[^"]*"/, "", line)
		if (comment) {
			if (!sub(/^.*\*\//, "", line))
				return ""
			comment = 0
		}
		gsub(/\/\*[^*]*\*\//, "", line)
		if (sub(/\/\*.*/, "", line))
			comment = 1
		sub(/\/\/.*/, "", line)
		return line
	}

	FNR == 1 {
		comment = 0
		head = ""
	}

	{
		line = code($0)
		if (line ~ /^[ \t]*#/)
			next
		if (line ~ /^[A-Za-z_]/)
			head = line
		else if (head != "" && line !~ /^[{}]/)
			head = head line
		if (head != "" && (line ~ /^\{/ || line ~ /[;{]$/)) {
			if (line ~ /^\{/ ? head ~ /\(/ : head ~ / = /)
				define(head)
			head = ""
		}
		gsub(/(struct|enum|union)[ \t]+[A-Za-z_0-9]+/, " ", line)
		gsub(/(\.|->)[A-Za-z_][A-Za-z_0-9]*/, " ", line)
		while (match(line, /[A-Za-z_][A-Za-z_0-9]*/)) {
			name = substr(line, RSTART, RLENGTH)
			line = substr(line, RSTART + RLENGTH)
			if (!(FILENAME SUBSEP name in used)) {
				used[FILENAME, name] = FNR
				print ".", FILENAME, name, FNR
			}
		}
	}
' "$@" >"$findings.names"
trap 'rm -f "$findings" "$findings.names"' EXIT

awk '
	function folder(file) {
		sub(/\/.*/, "", file)
		return file
	}

	# Does one lead to another? Along the first calls that are found.
	function leads(from, to, seen, queue, first, last, i, n, next_file) {
		queue[1] = from
		seen[from] = 1
		last = 1
		for (first = 1; first <= last; first++) {
			n = callees[queue[first]]
			for (i = 1; i <= n; i++) {
				next_file = callee[queue[first], i]
				if (next_file == to)
					return 1
				if (!(next_file in seen)) {
					seen[next_file] = 1
					queue[++last] = next_file
				}
			}
		}
		return 0
	}

	$1 == "+" {
		home[folder($2), $3] = $2
		own[$2, $3] = 1
	}
	$1 == "-" {
		own[$2, $3] = 1
	}
	$1 == "." {
		uses[++count] = $2 " " $3 " " $4
	}
	END {
		for (i = 1; i <= count; i++) {
			split(uses[i], use, " ")
			if (((use[1], use[2]) in own) || !((folder(use[1]), use[2]) in home))
				continue
			to = home[folder(use[1]), use[2]]
			if ((use[1], to) in why)
				continue
			why[use[1], to] = use[1] ":" use[3] ": calls " use[2] " of " to ", which leads back to it"
			callee[use[1], ++callees[use[1]]] = to
			from[++edges] = use[1]
			at[edges] = to
		}
		for (i = 1; i <= edges; i++)
			if (leads(at[i], from[i]))
				print why[from[i], at[i]]
	}
' "$findings.names" >>"$findings"

conclude "files call each other in one direction"
