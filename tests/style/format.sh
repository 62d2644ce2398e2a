#!/bin/sh
# Every C file is as clang-format leaves it (version 14, whose output later versions vary).
. "$(dirname "$0")/files.sh"
need clang-format-14

# shellcheck disable=SC2046
"$program" --dry-run --style=file $(files "$folders include examples bench tests" c h) 2>&1 |
	grep ': warning:' | sed 's/: warning: code should be clang-formatted.*/: not formatted/' >>"$findings" || true

conclude "clang-format"
