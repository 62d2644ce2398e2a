/* Database URLs: every part, every mistake, and that no mistake repeats a secret. */
#include "common/text/text.h"
#include "db/driver.h"
#include "db/url.h"
#include "tests/support/test.h"

/* The scheme, and each part that is there; an option where the test looks at one. */
static const struct {
	const char *text, *parts, *option, *value;
} good[] = {
	{ "sqlite3:storage/dray.sqlite3", "sqlite3 path=storage/dray.sqlite3" },
	{ "sqlite3:///var/lib/a%20b.db", "sqlite3 path=/var/lib/a b.db" },
	{ "sqlite3://relative.db", "sqlite3 path=relative.db" },
	{ "sqlite3://../1.2", "sqlite3 path=../1.2" },
	{ "sqlite3://./storage/x", "sqlite3 path=./storage/x" },
	{ "sqlite3:storage/x", "sqlite3 path=storage/x" },
	{ "sqlite3:a:b@c#d.db?synchronous=normal", "sqlite3 path=a:b@c#d.db", "synchronous",
	  "normal" },
	{ "MySQL://root@127.0.0.1:54401/jobs",
	  "mysql user=root host=127.0.0.1 port=54401 path=jobs" },
	{ "mysql://a%40b:p%2F%3a%23%3f@db.example/j?charset=utf8mb4&socket=%2Frun%2Fs",
	  "mysql user=a@b password=p/:#? host=db.example path=j", "socket", "/run/s" },
	{ "mysql://u:a:b@[::1]:3306/d", "mysql user=u password=a:b host=::1 port=3306 path=d" },
	{ "mysql://u:p@ss@[fe80::1]/d", "mysql user=u password=p@ss host=fe80::1 path=d" },
	{ "mysql://u:@h:/d", "mysql user=u password= host=h path=d" },
	{ "mysql:///d", "mysql path=d" },
	{ "mysql://h", "mysql host=h" },
	{ "mysql://h/", "mysql host=h" },
	{ "mysql://h?a=1&a=2", "mysql host=h", "a", "2" },
	{ "mysql://h/d?x=", "mysql host=h path=d", "x", "" },
	{ "mysql://h/d?x=a@b/c", "mysql host=h path=d", "x", "a@b/c" },
	{ "mysql://h/d?", "mysql host=h path=d", "x", NULL },
	{ "postgres://u@h1:5432,h2:5433/d", "postgres user=u host=h1:5432,h2:5433 path=d" },
	{ "postgresql://u:a#b?c@h/d", "postgresql user=u password=a#b?c host=h path=d" },
	{ "postgres://%2Frun%2Fpg/d", "postgres host=/run/pg path=d" },
	{ "postgres://", "postgres" },
};

static void add_part(struct text *parts, const char *name, const char *value)
{
	if (value)
		text_printf(parts, " %s=%s", name, value);
}

ARENA_CASE(takes_urls_apart)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		struct text parts = { 0 };
		struct db_url url;

		must(url_parse, arena, good[i].text, &url);
		assert_string_equal(url.text, good[i].text);
		text_add(&parts, url.scheme);
		add_part(&parts, "user", url.user);
		add_part(&parts, "password", url.password);
		add_part(&parts, "host", url.host);
		add_part(&parts, "port", url.port ? arena_printf(arena, "%d", url.port) : NULL);
		add_part(&parts, "path", url.path);
		assert_string_equal(text_take(&parts, arena), good[i].parts);
		if (good[i].option)
			assert_true(text_same(url_option(&url, good[i].option), good[i].value));
	}
}

/* Only a file has a relative path. */
ARENA_CASE(below_a_folder)
{
	static const char *const urls[][2] = {
		{ "sqlite3:a/b%20c?synchronous=normal", "sqlite3:/var/a/b%20c?synchronous=normal" },
		{ "SQLite://a", "sqlite:/var/a" },
		{ "sqlite3:/a", "sqlite3:/a" },
		{ "sqlite3:", "sqlite3:" },
		{ "mysql://h/d", "mysql://h/d" },
		{ "nothing", "nothing" },
	};

	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++)
		assert_string_equal(db_url_below(arena, urls[i][0], "/var"), urls[i][1]);
}

