#!/bin/sh
# check.sh BUILD: installs a build into a temporary prefix and uses what lies there as a stranger
# would: the command, the library by pkg-config (shared and static), and the examples of a module and
# of a client built against it.
set -eu
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
prefix=$(mktemp -d "${TMPDIR:-/tmp}/dray-install-XXXXXX")
trap 'rm -rf "$prefix"' EXIT

fail()
{
	echo "install: $*" >&2
	exit 1
}

cmake --install "$build" --prefix "$prefix" >"$prefix/log" || fail "$(cat "$prefix/log")"
libraries=$(dirname "$(find "$prefix" -name 'libdray.so')")
export PKG_CONFIG_PATH="$libraries/pkgconfig" LD_LIBRARY_PATH="$libraries"

for file in bin/dray include/dray.h share/man/man1/dray.1 share/man/man3/dray.3 \
	share/bash-completion/completions/dray share/zsh/site-functions/_dray \
	share/fish/vendor_completions.d/dray.fish; do
	[ -f "$prefix/$file" ] || fail "$file is missing"
done
for file in libdray.so libdray.a pkgconfig/dray.pc; do
	[ -f "$libraries/$file" ] || fail "$file is missing"
done

# unit FILE NAME: the value of a setting of an installed unit.
unit()
{
	sed -n "s/^$2=//p" "$units/$1"
}

# The units are for the prefix that was said when they were installed, and what they set makes the
# program read all three files, of which the last may be missing. A watcher, which runs no jobs, has
# one file of its own and no other.
cmake --install "$build" --prefix "$prefix" --component systemd >"$prefix/log" ||
	fail "$(cat "$prefix/log")"
units=$(dirname "$(find "$prefix" -name dray.service)")
for file in "$source"/packaging/systemd/*.service.in; do
	file=$(basename "$file" .in)
	case $(unit "$file" ExecStart) in
	"$prefix/bin/dray "*" --wait") ;;
	*) fail "$file starts $(unit "$file" ExecStart)" ;;
	esac
	environment=$(unit dray.service Environment)
	[ "$file" != dray-watch.service ] ||
		environment=$(printf '%s\n' DRAY_ENV=production DRAY_CONFIG=/etc/dray/watch.yml)
	[ "$(unit "$file" Environment)" = "$environment" ] || fail "$file has another environment"
done
for folder in sysusers.d tmpfiles.d; do
	[ -f "$prefix/lib/$folder/dray.conf" ] || fail "lib/$folder/dray.conf is missing"
done
# The user and the folders that the units need, in a host of its own.
if [ "$(id -u)" -eq 0 ] && command -v systemd-sysusers >/dev/null && command -v systemd-tmpfiles >/dev/null; then
	mkdir -p "$prefix/host/etc"
	systemd-sysusers --root="$prefix/host" "$prefix/lib/sysusers.d/dray.conf" >"$prefix/log" 2>&1 ||
		fail "$(cat "$prefix/log")"
	systemd-tmpfiles --root="$prefix/host" --create "$prefix/lib/tmpfiles.d/dray.conf" >"$prefix/log" 2>&1 ||
		fail "$(cat "$prefix/log")"
	[ "$(stat -c %u:%g "$prefix/host/var/lib/dray")" = \
		"$(sed -n 's/^dray:[^:]*:\([0-9]*:[0-9]*\):.*/\1/p' "$prefix/host/etc/passwd")" ] ||
		fail "/var/lib/dray is not the user's"
	[ -d "$prefix/host/etc/dray" ] || fail "/etc/dray was not made"
fi
settings=$(unit dray.service Environment | sed "s|/etc/dray|$prefix/etc|")

# checked STATE: what `dray check` says of recurring.yml with the units' environment.
checked()
{
	# shellcheck disable=SC2086 # settings
	env $settings "$prefix/bin/dray" check --no-database >"$prefix/log" 2>&1 ||
		fail "$(cat "$prefix/log")"
	grep "^recurring.yml  *$prefix/etc/recurring.yml  *$1  *DRAY_RECURRING *$" "$prefix/log" ||
		fail "recurring.yml, expected \"$1\": $(cat "$prefix/log")"
}

mkdir "$prefix/etc"
printf 'production: {}\n' >"$prefix/etc/queue.yml"
printf 'jobs:\n  A: {command: ["true"]}\n' >"$prefix/etc/jobs.yml"
checked 'does not exist'
printf 'production:\n  backup: {command: "true", schedule: every day}\n' >"$prefix/etc/recurring.yml"
checked read
# shellcheck disable=SC2086 # settings
env $settings "$prefix/bin/dray" db migrate --quiet --database "sqlite3:$prefix/units.sqlite3"
# shellcheck disable=SC2086
env $settings "$prefix/bin/dray" recurring list --database "sqlite3:$prefix/units.sqlite3" |
	grep -q backup || fail "the units' environment knows no task of recurring.yml"

"$prefix/bin/dray" version
for file in "$prefix/bin/dray" "$libraries/libdray.so"; do
	dynamic=$(readelf -dW "$file")
	case $dynamic in
	*RPATH* | *RUNPATH*) fail "$file has a run path" ;;
	esac
	case $dynamic in
	*BIND_NOW*) ;;
	*) fail "$file is bound lazily" ;;
	esac
	readelf -lW "$file" | grep -q GNU_RELRO || fail "$file has no read-only relocations"
	[ "$(uname -m)" != x86_64 ] || readelf -nW "$file" | grep -q SHSTK ||
		fail "$file may have no shadow stack"
done
readelf -hW "$prefix/bin/dray" | grep -q 'DYN' || fail "dray is not position-independent"

database=sqlite3:$prefix/jobs.sqlite3
"$prefix/bin/dray" db migrate --quiet --database "$database"
cc=${CC:-cc}
consumer=$source/tests/install/consumer.c
# shellcheck disable=SC2046 # options
$cc -Wall -Wextra -Werror -o "$prefix/shared" "$consumer" $(pkg-config --cflags --libs dray)
"$prefix/shared" "$database"
# The archive holds all of dray; the libraries that dray uses are still shared ones.
# shellcheck disable=SC2046
$cc -Wall -Wextra -Werror -o "$prefix/static" "$consumer" $(pkg-config --cflags dray) \
	$(pkg-config --static --libs dray | sed 's/-ldray/-l:libdray.a/')
LD_LIBRARY_PATH='' "$prefix/static" "$database"

# example NAME FILE: builds it against the installation, where it must leave this file.
example()
{
	{
		cmake -S "$source/examples/$1" -B "$prefix/$1" && cmake --build "$prefix/$1"
	} >"$prefix/log" 2>&1 || fail "$(tail -n 20 "$prefix/log")"
	find "$prefix/$1" -name "$2" | grep -q . || fail "examples/$1 made no $2"
}

example module file_jobs.so
example enqueue enqueue_files
"$prefix/enqueue/enqueue_files" "$database" "$source/examples/enqueue"
example recurring report_times
"$prefix/recurring/report_times" "$database" set ada "every weekday at 9am" Europe/Madrid
echo "install: command, units, library (shared and static), examples"
