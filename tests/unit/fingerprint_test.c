/* Which failures have the same cause: fingerprint_pairs.txt has pairs from real logs. */
#include "queue/payload/fingerprint.h"

#include "common/text/parse.h"
#include "common/text/text.h"
#include "queue/payload/cause.h"
#include "tests/support/test.h"

#define PAIRS SOURCE_DIR "/tests/unit/fingerprint_pairs.txt"

/* False, with a line on standard error, if the pair is not as its row says. */
static bool is_right(struct arena *arena, const char *want, const char *one, const char *other)
{
	const bool same = strcmp(fingerprint(arena, "E", one), fingerprint(arena, "E", other)) == 0;

	if (same == (strcmp(want, "same") == 0))
		return true;
	print_error("not %s:\n  %s\n  %s\n  %s\n  %s\n", want, one, other,
		    fingerprint_text(arena, one), fingerprint_text(arena, other));
	return false;
}

/* As the error of a command whose last line it is. */
static const char *of_command(struct arena *arena, const char *line)
{
	return cause_text(arena, "sh exited with status 3", line);
}

ARENA_CASE(messages_of_one_cause_are_one_group)
{
	char *rest = (char *)test_read_file(arena, PAIRS);
	size_t pairs = 0, wrong = 0;

	for (char *line; (line = strsep(&rest, "\n"));) {
		const char *want = strsep(&line, "\t");
		const char *one = strsep(&line, "\t");
		if (*want == '#' || !one)
			continue;
		assert_non_null(line);
		pairs++;
		wrong += !is_right(arena, want, one, line);
		wrong += !is_right(arena, want, of_command(arena, one), of_command(arena, line));
	}
	assert_true(pairs >= 200);
	assert_int_equal(wrong, 0);
}

static const struct {
	const char *message, *text;
} texts[] = {
	{ "job 17 took 1.5 s, -3", "job # took #" },
	{ "  a\t\tb \r\nsecond line", "a b" },
	{ "\n\nfirst 7", "first #" },
	{ "it isn't 'here', the users' is", "it isn't \", the users' is" },
	{ "say \"a \\\" b\" 'open", "say \" 'open" },
	{ "\033[31mError\033[0m: x", "Error: x" },
	{ "GET https://a.b/c?d=1 (e@f.de) /g/h.txt: ::1", "GET ~ (@) /: #" },
	{ "read/write error, 2 of 7", "read/write error, # of #" },
	{ "web1-17_x9", "web#_x#" },
	{ "status 404 of 12345", "status 404 of #" },
	{ "status 3: 12 files", "status 3: # files" },
	{ "response: 401 Unauthorized", "response: 401 Unauthorized" },
	{ "response took 401, of 4010", "response took #, of #" },
	{ "response: 200 ms", "response: #" },
	{ "HTTP/1.1 404 Not Found", "HTTP/1.1 404 Not Found" },
	{ "status 3: 07:12:01 failed", "status 3: # failed" },
	{ "", "" },
	{ NULL, "" },
};

ARENA_CASE(what_differs_from_run_to_run_is_marked)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_string_equal(fingerprint_text(arena, texts[i].message), texts[i].text);
}

/* They are stored: a change splits the groups that exist (FINGERPRINT_VERSION). */
ARENA_CASE(groups_stay)
{
	assert_string_equal(fingerprint(arena, "KeyError", "key not found: 17"), "9d3521a5");
	assert_string_equal(fingerprint(arena, NULL, NULL), "bfbe23f2");
	assert_string_not_equal(fingerprint(arena, "A", "x"), fingerprint(arena, "B", "x"));
}

ARENA_CASE(only_the_beginning_of_a_message_counts)
{
	char *one = arena_alloc(arena, 5000), *other = arena_alloc(arena, 5000);
	size_t fault;

	memset(one, 'x', 4999);
	one[4999] = '\0';
	memcpy(other, one, 5000);
	other[FINGERPRINT_MOST] = 'y';
	assert_string_equal(fingerprint(arena, "E", one), fingerprint(arena, "E", other));
	memcpy(one + FINGERPRINT_MOST - 1, "\u00e4", 2);
	const char *text = fingerprint_text(arena, one);
	assert_int_equal(strlen(text), FINGERPRINT_MOST - 1);
	assert_true(utf8_valid(text, strlen(text), &fault));
}

