#!/bin/sh
# Whether a change can land; see usage below. Each gate prints what it does, and a table at the end
# says how each ended and how long it took.
set -eu
cd "$(dirname "$0")"

landing="build product style changed sqlite contract journeys sample install quickstart often"
# Those joined by + run side by side: the faults mostly wait.
every="suite coverage faults+lint+fuzz tsan embedded install quickstart oracle languages rails release chaos soak"

usage()
{
	cat <<'TEXT'
usage: ./test.sh [--all] [--gate NAME]... [--backend NAME]... [--filter REGEX]

Installs what the tests need (Debian, Ubuntu), starts PostgreSQL, MySQL and MariaDB on the
loopback address in temporary directories, runs the gates, and stops what it started.

Without an option: the gates that a change must pass to land, in about a quarter of an hour.
  build            the tests and the program, with sanitizers and fault points (clang)
  product          the program alone, as users get it (gcc, optimised)
  style            formatting and the rules of the house
  changed          clang-tidy and cppcheck on what has changed within two days
  sqlite           unit tests, and the whole suite on SQLite
  contract         queue, policy and drivers on PostgreSQL, MySQL and MariaDB
  journeys         whole deployments on these servers
  sample           of the fault suite some cells for each verb
  install          the installed program and library, as a stranger uses them
  quickstart       quickstart.sh, in a copy where nothing was built
  often            test files that have changed within two days, five times

A case that fails is run once more at the end and, if it passes then, listed as FLAKY. When all
has passed on a clean tree, build/green holds the commit.

  --all            for a release and for every night, in more than an hour: everything on all
                   databases once, in a build that counts lines. Instead of build to sample:
  suite            the whole suite on all databases
  coverage         the lines that the suite has run
  faults           all cells of the fault suite
  tsan             what has threads, with the thread sanitizer
  lint             clang-format, clang-tidy and cppcheck over all files
  embedded         a build with SQLite alone, and its suite
  fuzz             every fuzzer
  languages        the examples of docs/languages.md, in each language on each database
  oracle           the MySQL driver with Oracle's client library
  rails            the real Solid Queue beside dray
  release          queue, workers and roles in the optimised build (gcc)
  chaos            servers, networks, processes, files and clocks break
  soak             random disturbances, then a full account

By their names only, for a night:
  flakes           the landing tier's cases five times, none forgiven
  planted          faults planted in the product, each of which the landing tier must notice

  --gate NAME      only this gate (repeatable)
  --backend NAME   only this database (repeatable): sqlite, postgresql, mysql, mariadb
  --filter REGEX   of the suites, only the cases whose name matches (ctest -R)

Environment:
  DRAY_TEST_POSTGRESQL_URL, DRAY_TEST_MYSQL_URL, DRAY_TEST_MARIADB_URL
                   use this server instead of starting one; databases dray_* are made in it
  DRAY_TEST_RAILS  folder with Solid Queue's sources and an application; the gate rails is left out
                   without it
  DRAY_TEST_BUILD  where to build (default: build)
  DRAY_TEST_JOBS   how many compilers and test cases at once (default: the processors)
  DRAY_FUZZ_SECONDS  how long each fuzzer runs (default: 60)
  DRAY_SOAK_SECONDS  how long each database is disturbed in the soak (default: 120)

Exit status: 0 when every gate passed on every database asked for, otherwise 1.
TEXT
}

. tests/support/gates/packages.sh
. tests/support/gates/needs.sh
. tests/support/gates/servers.sh
. tests/support/gates/verdict.sh
. tests/support/gates/gates.sh
. tests/support/gates/changed.sh
. tests/support/gates/skips.sh
. tests/support/gates/oracle.sh
. tests/support/gates/rails.sh
. tests/support/gates/languages.sh

databases="sqlite postgresql mysql mariadb"
backends=
gates=
order= # the gates as they run: those joined by + side by side
filter=.
forgiving=true # what fails may be run once more
tested_as=tested # the preset whose cases are run
while [ $# -gt 0 ]; do
	case $1 in
	--all)
		order=$every
		gates=$(echo "$every" | tr + ' ')
		tested_as=coverage
		forgiving=false
		;;
	--backend | --gate | --filter)
		[ $# -gt 1 ] || { usage >&2; exit 2; }
		case $1 in
		--backend) backends="$backends $2" ;;
		--gate)
			gates="$gates $2"
			order="${order:+$order $2}"
			;;
		--filter) filter=$2 ;;
		esac
		shift
		;;
	--help) usage; exit 0 ;;
	*) usage >&2; exit 2 ;;
	esac
	shift
done
for backend in ${backends:=$databases}; do
	case " $databases " in
	*" $backend "*) ;;
	*) usage >&2; exit 2 ;;
	esac
done
for name in ${gates:=$landing}; do
	case " $landing $(echo "$every" | tr + ' ') flakes planted " in
	*" $name "*) ;;
	*) usage >&2; exit 2 ;;
	esac
done

build=${DRAY_TEST_BUILD:-build}
jobs=${DRAY_TEST_JOBS:-$(nproc)}
mkdir -p "$build"
build=$(cd "$build" && pwd)

trap 'stop_beside; stop_servers' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

rm -rf "${build:?}/gates"
commit=$(commit_at_hand)
gate preflight gate_preflight
[ "$failed" -eq 0 ] || conclude
gate packages gate_packages
[ "$failed" -eq 0 ] || conclude
choose_clang
servers_init
for backend in $backends; do
	case $backend in
	sqlite) running="$running sqlite" ;;
	*) gate "server $backend" gate_server "$backend" ;;
	esac
done
# A server that did not start has failed its gate; the rest is still tested on the others.
DRAY_TEST_BACKENDS=${running# }
export DRAY_TEST_BACKENDS

for names in ${order:-$gates}; do
	# shellcheck disable=SC2046 # they are several
	case $names in
	*+*) beside $(echo "$names" | tr + ' ') ;;
	*) gate "$names" "gate_$names" ;;
	esac
done
conclude
