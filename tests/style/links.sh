#!/bin/sh
# Every relative link in a Markdown file leads to a file or folder that exists, and its #anchor to a
# heading (named as GitHub names it) or an <a id="..."> there. Addresses of other sites are not asked.
. "$(dirname "$0")/files.sh"

find . \( -path ./build -o -path ./.git \) -prune -o -print | sed 's|^\./||' >"$findings.tree"
trap 'rm -f "$findings" "$findings.tree"' EXIT

# shellcheck disable=SC2016 # awk's, not the shell's
program='
function anchor_of(text)
{
	gsub(/\]\([^)]*\)/, "", text)
	gsub(/[!-,.\/:-@[-^`{-~]/, "", text)
	sub(/^ +/, "", text)
	sub(/ +$/, "", text)
	gsub(/ /, "-", text)
	return tolower(text)
}

function add_anchor(name)
{
	if ((FILENAME, name) in anchors)
		name = name "-" ++repeated[FILENAME, name]
	anchors[FILENAME, name] = 1
}

# target as it stands in the file, seen from the root of the tree; "" is the root itself.
function resolve(file, target,    parts, count, path, i)
{
	if (target == "")
		return file
	if (target ~ /^\//)
		file = ""
	sub(/[^\/]*$/, "", file)
	count = split(file target, parts, "/")
	path = ""
	for (i = 1; i <= count; i++) {
		if (parts[i] == "..") {
			if (!sub(/\/[^\/]*$/, "", path))
				path = ""
		} else if (parts[i] != "" && parts[i] != ".") {
			path = path == "" ? parts[i] : path "/" parts[i]
		}
	}
	return path
}

function add_link(target)
{
	sub(/ .*/, "", target)
	gsub(/[<>]/, "", target)
	if (target == "" || target ~ /^[A-Za-z][A-Za-z0-9+.-]*:/ || target ~ /^\/\//)
		return
	files[++links] = FILENAME
	lines[links] = FNR
	targets[links] = target
}

function read_line(line)
{
	rest = line
	while (match(rest, /<a (id|name)="[^"]*"/)) {
		name = substr(rest, RSTART, RLENGTH)
		gsub(/^[^"]*"|"$/, "", name)
		anchors[FILENAME, name] = 1
		rest = substr(rest, RSTART + RLENGTH)
	}
	gsub(/`[^`]*`/, "", line)
	if (match(line, /^ ? ? ?\[[^]]+\]: +/))
		add_link(substr(line, RSTART + RLENGTH))
	while (match(line, /\]\([^)]+\)/)) {
		add_link(substr(line, RSTART + 2, RLENGTH - 3))
		line = substr(line, RSTART + RLENGTH)
	}
}

FILENAME == tree { exists[$0] = 1; next }
FNR == 1 { fenced = 0 }
/^ *(```|~~~)/ { fenced = !fenced; next }
fenced { next }
/^#+ / { heading = $0; sub(/^#+ +/, "", heading); add_anchor(anchor_of(heading)) }
{ read_line($0) }

END {
	for (i = 1; i <= links; i++) {
		path = anchor = targets[i]
		sub(/#.*/, "", path)
		if (!sub(/^[^#]*#/, "", anchor))
			anchor = ""
		where = resolve(files[i], path)
		if (where != "" && !(where in exists))
			print files[i] ":" lines[i] ": there is no " where
		else if (anchor != "" && where ~ /\.md$/ && !((where, anchor) in anchors))
			print files[i] ":" lines[i] ": " where " has no #" anchor
	}
}'

# shellcheck disable=SC2046 # our file names have no spaces
LC_ALL=C awk -v tree="$findings.tree" "$program" "$findings.tree" \
	$(grep '\.md$' "$findings.tree" | LC_ALL=C sort) >>"$findings"

conclude "links between pages lead somewhere"