static const struct {
	const char *lines, *line;
} ends[] = {
	{ "warning\nsh: 3: foo: not found", "sh: 3: foo: not found" },
	{ "only\r\n\n", "only" },
	{ "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: x",
	  "ValueError: x" },
	{ "Exception in thread \"main\" E: x\n\tat A.b(A.java:3)\n\t... 2 more",
	  "Exception in thread \"main\" E: x" },
	{ "a.rb:1:in `f': bad (RuntimeError)\n\tfrom a.rb:3:in `<main>'",
	  "a.rb:1:in `f': bad (RuntimeError)" },
	{ "/a.js:1\n  throw e\n\nTypeError: x\n    at f (/a.js:1:1) {\n  code: 1\n}\n\nNode.js "
	  "v18.1.0",
	  "TypeError: x" },
	{ "panic: oh no\n\ngoroutine 1 [running]:\nmain.main()\n\t/a/x.go:5 +0x1d",
	  "panic: oh no" },
	{ "PHP Fatal error:  Uncaught RuntimeException: no stock in /a/x.php:3\nStack trace:\n"
	  "#0 /a/x.php(7): f()\n#1 {main}\n  thrown in /a/x.php on line 3\n",
	  "PHP Fatal error:  Uncaught RuntimeException: no stock in /a/x.php:3" },
	{ "thread 'main' panicked at src/main.rs:2:5:\nno stock\nnote: run with "
	  "`RUST_BACKTRACE=1` environment variable to display a backtrace\n",
	  "no stock" },
	{ "thread 'main' panicked at src/main.rs:2:5:\nno stock\nstack backtrace:\n"
	  "   0: rust_begin_unwind\n             at /rustc/a/std/src/panicking.rs:5:1\n"
	  "note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose "
	  "backtrace.\n",
	  "no stock" },
	{ "Error: cannot read the configuration\n\nCaused by:\n    No such file or directory (os "
	  "error 2)\n\nStack backtrace:\n   0: anyhow::error::new\n",
	  "Error: cannot read the configuration" },
	{ "a.rb:1:in `<main>': undefined method `upcas' for \"a\":String (NoMethodError)\n\n"
	  "\"a\".upcas\n   ^^^^^^\nDid you mean?  upcase\n               upcase!\n",
	  "a.rb:1:in `<main>': undefined method `upcas' for \"a\":String (NoMethodError)" },
	{ "node:internal/modules/cjs/loader:1080\n  throw err;\n  ^\n\nError: Cannot find module "
	  "'/a/y.js'\nRequire stack:\n- /a/app.js\n- /a/main.js\n    at Module._load "
	  "(node:internal/modules/cjs/loader:922:27) {\n  code: 'MODULE_NOT_FOUND',\n"
	  "  requireStack: [ '/a/app.js', '/a/main.js' ]\n}\n\nNode.js v18.1.0\n",
	  "Error: Cannot find module '/a/y.js'" },
	{ "sqlalchemy.exc.IntegrityError: (psycopg2.errors.UniqueViolation) duplicate key value "
	  "violates unique constraint \"users_pkey\"\nDETAIL:  Key (id)=(1) already exists.\n\n"
	  "[SQL: INSERT INTO users (id)\nVALUES (%(id)s)]\n[parameters: {'id': 1}]\n"
	  "(Background on this error at: https://sqlalche.me/e/20/gkpj)\n",
	  "sqlalchemy.exc.IntegrityError: (psycopg2.errors.UniqueViolation) duplicate key value "
	  "violates unique constraint \"users_pkey\"" },
	{ "sqlalchemy.exc.OperationalError: (sqlite3.OperationalError) no such table: a\n"
	  "(Background on this error at: https://sqlalche.me/e/20/e3q8)\n",
	  "sqlalchemy.exc.OperationalError: (sqlite3.OperationalError) no such table: a" },
	{ "panic: runtime error: invalid memory address or nil pointer dereference\n[signal "
	  "SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x45d5a6]\n\ngoroutine 1 "
	  "[running]:\nmain.main()\n\t/a/x.go:5 +0x1d\nexit status 2\n",
	  "panic: runtime error: invalid memory address or nil pointer dereference" },
	{ "psql:a.sql:1: ERROR:  column \"x\" does not exist\nLINE 1: SELECT x FROM users;\n"
	  "               ^\nHINT:  Perhaps you meant to reference the column \"users.y\".\n",
	  "psql:a.sql:1: ERROR:  column \"x\" does not exist" },
	{ "ERROR:  no stock\nDETAIL:  Of 17.\nCONTEXT:  SQL statement \"SELECT f()\"\nPL/pgSQL "
	  "function g() line 3 at PERFORM\n",
	  "ERROR:  no stock" },
	{ "Exception in thread \"main\" java.lang.RuntimeException: import\n\tat A.b(A.java:3)\n"
	  "Caused by: java.io.IOException: disk full\n\tat A.c(A.java:9)\n\t... 1 more\n",
	  "Caused by: java.io.IOException: disk full" },
	{ "began\n#<Order:5> is locked\n", "#<Order:5> is locked" },
	{ "HINT: ask Ann\n", "HINT: ask Ann" },
	{ "#0 {main}\n- /a/b\n", "- /a/b" },
	{ "  indented", NULL },
	{ "", NULL },
	{ NULL, NULL },
};

ARENA_CASE(the_last_line_that_says_something)
{
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		assert_true(text_same(cause_line(arena, ends[i].lines), ends[i].line));
}

ARENA_CASE(an_error_in_one_line)
{
	struct cause cause = cause_of(arena, "{\"exception_class\":\"Dray::ExitStatusError\","
					     "\"message\":\"sh exited with status 3\","
					     "\"backtrace\":[\"before\",\"why\",\"\"]}");

	assert_string_equal(cause.error_class, "Dray::ExitStatusError");
	assert_string_equal(cause.brief, "why");
	cause = cause_of(arena, "{\"exception_class\":\"KeyError\",\"message\":\"m\","
				"\"backtrace\":[\"a.rb:1\"]}");
	assert_string_equal(cause.brief, "KeyError: m");
	assert_null(cause_of(arena, "[]").brief);
	assert_null(cause_of(arena, NULL).error_class);
}
