#!/bin/sh
# No file over 1,000 lines, no function over 60; the longest functions are printed either way.
. "$(dirname "$0")/files.sh"

# FILE: a file that may be longer, with the reason why the rule would make it worse.
# include/dray.h: programs include this one header, and people read it.
longer="include/dray.h"

files "$folders include examples bench tests" c h sql sh cmake | while read -r file; do
	lines=$(wc -l <"$file")
	case " $longer " in
	*" $file "*) continue ;;
	esac
	[ "$lines" -le 1000 ] || echo "$file:1: $lines lines, at most 1,000" >>"$findings"
done

if ctags --version 2>/dev/null | grep -q Universal; then
	# A case is a function, too (tests/support/test.h).
	set -- --param-CPreProcessor:_expand=1
	for macro in 'CASE(a)' 'CASE_WITH(a,b,c)' 'RIG_CASE(a)' 'STOP_CASE(a)' 'OTHER_CASE(a)' 'TEST(a)' \
		'TEST_REAL(a,b)' 'TEST_ONLY(a,b)' 'TEST_ON_EMPTY(a)' \
		'DB_CASE(a)' 'DB_CASE_ONLY(a,b)' 'DB_CASE_ON_EMPTY(a)' 'DB_CASE_ON_EMPTY_ONLY(a,b)' \
		'MYSQL_CASE(a)' 'PG_CASE(a)' 'NETWORK_CASE(a)' 'ARENA_CASE(a)' \
		'WORLD_CASE(a)' 'LOOP_CASE(a)' 'SHARED_CASE(a)' \
		'SITE_CASE(a)' 'SITE_CASE_REAL(a,b)' 'SITE_CASE_ONLY(a,b)' 'SITE_CASE_ON_EMPTY(a)' \
		'SITE_CASE_ON_EMPTY_ONLY(a,b)' 'CLIENT_CASE(a)' \
		'DEPLOYMENT_CASE(a)' 'DEPLOYMENT_CASE_ONLY(a,b)'; do
		set -- "$@" -D "$macro=static void a(void)"
	done
	files "$folders include examples bench tests" c |
		ctags -L - -x --c-kinds=f "$@" --_xformat='%F %n %{end} %N' 2>/dev/null |
		awk '{ print $3 - $2 + 1, $1 ":" $2 ": " $4 }' | sort -rn >"$findings.functions"
	echo "The longest functions:"
	head -n 10 "$findings.functions"
	awk '{ n[NR] = $1 } END { if (NR) print "median " n[int((NR + 1) / 2)] " lines of " NR " functions" }' \
		"$findings.functions"
	awk '$1 > 60 { print $2 " " $3 ": " $1 " lines, at most 60" }' "$findings.functions" >>"$findings"
	rm -f "$findings.functions"
fi

conclude "files of at most 1,000 lines, functions of at most 60"
