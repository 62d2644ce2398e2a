#!/bin/sh
# From nothing to background jobs over real files: installs what is missing, builds dray, runs the
# deployment of examples/quickstart on a SQLite database in ./quickstart, and ends by itself.
set -eu
cd "$(dirname "$0")"
. tests/support/gates/packages.sh

here=$(pwd)
work=$here/quickstart
log=$work/dray.log
supervisor=

bold=
plain=
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
	bold=$(printf '\033[1m')
	plain=$(printf '\033[0m')
fi

say()
{
	printf '\n%s%s%s\n' "$bold" "$*" "$plain"
}

# stop: ends the deployment if it runs and waits for it, so that nothing stays behind.
stop()
{
	[ -n "$supervisor" ] || return 0
	kill -TERM "$supervisor" 2>/dev/null || true
	wait "$supervisor" || true
	supervisor=
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# dray ARGUMENT...: shown, then run in the deployment's folder.
dray()
{
	printf '\n%s$ dray %s%s\n' "$bold" "$*" "$plain"
	(cd "$work" && ./dray "$@")
}

# ask ARGUMENT...: run without being shown.
ask()
{
	(cd "$work" && ./dray "$@")
}

# count STATE: how many jobs are in it.
count()
{
	ask jobs --state "$1" --limit 1000 --json | grep -c '"id"' || true
}

# await_ready: until the worker and the dispatcher are there; a minute at most.
await_ready()
{
	tries=300
	while [ "$(ask processes --json | grep -c '"kind": "[WD]')" -lt 2 ]; do
		tries=$((tries - 1))
		if [ "$tries" -eq 0 ] || ! kill -0 "$supervisor" 2>/dev/null; then
			tail -n 20 "$log" >&2
			echo "The deployment does not start: $log says why." >&2
			exit 1
		fi
		sleep 0.2
	done
}

# await STATE NUMBER: until that many jobs are in the state; a minute at most.
await()
{
	deadline=$(($(date +%s) + 60))
	while [ "$(count "$1")" -lt "$2" ]; do
		kill -0 "$supervisor" 2>/dev/null || {
			tail -n 20 "$log" >&2
			echo "The deployment has ended: $log says why." >&2
			exit 1
		}
		[ "$(date +%s)" -lt "$deadline" ] || {
			echo "Not $2 jobs $1 after a minute:" >&2
			ask jobs >&2
			exit 1
		}
		sleep 0.2
	done
}

say "1. What is needed"
want_command gcc gcc
want_file /usr/include/stdlib.h libc6-dev
want_command make make
want_command cmake cmake
want_command pkg-config pkg-config
want_library sqlite3 libsqlite3-dev
want_library yaml-0.1 libyaml-dev
want_library jansson libjansson-dev
want_library ncursesw libncurses-dev
[ -n "$wanted" ] || echo "Everything is here already."
install_wanted

say "2. Build (with SQLite; PostgreSQL and MySQL join when their libraries are installed)"
mkdir -p "$work"
{
	cmake -S . -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF
	cmake --build "$work/build" -j "$(nproc)"
} >"$work/build.log" 2>&1 || built=false
if ! ${built:-true} || [ ! -x "$work/build/cli/dray" ]; then
	tail -n 30 "$work/build.log" >&2
	exit 1
fi
grep 'Database backends' "$work/build.log" | tail -n 1

say "3. A deployment in ./quickstart: configuration, a module, and a directory of real files"
rm -rf "$work/files" "$work/storage"
mkdir -p "$work/files" "$work/storage" "$work/config" "$work/lib"
cp examples/quickstart/config/*.yml "$work/config/"
ln -sf "$work/build/cli/dray" "$work/dray"
cp "$(find "$work/build/examples" -name file_jobs.so)" "$work/lib/"
cp README.md CHANGELOG.md CONTRIBUTING.md LICENSE docs/*.md "$work/files/"
ls "$work/files"

say "4. The tables, and a look at everything before it starts"
dray db migrate
dray check

say "5. Start: a supervisor, a worker and a dispatcher"
printf '\n%s$ dray start 2>dray.log &%s\n' "$bold" "$plain"
(cd "$work" && exec ./dray start 2>"$log") &
supervisor=$!
await_ready
echo "Their log: $log"

say "6. Jobs: one line of JSON each, all in one command"
for file in "$work"/files/*; do
	path=files/${file##*/}
	for class in WordCountJob ChecksumJob DigestJob CompressJob; do
		printf '{"class": "%s", "arguments": {"path": "%s"}}\n' "$class" "$path"
	done
done >"$work/jobs.ndjson"
dray enqueue --bulk jobs.ndjson
dray queues
dray enqueue LongestLineJob path=files/README.md --in 3s
dray enqueue FolderSizeJob path=files --priority 20
total=$(($(wc -l <"$work/jobs.ndjson") + 2))

say "7. And one that cannot succeed yet: its file is missing"
dray enqueue CompareJob left=files/LICENSE right=files/LICENSE.copy
await failed 1
dray jobs --state failed
failed=$(ask jobs --state failed --json | sed -n 's/.*"id": *\([0-9]*\).*/\1/p' | head -n 1)
dray job "$failed"
printf '\nSo the file is put there, and the job is tried again:\n'
cp "$work/files/LICENSE" "$work/files/LICENSE.copy"
dray retry "$failed"
await finished $((total + 1))

say "8. All done: $((total + 1)) jobs"
dray processes
dray jobs --state finished --limit 5
say "9. Stop: what runs is finished first"
stop

cat <<TEXT

Next, in ./quickstart (remove the folder to forget everything):
  ./dray start                                     the deployment again; Ctrl-C stops it
  ./dray enqueue WordCountJob path=/etc/passwd     another job, from another terminal
  ./dray jobs                                      what has become of all of them
  \$EDITOR config/jobs.yml                          a class of your own: any command will do
  DRAY_QUICKSTART_DATABASE=postgres://... ./dray start --migrate
                                                   the same on PostgreSQL (or mysql://...), once
                                                   dray is built with its library: libpq-dev
TEXT
