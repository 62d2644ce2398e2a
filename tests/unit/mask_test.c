#include "common/text/parse.h"
#include "tests/support/test.h"

static const struct {
	const char *url, *masked;
} cases[] = {
	{ "", "" },
	{ "sqlite3:storage/dray.sqlite3", "sqlite3:storage/dray.sqlite3" },
	{ "sqlite3:/home/me@work/x.sqlite3", "sqlite3:/home/me@work/x.sqlite3" },
	{ "postgres://host/db", "postgres://host/db" },
	{ "postgres://host:5432/db", "postgres://host:5432/db" },
	{ "postgres://h1:1,h2:2,[::1]:3/db?x=a@b", "postgres://h1:1,h2:2,[::1]:3/db?x=a@b" },
	{ "postgres://[::1]:5432/db", "postgres://[::1]:5432/db" },
	{ "postgres://%2Frun%2Fpg:5432/db", "postgres://%2Frun%2Fpg:5432/db" },
	{ "postgres://me@host/db", "postgres://me@host/db" },
	{ "postgres://me:pw@host:5432/db", "postgres://me:***@host:5432/db" },
	{ "postgres://me:p%40w%3a@host/db", "postgres://me:***@host/db" },
	{ "mysql://me:pw@[::1]:3306/db", "mysql://me:***@[::1]:3306/db" },
	{ "mysql://me:@host/db", "mysql://me:@host/db" }, /* nothing to hide, and worth seeing */
	{ "mysql://:pw@host/db", "mysql://:***@host/db" },
	/* Malformed, and so all the more likely to be shown in a message. */
	{ "mysql://me:p@s@host/db", "mysql://me:***@host/db" },
	{ "mysql://me:p:s@host/db", "mysql://me:***@host/db" },
	{ "mysql://me:p/s@host/db", "mysql://me:***@host/db" },
	{ "mysql://me:p?s@host/db", "mysql://me:***@host/db" },
	{ "mysql://me:p#s@host/db", "mysql://me:***@host/db" },
	{ "mysql://me:p?a=s@host/db", "mysql://me:***@host/db" },
	{ "mysql://me:secret", "mysql://me:***" },
	{ "mysql://me:secret/db", "mysql://me:***" },
	{ "mysql:me:pw@host/db", "mysql:***@host/db" },
	{ "me:pw@host/db", "me:***@host/db" },
	/* Parameters. */
	{ "postgres://host/db?password=pw", "postgres://host/db?password=***" },
	{ "postgres://host/db?password=p@w&user=me", "postgres://host/db?password=***&user=me" },
	{ "postgres://h/d?a=1&sslpassword=pw&b=2", "postgres://h/d?a=1&sslpassword=***&b=2" },
	{ "postgres://h/d?PassWord=pw", "postgres://h/d?PassWord=***" },
	{ "postgres://h/d?pass%77ord=pw&b=2", "postgres://h/d?pass%77ord=***&b=2" },
	{ "postgres://h/d?password=", "postgres://h/d?password=" },
	{ "postgres://h/d?passfile=/x&user=a", "postgres://h/d?passfile=/x&user=a" },
	{ "postgres://me:a@h/d?password=b", "postgres://me:***@h/d?password=***" },
	{ "sqlite3:x.db?password=pw", "sqlite3:x.db?password=***" },
	/* libpq's keywords. */
	{ "host=h password=pw dbname=d", "host=h password=*** dbname=d" },
	{ "host=h password = pw dbname=d", "host=h password = *** dbname=d" },
	{ "password='p w\\' x' host=h", "password=*** host=h" },
	{ "password=p\\ w&x host=h", "password=*** host=h" },
	{ "password='open", "password=***" },
	{ "password=x\\", "password=***" },
	{ "user=password host=h", "user=password host=h" },
	{ "dbname=postgres://u:p@h/d sslpassword=x",
	  "dbname=postgres://u:***@h/d sslpassword=***" },
	{ "bad\nline\x1b[31m", "bad?line?[31m" },
};

CASE(test_mask)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char out[200];
		url_mask(cases[i].url, out, sizeof(out));
		assert_string_equal(out, cases[i].masked);
	}
}

/* In every size: ended, never past the end, and what was there before is not seen. */
CASE(test_bounds)
{
	const char *url = "postgres://me:sesame@host:5432/db?password=sesame";
	const char *whole = "postgres://me:***@host:5432/db?password=***";
	for (size_t size = 1; size < 60; size++) {
		char out[64];
		memset(out, 'x', sizeof(out));
		url_mask(url, out, size);
		size_t length = strnlen(out, sizeof(out));
		assert_int_equal(length, size - 1 < strlen(whole) ? size - 1 : strlen(whole));
		assert_memory_equal(out, whole, length);
		assert_int_equal(out[size], 'x');
	}
	char none = 'x';
	url_mask(url, &none, 0);
	assert_int_equal(none, 'x');
	url_mask(NULL, &none, 1);
	assert_int_equal(none, '\0');
}
