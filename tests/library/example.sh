#!/bin/sh
# example.sh DRAY ENQUEUE_FILES: the example enqueues a job for every file of a directory, whatever
# its name.
set -eu
dray=$1
enqueue_files=$2
directory=$(mktemp -d "${TMPDIR:-/tmp}/dray-example-XXXXXX")
trap 'rm -rf "$directory"' EXIT
database=sqlite3:$directory/jobs.sqlite3

"$dray" db migrate --quiet --database "$database"
mkdir "$directory/files" "$directory/files/folder"
for name in plain 'with "quotes"' 'back\slash' 'tab	stop'; do
	echo "$name" >"$directory/files/$name"
done
for number in $(seq 600); do
	: >"$directory/files/$number"
done

output=$("$enqueue_files" "$database" "$directory/files" sums)
[ "$output" = "604 jobs, from 1 to 604" ] || { echo "it said: $output"; exit 1; }
count=$("$dray" jobs --database "$database" --queue sums --limit 1000 --json | grep -c ChecksumJob)
[ "$count" -eq 604 ] || { echo "dray jobs lists $count"; exit 1; }

code=0
"$enqueue_files" "sqlite3:$directory" "$directory/files" 2>"$directory/errors" || code=$?
[ "$code" -eq 3 ] || { echo "exit status $code without a database"; exit 1; }
grep -q '(down)' "$directory/errors" || { cat "$directory/errors"; exit 1; }
