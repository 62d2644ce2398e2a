#!/bin/sh
# Everything that must hold before a change is taken; see usage below. Each gate prints what it
# does, and a table at the end says how each ended and how long it took.
set -eu
cd "$(dirname "$0")"

usage()
{
	cat <<'TEXT'
usage: ./test.sh [--quick] [--backend NAME]... [--gate NAME]... [--filter REGEX]

Installs what the tests need (Debian, Ubuntu), starts PostgreSQL, MySQL and MariaDB on the
loopback address in temporary directories, runs every gate, and stops what it started.

  --quick          one debug build and its whole suite: the gates packages, servers, suite
  --backend NAME   only this database (repeatable): sqlite, postgresql, mysql, mariadb
  --gate NAME      only this gate (repeatable): suite, embedded (a build
                   with SQLite alone), coverage, lint, asan, tsan, faults, fuzz,
                   install, quickstart, chaos, soak, oracle (the MySQL driver with
                   Oracle's client library), rails (the real Solid Queue beside dray)
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
. tests/support/gates/servers.sh
. tests/support/gates/gates.sh
. tests/support/gates/skips.sh
. tests/support/gates/oracle.sh
. tests/support/gates/rails.sh

databases="sqlite postgresql mysql mariadb"
backends=
gates=
quick=false
filter=.
while [ $# -gt 0 ]; do
	case $1 in
	--quick) quick=true ;;
	--backend | --gate | --filter)
		[ $# -gt 1 ] || { usage >&2; exit 2; }
		case $1 in
		--backend) backends="$backends $2" ;;
		--gate) gates="$gates $2" ;;
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
for name in ${gates:=suite embedded coverage lint asan tsan faults fuzz install quickstart oracle rails chaos soak}; do
	case $name in
	suite | embedded | coverage | lint | asan | tsan | faults | fuzz | install | quickstart | chaos | soak | oracle | rails) ;;
	*) usage >&2; exit 2 ;;
	esac
done

build=${DRAY_TEST_BUILD:-build}
jobs=${DRAY_TEST_JOBS:-$(nproc)}
mkdir -p "$build"
build=$(cd "$build" && pwd)

trap 'stop_servers' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

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

if $quick; then
	gate suite gate_suite dev
	conclude
fi
for name in $gates; do
	case $name in
	suite) gate suite gate_suite coverage ;;
	embedded) gate embedded gate_embedded ;;
	coverage) gate coverage gate_coverage ;;
	lint) gate lint gate_lint ;;
	asan) gate asan gate_suite asan ;;
	# What lies below the roles has one thread a process.
	tsan) gate tsan gate_suite tsan 'db|queue|style|fuzz|command' ;;
	faults) gate faults gate_faults ;;
	fuzz) gate fuzz gate_fuzz ;;
	install) gate install gate_install ;;
	quickstart) gate quickstart gate_quickstart ;;
	chaos) gate chaos gate_chaos ;;
	oracle) gate oracle gate_oracle ;;
	rails) gate rails gate_rails ;;
	soak) gate soak gate_soak ;;
	esac
done
conclude
