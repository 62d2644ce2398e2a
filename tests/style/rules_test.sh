#!/bin/sh
# Each rule is run over a small tree that breaks it once and must then fail, naming the place.
set -eu
rules=$(cd "$(dirname "$0")" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# plant FILE TEXT: writes the file of the tree, printf's escapes expanded.
plant()
{
	mkdir -p "$tree/$(dirname "$1")"
	printf '%b' "$2" >"$tree/$1"
}

# refuses RULE TEXT: over the planted tree RULE fails and prints TEXT; then the tree is emptied.
refuses()
{
	code=0
	output=$(cd "$tree" && sh "$rules/$1.sh" 2>&1) || code=$?
	if [ "$code" -eq 77 ]; then
		echo "$1: $output"
	elif [ "$code" -ne 1 ] || ! printf '%s\n' "$output" | grep -qF "$2"; then
		printf '%s accepted what it must refuse (%s), or said otherwise:\n%s\n' "$1" "$2" "$output"
		failures=$((failures + 1))
	fi
	find "$tree" -mindepth 1 -delete
}

plant queue/a.c '#include "worker/state.h"\n'
refuses includes 'queue/a.c:1: queue/ may not include "worker/state.h"'
plant worker/a.c '#include "config/config.h"\n#include "config/yaml/yaml.h"\n'
refuses includes 'worker/a.c:2: worker/ may not include "config/yaml/yaml.h"'
plant policy/a.c '#include "queue/loss.h"\n#include "worker/state.h"\n'
refuses includes 'policy/a.c:2: policy/ may not include "worker/state.h"'
plant process/a.c '#include "queue/processes/loss.h"\n#include "supervisor/roles.h"\n'
refuses includes 'process/a.c:2: process/ may not include "supervisor/roles.h"'
plant cli/a.c '#include "supervisor/supervisor.h"\n#include "supervisor/healing.h"\n'
refuses includes 'cli/a.c:2: cli/ may not include "supervisor/healing.h"'
plant db/sqlite/sqlite.c '#include <sqlite3.h>\n'
plant db/other/other.c '#include <sqlite3.h>\n'
refuses includes 'db/other/other.c:1:'

# shellcheck disable=SC2016 # Markdown's backquotes
plant docs/internals/a.md '| `queue/claim/` | what |\n|---|---|\n| `claim.c` | x |\n| `gone.c` | x |\n'
plant queue/claim/claim.h '/* queue/claim/: jobs to workers. */\n'
plant queue/claim/claim.c 'int a;\n'
refuses rooms 'docs/internals/a.md:4: there is no queue/claim/gone.c'
plant queue/claim/claim.h '/* queue/claim/: jobs to workers. */\n'
refuses rooms 'queue/claim/claim.h: no table of docs/internals names it'
plant queue/claim/claim.h '/* Jobs to workers. */\n'
refuses rooms 'queue/claim/: no file begins with "queue/claim/: "'
for i in $(seq 26); do plant "common/a$i.c" ''; done
refuses rooms 'common/: 26 files, at most 25'

plant tests/wording.txt 'a.said\n\tIt is.\n\nb.gone\n\tIt was.\n'
plant tests/a_test.c 'assert_wording("a.said", text);\n'
refuses wording "tests/wording.txt:4: no case looks for 'b.gone'"

plant common/a.c 'static int own;\n\nint one(int a,\n\tint b)\n{\n\treturn two() + own;\n}\n'
plant common/b.c 'int own(void)\n{\n\treturn three[0].next();\n}\n\nint two(void)\n{\n\treturn own();\n}\n'
plant common/c.c 'const struct row three[] = {\n\t{ "one", one },\n};\n'
refuses circles 'common/b.c:3: calls three of common/c.c, which leads back to it'
plant common/a.c "$(yes "/* */" | head -n 1001)\n"
refuses sizes 'common/a.c:1: 1001 lines'
if ctags --version 2>/dev/null | grep -q Universal; then
	plant common/a.c "int main(void)\n{\n$(yes ';' | head -n 60)\n}\n"
	refuses sizes 'common/a.c:1: main: 63 lines'
fi

plant db/sql/a.sql '-- a()\n-- TO''DO\n'
refuses words 'db/sql/a.sql:2:'
plant CHANGELOG.md '- One.\n<<<''<<<< HEAD\n'
refuses words 'CHANGELOG.md:2:'
plant queue/a.c '/* Who''ever waits. */\n'
refuses words 'queue/a.c:1:'

plant queue/a.c '\nrun("DELETE FROM solid_queue_jobs");\n'
refuses sql 'queue/a.c:2:'
plant queue/a.c '\n\tcall = DB_CALL(claim, .now = now);\n'
refuses sql 'queue/a.c:2:'
plant queue/a.c '\treturn DB_CALL(claim, .now = now);\n'
refuses sql 'queue/a.c:1:'
plant db/sql/claim.sql 'SELECT 1;\n'
refuses sql 'db/sql/claim.sql:1: expected the signature "-- claim('
plant db/sql/claim.mysql.sql '-- claim.mysql()\nSELECT 1;\n'
refuses sql 'db/sql/claim.mysql.sql:1: a name has letters'
plant db/sql/claim.sql '-- claim()\n\n-- @mysql\nSELECT 1;\n\n-- @sqlite @mysql\nSELECT 2;\n'
refuses sql 'db/sql/claim.sql:6: @mysql has two sections'
plant db/sql/claim.sql '-- claim()\n\n-- @oracle\nSELECT 1;\n'
refuses sql 'db/sql/claim.sql:3: a section is'

plant db/sql/claim/fragments.sql '-- @fragment next\n-- @mysql\nr.id\n'
refuses sql 'db/sql/claim/fragments.sql:3: expected a sentence'
plant db/sql/claim/fragments.sql '-- @fragment next\n-- The next one.\nr.id\n'
refuses sql 'db/sql/claim/fragments.sql:1: no script includes next'

plant common/a.c 'int  a;\n'
cp "$rules/../../.clang-format" "$tree"
refuses format 'common/a.c:1:'

plant common/a.c 'int a;\n'
plant tests/planted/01_b.patch '--- a/common/a.c\n+++ b/common/a.c\n@@ -1 +1 @@\n-int b;\n+int c;\n'
refuses planted 'tests/planted/01_b.patch:1: does not apply'

# catalogue LEVELS NAME...: a catalogue of errors with a row for each of these.
catalogue()
{
	levels=$1
	shift
	plant docs/errors.md "$(printf "| \`%s\` | $levels | what | why |\\\\n" "$@")"
}

plant worker/a.c '\tlog_event(LOG_WARN, ok ? "job.told" : "job.odd",\n\t\t  LOG_TEXT("a", "b.c"));\n'
catalogue warn job.told
refuses errors 'worker/a.c:1: log event job.odd is not in docs/errors.md'
plant worker/a.c '\tlog_event(\n\t\tLOG_WARN, "job.told", LOG_END);\n'
catalogue 'info, debug' job.told job.odd
refuses errors 'worker/a.c:1: log event job.told is warn, docs/errors.md says otherwise'
plant worker/a.c '\tlog_event(LOG_WARN, "job.told", LOG_END);\n'
catalogue warn job.told job.odd
refuses errors 'docs/errors.md: log event job.odd is not in the code'
plant worker/a.c '\tlog_event(level, name, LOG_END);\n'
refuses errors 'worker/a.c:1: the name of a log event is not in the call'
plant common/log/log.c '\tstatic const char *const reserved[] = { "time", "pid" };\n'
plant worker/a.c '\tlog_event(LOG_WARN, "job.told", LOG_TEXT("a", "pid"),\n\t\t  LOG_INT("pid", pid));\n'
catalogue warn job.told
refuses errors 'worker/a.c:2: each line of the log has a "pid" of its own'
plant worker/a.c '\tslot_fail(slot, "Dray::OddError", text);\n'
refuses errors 'worker/a.c:1: class Dray::OddError is not in docs/errors.md'
plant worker/a.c 'int a;\n'
catalogue warn Dray::OddError
refuses errors 'docs/errors.md: class Dray::OddError is not in the code'
plant common/process.h 'enum exit_code {\n\tEXIT_ODD = 9,\n};\n'
catalogue warn 0
refuses errors 'common/process.h:2: exit status 9 is not in docs/errors.md'

# shellcheck disable=SC2016 # the $1 belongs to the planted script
plant test.sh '#!/bin/sh\necho $1\n'
refuses scripts 'test.sh:2:'

# shellcheck disable=SC2016 # Markdown's backquotes
plant docs/a.md 'Not `[code](none.md)`, but\n[b](../docs/b.md), [other](https://example.com/#x) and [c](c.md).\n'
plant docs/b.md '# One\n'
refuses links 'docs/a.md:2: there is no docs/c.md'
plant docs/a.md '[one](b.md#one-1) [two](b.md#two)\n[here](#three)\n'
# shellcheck disable=SC2016 # Markdown's backquotes
plant docs/b.md '# `One`\n```\n# Two\n```\n## One\n'
refuses links 'docs/a.md:1: docs/b.md has no #two'
plant README.md '# First\n\n[first](#first) <a id="more"></a>[more](#more)\n[old](#second)\n'
refuses links 'README.md:4: README.md has no #second'

# A page with one section and the row CC1, and a test file: what follows is appended to either.
plant_codes()
{
	plant docs/internals/solid-queue.md "## 2. What\n| code | what | test |\n|---|---|---|\n$1"
	plant tests/queue/a_test.c "$2\nstatic void one(void **state)\n"
}
good="| CC1 | it holds | \`queue.a\` \`one\` |\\n"
plant_codes "$good" '/* CC1 and CC2 */'
refuses codes 'tests/queue/a_test.c:1: CC2 is not in docs/internals/solid-queue.md'
plant_codes "$good" '/* CC1 to CC3 */'
refuses codes 'tests/queue/a_test.c:1: CC2 is not in docs/internals/solid-queue.md'
plant_codes "$good" '/* CC1 */\nstatic void test_re3_a_limit(void **state)'
refuses codes 'tests/queue/a_test.c:2: RE3 is not in docs/internals/solid-queue.md'
plant_codes "$good" '/* CC1, defect 7 */'
refuses codes 'tests/queue/a_test.c:1: defect 7 is not in docs/internals/solid-queue.md'
plant_codes "$good" '/* CC1; solid-queue.md, 2.4 */'
refuses codes 'tests/queue/a_test.c:1: section 2.4 is not in docs/internals/solid-queue.md'
plant_codes "$good" '/* nothing */'
refuses codes 'CC1: tests/queue/a_test.c does not name it'
plant_codes "| CC1 | it holds | \`queue.a\` \`two\` |\\n" '/* CC1 */'
refuses codes 'CC1: tests/queue/a_test.c has no case two'
plant_codes "| CC1 | it holds | \`queue.a\` |\\n" '/* CC1 */'
refuses codes 'CC1: no case is named'
plant_codes "| CC1 | it holds | \`queue.b\` \`one\` |\\n" '/* CC1 */'
refuses codes 'CC1: there is no queue.b'
plant_codes '| CC1 | it holds | Not in dray: |\n' '/* CC1 */'
refuses codes 'CC1: neither a test nor a reason'
plant_codes "$good$good" '/* CC1 */'
refuses codes 'CC1: stands twice'

[ "$failures" -eq 0 ] || exit 1
echo "every rule refuses what it should"
