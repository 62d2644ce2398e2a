# shellcheck shell=sh
# Sourced by the rules, which run in the root of the tree they check: which files are ours, and
# how a rule reports and ends.
set -eu

# shellcheck disable=SC2034 # the rules use it
folders=$(tr '\n' ' ' <"$(dirname "$0")/../../cmake/folders.txt")

# files FOLDER-LIST SUFFIX...: our files there with these suffixes, one a line, sorted.
files()
{
	in=$1
	shift
	for suffix in "$@"; do
		for folder in $in; do
			[ ! -d "$folder" ] || find "$folder" -type f -name "*.$suffix"
		done
	done | LC_ALL=C sort
}

# need PROGRAM...: sets $program to the first that is installed, or skips the rule.
need()
{
	for program in "$@"; do
		if command -v "$program" >/dev/null 2>&1; then
			return 0
		fi
	done
	echo "skipped: $* not installed"
	exit 77
}

# conclude RULE: shows the findings gathered in $findings, if any, and exits.
conclude()
{
	if [ -s "$findings" ]; then
		cat "$findings"
		echo "$(wc -l <"$findings") findings: $1"
		exit 1
	fi
	echo "ok: $1"
}

findings=$(mktemp)
trap 'rm -f "$findings"' EXIT
