#!/bin/sh
# Proves that the landing tier has no large holes: breaks a copy of the tree as each patch here says, one
# after the other, and runs the case that table.txt names, as its gate would. The case must fail, and do so
# twice, for one that passes the second time is forgiven there.
# usage: sh tests/planted/replay.sh BUILD-FOLDER [NN...]    (all patches, or those with these numbers)
# The servers are those of DRAY_TEST_*_URL. Exit status: 0 when every fault was caught, otherwise 1.
set -u
[ $# -gt 0 ] || {
	sed -n 's/^# usage: //p' "$0" >&2
	exit 2
}
cd "$(dirname "$0")/../.." || exit 1
. tests/support/gates/gates.sh
planted=$PWD/tests/planted
mkdir -p "$1/planted" || exit 1
build=$(cd "$1/planted" && pwd)
shift
jobs=${DRAY_TEST_JOBS:-$(nproc)}
missed=0

# Instead of those of test.sh: only what is asked for is built, and a failed case has no second thoughts.
gate_build()
{
	# shellcheck disable=SC2086 # a list of targets
	cmake --build "$build/tested" -j "$jobs" --target dray $programs >"$build/log" 2>&1
}

run_cases()
{
	folder=$1
	shift
	ctest --test-dir "$folder" --no-tests=error "$@"
}

# passes GATE CASE: as the gate runs it. A case that is not of the gate, or is left out, does not pass.
passes()
{
	# shellcheck disable=SC2034 # gates.sh reads it
	filter="^$(echo "$2" | sed 's/\./\\./g')\$"
	"gate_$1" >"$build/log" 2>&1 && grep -q '^100% tests passed' "$build/log" &&
		! grep -q 'Skipped' "$build/log"
}

# why: what went wrong first
why()
{
	grep -m 2 -E '\[  ERROR   \] ---|\[   LINE   \]|Sanitizer: |runtime error: |error: ' "$build/log" |
		sed "s,$build/tree/,,; s/^[0-9]*: //; s/^\[ *[A-Z]* *\] --- //" | tr '\n' ' ' | cut -c 1-150
}

say()
{
	printf '%-7s %-30s %-10s %-32s %s\n' "$@"
	[ "$1" = CAUGHT ] || missed=$((missed + 1))
}

rm -rf "$build/tree" "$build/tested"
mkdir "$build/tree" || exit 1
git ls-files -co --exclude-standard | while IFS= read -r file; do
	[ ! -f "$file" ] || echo "$file"
done | tar -cf - -T - | tar -xf - -C "$build/tree"
cd "$build/tree" || exit 1
export GIT_CEILING_DIRECTORIES="$build" # here git apply knows of no repository
choose_clang
make tested dray || exit 1

# PATCH GATE CASE PROGRAM, a line for each patch that is asked for; one that the table lacks has no case.
for patch in "$planted"/*.patch; do
	patch=$(basename "$patch" .patch)
	[ $# -eq 0 ] || case " $* " in *" ${patch%%_*} "*) ;; *) continue ;; esac
	grep "^$patch	" "$planted/table.txt" || echo "$patch build none.none"
done | awk '{ split($3, part, ".")
	print $1, $2, $3, $2 == "style" ? "dray" : part[1] == "fault" ? "fault_verbs" : "test_" part[1] }' \
	>"$build/rows"

programs=$(cut -d ' ' -f 4 "$build/rows" | sort -u | tr '\n' ' ')
gate_build || {
	tail -n 40 "$build/log"
	exit 1
}
while read -r patch gate name programs <&3; do
	passes "$gate" "$name" || passes "$gate" "$name" ||
		say BROKEN "$patch" "$gate" "$name" "it fails without the patch: $(why)"
done 3<"$build/rows"
[ $missed -eq 0 ] || exit 1
while read -r patch gate name programs <&3; do
	git apply "$planted/$patch.patch" || {
		say STALE "$patch" "$gate" "$name" 'the patch does not apply'
		continue
	}
	if ! gate_build; then
		say STALE "$patch" "$gate" "$name" "it does not build: $(why)"
	elif passes "$gate" "$name" || passes "$gate" "$name"; then
		say MISSED "$patch" "$gate" "$name" ''
	else
		say CAUGHT "$patch" "$gate" "$name" "$(why)"
	fi
	git apply -R "$planted/$patch.patch" || exit 1
done 3<"$build/rows"
[ $missed -eq 0 ]
