#!/bin/sh
# exports.sh NM SHARED STATIC: the symbols that each form of the library defines for others are the
# functions that dray.h declares, no more and no fewer.
set -eu
nm=$1
shared=$2
static=$3
header=$(dirname "$0")/../../include/dray.h

declared=$(sed -n '/^DRAY_EXPORT/s/.*[ *]\(dray_[a-z_]*\)(.*/\1/p' "$header" | sort)
[ "$(echo "$declared" | wc -l)" -gt 10 ] || { echo "$header: no declarations found"; exit 1; }

# sanitizers and coverage add their own to a static object
defined()
{
	grep -vE ' (__|_?llvm|mangled_path|asan|tsan|gcov)' | awk '{ print $NF }' |
		sed 's/@.*//' | grep -v '^DRAY_[0-9]*$' | sort
}

failed=0
compare()
{
	if [ "$2" != "$declared" ]; then
		echo "$1 defines:"
		echo "$2"
		echo "declared are:"
		echo "$declared"
		failed=1
	fi
}

compare "$shared" "$("$nm" -D --defined-only "$shared" | defined)"
compare "$static" "$("$nm" -g --defined-only "$static" | grep ' [A-Z] ' | defined)"
exit $failed
