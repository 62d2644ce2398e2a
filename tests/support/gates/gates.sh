# shellcheck shell=sh
# shellcheck disable=SC2154 # build, jobs, filter, databases, backends, gates are set by test.sh
# Sourced by test.sh: the gates. A gate is a function that succeeds or fails (verdict.sh).
clang=clang

# choose_clang: 14, whose diagnostics the code is held to, where there is one.
choose_clang()
{
	! command -v clang-14 >/dev/null 2>&1 || clang='clang-14'
}

# gate_server BACKEND: a server that is named is used, another is started.
gate_server()
{
	variable=DRAY_TEST_$(echo "$1" | tr '[:lower:]' '[:upper:]')_URL
	if eval "[ -z \"\${$variable:-}\" ]"; then
		"start_$1" || return 1
	fi
	eval "echo \"\$$variable\""
	running="$running $1"
}

# make PRESET [TARGET]: configures and builds it, warnings as errors.
make()
{
	preset=$1
	target=${2:-all}
	compiler=
	launcher=
	case $preset in
	clang | asan | tested | coverage | tsan | fuzz) compiler=-DCMAKE_C_COMPILER=$clang ;;
	esac
	! command -v ccache >/dev/null 2>&1 || launcher=-DCMAKE_C_COMPILER_LAUNCHER=ccache
	# With another compiler than before CMake forgets the preset's settings: the folder begins anew.
	cache=$build/$preset/CMakeCache.txt
	if [ -n "$compiler" ] && [ -f "$cache" ] && ! grep -q "^CMAKE_C_COMPILER:.*/$clang\$" "$cache"; then
		rm -rf "${build:?}/$preset"
	fi
	# shellcheck disable=SC2086 # nothing, or one option, each
	cmake --preset "$preset" -B "$build/$preset" $compiler $launcher >"$build/$preset.log" 2>&1 || {
		cat "$build/$preset.log"
		return 1
	}
	grep 'Database backends' "$build/$preset.log"
	# Only what went wrong is of interest; ninja shows that last.
	cmake --build "$build/$preset" -j "$jobs" --target "$target" -- -k 0 >"$build/$preset.log" 2>&1 || {
		grep -A 20 'FAILED' "$build/$preset.log"
		return 1
	}
	tail -n 1 "$build/$preset.log"
}

# sanitized COMMAND...: with what the sanitizers are told. Tests fork all the time, and a fork copies the
# tables of all memory: the usual 256 MB of freed memory that is kept to catch its use, and 30 calls
# with each allocation, cost as much as all else. A job's function that never returns is abandoned with
# its thread; and programs here end on purpose while threads run, and must do so at once.
sanitized()
{
	(
		ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
		ASAN_OPTIONS=$ASAN_OPTIONS:quarantine_size_mb=4:malloc_context_size=10
		export ASAN_OPTIONS
		export UBSAN_OPTIONS=print_stacktrace=1
		export TSAN_OPTIONS=halt_on_error=1:die_after_fork=0:report_thread_leaks=0:atexit_sleep_ms=0
		"$@"
	)
}

# cases PRESET OPTION...: the cases of a build that CTest's options choose. One more at a time than
# there are processors, for many wait for what they look at.
cases()
{
	preset=$1
	shift
	sanitized run_cases "$build/$preset" -j $((jobs + 1)) --output-on-failure -R "$filter" "$@"
}

# The build that is tested, and the one that users get. The gates that follow use them; asked for
# alone, they make them first.
tested=false
product=false
counted=false # has the suite run in the build that counts lines?

gate_build()
{
	$tested || make "$tested_as" || return 1
	tested=true
}

make_product()
{
	$product || make product || return 1
	product=true
}

gate_product()
{
	make_product && sh tests/fault/absent.sh OFF "$build/product/cli/dray" \
		"$build/product/library/libdray.so" "$build/product/library/libdray.a"
}

# tested OPTION...: cases of that build.
tested()
{
	gate_build && cases "$tested_as" "$@"
}

gate_style()
{
	tested -L '^style$'
}

servers_only='^(postgresql|mysql|mariadb)$'

gate_sqlite()
{
	tested -LE "$servers_only|^(style|fault|sample|real)\$"
}

gate_contract()
{
	tested -L "$servers_only" -L '^(queue|policy|db|library)$'
}

gate_journeys()
{
	tested -L "$servers_only" -L '^journey$'
}

gate_sample()
{
	tested -L '^sample$'
}

gate_suite()
{
	find "$build/coverage" -name '*.gcda' -delete 2>/dev/null
	gate_build || return 1
	[ "$tested_as" != coverage ] || counted=true
	tested -LE '^(fault|sample)$'
}

