# shellcheck shell=sh
# shellcheck disable=SC2154 # build, jobs and filter are set by test.sh
# Sourced by test.sh: gates about what has changed within two days before HEAD, newest first. What is in
# the tree and not committed counts as newest. A history that is too short shows less; no history, nothing.
tidy_seconds=90
often_seconds=90

# changed PATTERN: the files that match it (grep -E), each once.
changed()
{
	{
		git status --porcelain --untracked-files=all | cut -c 4-
		day=$(git log -1 --format=%ct) &&
			git log --since="$((day - 2 * 86400))" --format= --name-only
	} 2>/dev/null | awk '!seen[$0]++' | grep -E "$1" | while read -r file; do
		[ ! -f "$file" ] || echo "$file"
	done
}

# gate_changed: clang-tidy, two files at a time, and cppcheck, until the time is up.
gate_changed()
{
	gate_build || return 1
	deadline=$(($(date +%s) + tidy_seconds))
	changed '\.c$' >"$build/changed"
	echo "$(wc -l <"$build/changed") files"
	database=$build/$tested_as/compile_commands.json
	tidy=clang-tidy
	! command -v clang-tidy-14 >/dev/null 2>&1 || tidy=clang-tidy-14
	# shellcheck disable=SC2016 # the inner shell expands
	xargs -P "$jobs" -I '{}' sh -c '
		grep -q "\"file\": \".*/$1\"" "$4" || exit 0 # no file of this build
		if [ "$(date +%s)" -ge "$2" ]; then
			echo "did not fit into the time: $1"
			exit 0
		fi
		"$5" --quiet -p "$3" "$1" 2>/dev/null && cppcheck -q --error-exitcode=1 \
			--std=c11 --inline-suppr --enable=warning,style,performance,portability \
			--suppressions-list=cmake/cppcheck.txt --suppress=unmatchedSuppression \
			--project="$4" --file-filter="*$1" 2>&1 || {
			echo "FAILED: $1"
			exit 1
		}
	' changed '{}' "$deadline" "$build/$tested_as" "$database" "$tidy" <"$build/changed"
}

# ran NAME: the cases of this name that this run has had, each with its seconds.
ran()
{
	cat "$build"/gates/* | sed -n \
		"s,^ *[0-9]*/[0-9]* Test *#[0-9]*: \\($1\\|$1\\.[a-z]*\\) .* \\([0-9.]*\\) sec.*,\\1 \\2,p" |
		sort -u -k 1,1
}

# gate_often: the cases of new and changed test files once more, five times, as long as they fit.
gate_often()
{
	gate_build || return 1
	deadline=$(($(date +%s) + often_seconds))
	for file in $(changed '^tests/.*_test\.c$' | grep -v '^tests/fault/'); do
		name=$(echo "$file" | sed 's,^tests/\([^/]*\)/.*/,\1.,; s,^tests/\([^/]*\)/,\1.,; s,_test\.c$,,')
		ran "$name" >"$build/often.cases"
		[ -s "$build/often.cases" ] || continue
		# Each is repeated by itself, beside the others.
		needed=$(awk '{ sum += $2; if ($2 > longest) longest = $2 }
			END { printf "%d\n", 5 * (sum / 2 > longest ? sum / 2 : longest) + 1 }' "$build/often.cases")
		if [ $(($(date +%s) + needed)) -gt $deadline ]; then
			echo "did not fit into the time: $name ($needed s)"
			continue
		fi
		echo "$name"
		# shellcheck disable=SC2034 # verdict.sh reads it
		(forgiving=false && cases tested --repeat until-fail:5 \
			-R "^($(cut -d ' ' -f 1 "$build/often.cases" | paste -s -d '|'))\$" \
			>"$build/often.log" 2>&1) || {
			tail -n 60 "$build/often.log"
			return 1
		}
	done
}

# gate_flakes: for a night.
gate_flakes()
{
	# shellcheck disable=SC2034 # verdict.sh reads it
	forgiving=false
	gate_build || return 1
	for round in 1 2 3 4 5; do
		echo "--- round $round"
		for name in style sqlite contract journeys sample; do
			"gate_$name" || return 1
		done
	done
}

# gate_planted: for a night, too; the faults that the landing tier must notice.
gate_planted()
{
	sh tests/planted/replay.sh "$build"
}
