# shellcheck shell=sh
# shellcheck disable=SC2154 # databases and backends are set by test.sh
# Sourced by test.sh: what is left out is a failure, unless skips.txt lists it or nobody asked for it.

# run_cases FOLDER OPTION...: ctest in a build folder, then the look at what it left out.
run_cases()
{
	cases=$1
	shift
	rm -f "$cases/Testing/Temporary/LastTest.log"
	rm -f "$cases/Testing/Temporary/LastTestsFailed.log"
	ctest --test-dir "$cases" --output-junit "$cases/junit.xml" --no-tests=error "$@" ||
		put_off "$cases" || return 1
	no_skips "$cases"
}

# no_skips FOLDER: of the last run there.
no_skips()
{
	[ -f "$1/junit.xml" ] || return 1
	skipped=$(
		awk -F'"' '/<testcase /{ name = $2 } /<skipped /{ print name }' "$1/junit.xml"
		sed -n '/test(s), listed below/d; s/ /_/g; s/^\[__SKIPPED_\]_//p' \
			"$1/Testing/Temporary/LastTest.log"
	)
	unlisted=
	for name in $(echo "$skipped" | sort -u); do
		if is_unwanted "$name"; then
			continue
		elif may_skip "$name" "$1/Testing/Temporary/LastTest.log"; then
			skips="$skips $name"
		else
			unlisted="$unlisted $name"
		fi
	done
	[ -n "$unlisted" ] || return 0
	echo "left out, and not listed in tests/support/gates/skips.txt:$unlisted"
	return 1
}

# is_unwanted CASE: is it about a database that this run was not asked for?
is_unwanted()
{
	for unwanted in $databases; do
		case $1 in
		*".$unwanted")
			case " $backends " in
			*" $unwanted "*) return 1 ;;
			*) return 0 ;;
			esac
			;;
		esac
	done
	return 1
}

# may_skip TEST LOG: is it listed, and did it run on another database, if there are several?
may_skip()
{
	cut -f 1 tests/support/gates/skips.txt | grep -qx "$1" || return 1
	case " $backends " in
	*" mysql "*) grep -q "^\[       OK \] $1" "$2" ;;
	esac
}