# gate_coverage: what lines the suite has run, which runs for it if it has not.
gate_coverage()
{
	if ! $counted; then
		tested=false
		tested_as=coverage
		gate_suite || return 1
	fi
	# shellcheck disable=SC2012 # one name
	gcovr --gcov-executable "$(ls /usr/bin/llvm-cov-14 /usr/bin/llvm-cov 2>/dev/null | head -n 1) gcov" \
		--root . --object-directory "$build/coverage" --exclude tests --exclude examples \
		--exclude bench --exclude-unreachable-branches --exclude-throw-branches \
		--sort-uncovered --print-summary "$build/coverage"
}

# gate_faults: all cells; they wait more than they work.
gate_faults()
{
	gate_build && grep -q '^DRAY_FAULTS:BOOL=ON' "$build/$tested_as/CMakeCache.txt" &&
		sanitized run_cases "$build/$tested_as" -j $((2 * jobs)) --output-on-failure -R "$filter" -L '^fault$'
}

# What lies below the roles has one thread a process.
gate_tsan()
{
	make tsan && cases tsan -LE '^(db|queue|style|fuzz|command|fault|sample)$'
}

# gate_embedded: the suite of a build that has SQLite alone.
gate_embedded()
{
	cmake --preset dev -B "$build/embedded" -DDRAY_POSTGRESQL=OFF -DDRAY_MYSQL=OFF -DDRAY_FAULTS=ON \
		>"$build/embedded.log" 2>&1 || {
		cat "$build/embedded.log"
		return 1
	}
	cmake --build "$build/embedded" -j "$jobs" -- -k 0 >"$build/embedded.log" 2>&1 || {
		grep -A 20 'FAILED' "$build/embedded.log"
		return 1
	}
	(
		# shellcheck disable=SC2034 # skips.sh reads it
		backends=sqlite
		export DRAY_TEST_BACKENDS=sqlite
		unset DRAY_TEST_POSTGRESQL_URL DRAY_TEST_MYSQL_URL DRAY_TEST_MARIADB_URL
		run_cases "$build/embedded" -j $((jobs + 1)) --output-on-failure -R "$filter" -LE 'style|fuzz|fault|sample'
	)
}

# gate_lint: in the build that has the most code, that with the fault points.
gate_lint()
{
	gate_build && cmake --build "$build/$tested_as" --target lint -- -k 0
}

# gate_fuzz: three at a time; each gets a scratch corpus beside the kept seeds.
gate_fuzz()
{
	make fuzz fuzzers || return 1
	work=$build/fuzz/run
	rm -rf "$work"
	mkdir -p "$work"
	# shellcheck disable=SC2016 # the inner shell expands
	find "$build/fuzz/tests/fuzz" -maxdepth 1 -name 'fuzz_*' -type f | sort |
		xargs -P 3 -I '{}' sh -c '
			name=${1##*/fuzz_}
			mkdir "$2/$name"
			case $name in
				expand | recurring | yaml) cases=tests/unit/config_cases ;;
				*) cases= ;;
			esac
			if "$1" -max_total_time="$3" -timeout=10 -rss_limit_mb=1024 -max_len=8192 \
				-print_final_stats=1 -artifact_prefix="$2/$name-" \
				"$2/$name" "tests/fuzz/corpus/$name" $cases >"$2/$name.log" 2>&1; then
				echo "$name: $(grep -m 1 "^Done" "$2/$name.log")"
			else
				echo "$name: FAILED; the input is kept as $2/$name-*"
				tail -n 40 "$2/$name.log"
				exit 1
			fi
		' fuzz '{}' "$work" "${DRAY_FUZZ_SECONDS:-60}"
}

gate_install()
{
	make_product && sh tests/install/check.sh "$build/product"
}

gate_quickstart()
{
	sh tests/quickstart/check.sh
}

# gate_release: what gcc makes of the roles and the queue when it optimises; users get that.
gate_release()
{
	make release && cases release -L '^(queue|worker|supervisor)$'
}

# proof LABEL: of all databases side by side, for they mostly wait; what they print is shown in
# short, and whole on failure.
proof()
{
	make release || return 1
	log=$build/$1.log
	ended=0
	ctest --test-dir "$build/release" -C proof -L "$1" -j $((2 * jobs)) --no-tests=error -V >"$log" 2>&1 ||
		ended=1
	grep -E "$2" "$log" | sed 's/^[0-9]*: //'
	[ $ended -eq 0 ] || tail -n 500 "$log"
	return $ended
}

# gate_chaos: a row for each database and cell.
gate_chaos()
{
	proof chaos " lost  |($(echo "$databases" | tr ' ' '|')) .* s |SKIPPED"
}

# gate_soak: a block of figures for each database; a failure tells the seed.
gate_soak()
{
	proof soak '^[0-9]+: (soak| )'
}