static const struct {
	const char *text;
	const char *expected; /* part of the message */
} bad[] = {
	{ "", "scheme: expected sqlite3:PATH" },
	{ "storage/dray.sqlite3", "scheme: expected sqlite3:PATH" },
	{ "://h/d", "scheme: expected sqlite3:PATH" },
	{ "my sql://h/d", "scheme: expected sqlite3:PATH" },
	{ "mysql:h/d", "scheme: expected '//'" },
	{ "sqlite3:", "path: expected sqlite3:PATH" },
	{ "sqlite3://?a=b", "path: expected sqlite3:PATH" },
	{ "sqlite3://localhost/x", "host: a file has none: expected sqlite3:PATH" },
	{ "sqlite3://db.example.com/x", "host: a file has none" },
	{ "sqlite3://db-1/var/lib/x?mode=0600", "host: a file has none" },
	{ "sqlite3://storage/x", "host: a file has none: expected sqlite3:PATH, such as "
				 "sqlite3:storage/x" },
	{ "sqlite://127.0.0.1/x", "host: a file has none" },
	{ "sqlite3://h:1/x", "host: a file has none" },
	{ "sqlite3://[::1]/x", "host: a file has none" },
	{ "sqlite3://u:s3cret@h/x", "host: a file has none" },
	{ "sqlite3:a%0", "path: expected two hexadecimal" },
	{ "sqlite3:a%00b", "path: %00" },
	{ "mysql://u:s3cret@h:99999/d", "port: expected a number" },
	{ "mysql://u:s3cret@h:0/d", "port: expected a number" },
	{ "mysql://u:s3cret@h:+1/d", "port: expected a number" },
	{ "mysql://u:s3cret@h:12x/d", "port: expected a number" },
	{ "mysql://u:s3cret/x@h/d", "as %2F" },
	{ "postgres://u:s3c@ret@h/d", "as %40" },
	{ "postgres://u:a@s3cret@h,h2/d", "as %40" },
	{ "mysql://u:s3cret?x@h/d", "as %2F" },
	{ "mysql://u:1#s3cret@h/d", "as %23" },
	{ "mysql://u:s3cret%zz@h/d", "password: expected two hex" },
	{ "mysql://s3cret%4", "host: expected two hex" },
	{ "mysql://u%:s3cret@h/d", "user: expected two hex" },
	{ "mysql://u:s3cret%00@h/d", "password: %00" },
	{ "mysql://u:s3cret@[::1/d", "host: expected [address]" },
	{ "mysql://u:s3cret@[]/d", "host: expected [address]" },
	{ "mysql://u:s3cret@[::1]x/d", "host: expected [address]" },
	{ "mysql://u:s3cret@h/d?s3cret", "options: expected name=value" },
	{ "mysql://u:s3cret@h/d?=s3cret", "options: expected name=value" },
	{ "mysql://u:s3cret@h/d?&a=1", "options: expected name=value" },
	{ "mysql://u:1?s3cret@h/d=x", "options: expected name=value" },
	{ "mysql://u:s3cret@h/d?a=%1s3cr", "a: expected two hexadecimal" },
	{ "postgres:h/d", "scheme: expected '//'" },
	{ "postgres://u:s3cret@h:x/d", "port: expected a number" },
};

ARENA_CASE(refuses_mistakes_without_secrets)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct db_url url = { .scheme = "untouched" };
		struct error error = { 0 };

		assert_int_equal(url_parse(arena, bad[i].text, &url, &error), STATUS_INVALID);
		if (strstr(error.text, bad[i].expected) == NULL)
			fail_msg("%s: said '%s', expected '%s'", bad[i].text, error.text,
				 bad[i].expected);
		assert_null(strstr(error.text, "s3cr"));
		assert_string_equal(url.scheme, "untouched");
	}
}

ARENA_CASE(takes_very_long_urls)
{
	struct db_url url;
	char *text = arena_alloc(arena, 1 << 17);
	size_t used = 0;

	used += (size_t)snprintf(text, 1 << 17, "mysql://h/d?");
	while (used < (1 << 17) - 8) {
		used += (size_t)snprintf(text + used, (1 << 17) - used, "a=%%41&");
	}
	must(url_parse, arena, text, &url);
	assert_string_equal(url_option(&url, "a"), "A");
	assert_true(url.option_count > 10000);
}

static bool is_built_in(const char *driver)
{
	return strstr(db_backends(), driver) != NULL;
}

/* A scheme leads to its driver; without that the message says so, and not that it is unknown. */
CASE(each_scheme_has_its_driver)
{
	static const char *const schemes[][2] = {
		{ "sqlite3", "sqlite3" },     { "sqlite", "sqlite3" },
		{ "postgres", "postgresql" }, { "postgresql", "postgresql" },
		{ "mysql", "mysql" },         { "mysql2", "mysql" },
		{ "mariadb", "mysql" },       { "trilogy", "mysql" },
		{ "postgis", "postgresql" },
	};

	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		const struct driver *driver = NULL;
		struct error error = { 0 };
		enum status status = driver_find(schemes[i][0], &driver, &error);

		if (is_built_in(schemes[i][1])) {
			assert_int_equal(status, STATUS_OK);
			assert_string_equal(driver->name, schemes[i][1]);
		} else {
			assert_int_equal(status, STATUS_INVALID);
			assert_non_null(strstr(error.text, "built without"));
		}
	}
}

