#!/bin/sh
# Every message of tests/wording.txt is one that a case looks for.
. "$(dirname "$0")/files.sh"

grep -n '^[^	]' tests/wording.txt | while IFS=: read -r line name; do
	grep -rqF --include='*.c' "\"$name\"" tests ||
		echo "tests/wording.txt:$line: no case looks for '$name'" >>"$findings"
done

conclude "every message of tests/wording.txt is looked for"