static const struct {
	const char *driver, *text;
	bool refused;
} rails[] = {
	{ "postgresql", "postgres://h/d?pool=5&encoding=unicode&reconnect=true" },
	{ "postgresql", "postgis://h/d?schema_search_path=a,public&max_connections=5" },
	{ "postgresql", "postgres://h/d?pool=5&sslmode=require&prepared_statements=false" },
	{ "postgresql", "postgres://h/d?min_threads=1&max_threads=5&checkout_timeout=5" },
	{ "postgresql", "postgres://h/d?variables[lock_timeout]=5s&idle_timeout=9" },
	{ "postgresql", "postgres://h/d?variables%5Bx%5D=5&sslmode=require&advisory_locks=false" },
	{ "postgresql", "postgres://h/d?pooll=5", true },
	{ "postgresql", "postgres://h/d?variable[x]=5", true },
	{ "mysql", "mysql2://h/d?encoding=utf8mb4&ssl_mode=disabled&pool=30" },
	{ "mysql", "mysql2://h/d?reconnect=true&read_timeout=5&prepared_statements=false" },
	{ "mysql", "mysql2://h/d?sslca=/ca.pem&ssl_mode=:required&sslverify=true" },
	{ "mysql", "mysql2://h/d?sslcert=/c.pem&sslkey=/k.pem&ssl_mode=SSL_MODE_PREFERRED" },
	{ "mysql", "trilogy://h/d?ssl=true&ssl_mode=SSL_REQUIRED_NOVERIFY" },
	{ "mysql", "trilogy://h/d?ssl_ca=/ca.pem&ssl_mode=verify_identity" },
	{ "mysql", "trilogy://h/d?ssl_mode=SSL_DISABLE" },
	{ "mysql", "mysql2://h/d?variables[sql_mode]=&min_threads=1&max_threads=5&max_queue=9" },
	{ "mysql", "mysql2://h/d?ssl_mode=verify_ca", true },
	{ "mysql", "mysql2://h/d?ssl_mode=perhaps", true },
	{ "mysql", "mysql2://h/d?sslcert=/c.pem", true },
	{ "mysql", "mysql2://h/d?flags=1", true },
	{ "sqlite3", "sqlite3:a?default_transaction_mode=immediate&timeout=20000&pool=30" },
	{ "sqlite3", "sqlite3:a?pragmas[cache_size]=64&checkout_timeout=5&replica=false" },
	{ "sqlite3", "sqlite3:a?readonly=true", true },
};

/* What Rails says in its URLs for itself is no mistake; what changes the connection is none. */
CASE(urls_of_rails_are_understood)
{
	for (size_t i = 0; i < sizeof(rails) / sizeof(rails[0]); i++) {
		struct error error = { 0 };
		if (!is_built_in(rails[i].driver))
			continue;
		if ((db_check_url(rails[i].text, &error) != STATUS_OK) != rails[i].refused)
			fail_msg("%s: %s", rails[i].text, error.text);
	}
}

ARENA_CASE(the_search_path_of_rails_names_the_schema)
{
	static const char *const cases[][2] = {
		{ "postgres://h/d?schema_search_path=jobs", "jobs" },
		{ "postgres://h/d?schema_search_path=%20Jobs%20", "jobs" },
		{ "postgis://h/d?schema_search_path=%22Jobs,%20or%22", NULL },
		{ "postgis://h/d?schema_search_path=%22Jobs%22", "Jobs" },
		{ "postgres://h/d?schema_search_path=%22$user%22", NULL },
		{ "postgres://h/d?schema_search_path=%20jobs%20,public", NULL },
		{ "postgres://h/d?schema_search_path=jobs,public&prepared_statements=false",
		  "jobs" },
		{ "postgres://h/d?schema_search_path=%22$user%22,%20app&prepared_statements=false",
		  "app" },
		{ "postgres://h/d?schema_search_path=", NULL },
		{ "postgres://h/d", NULL },
		{ "mysql://h/d?schema_search_path=jobs", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error error = { 0 };
		struct db_url url;
		assert_ok(url_parse(arena, cases[i][0], &url, &error), &error);
		assert_true(text_same(url_schema(arena, &url), cases[i][1]));
	}
}

/* db_backends() names the drivers that are there, each of which is also a scheme. */
CASE(each_driver_has_a_scheme)
{
	char *names = strdup(db_backends());
	char *rest = names;

	assert_non_null(names);
	for (char *name = strsep(&rest, " "); name; name = strsep(&rest, " ")) {
		const struct driver *driver = NULL;

		must(driver_find, name, &driver);
		assert_string_equal(driver->name, name);
	}
	free(names);
}

CASE(says_that_a_scheme_is_unknown)
{
	const struct driver *driver = NULL;
	struct error error = { 0 };

	assert_int_equal(driver_find("oracle", &driver, &error), STATUS_INVALID);
	assert_non_null(strstr(error.text, "unknown scheme 'oracle', expected sqlite3:"));
	assert_null(driver);
}
