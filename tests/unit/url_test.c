/* Database URLs: every part, every mistake, and that no mistake repeats a secret. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/driver.h"
#include "db/url.h"
#include "tests/support/test.h"

struct good {
	const char *text;
	struct db_url url;
	const char *option; /* name of an option, and its value */
	const char *value;
};

static const struct good good[] = {
	{ .text = "sqlite3:storage/dray.sqlite3",
	  .url = { .scheme = "sqlite3", .path = "storage/dray.sqlite3" } },
	{ .text = "sqlite3:///var/lib/a%20b.db",
	  .url = { .scheme = "sqlite3", .path = "/var/lib/a b.db" } },
	{ .text = "sqlite3://relative.db", .url = { .scheme = "sqlite3", .path = "relative.db" } },
	{ .text = "sqlite3:a:b@c#d.db?synchronous=normal",
	  .url = { .scheme = "sqlite3", .path = "a:b@c#d.db" },
	  .option = "synchronous",
	  .value = "normal" },
	{ .text = "MySQL://root@127.0.0.1:54401/jobs",
	  .url = { .scheme = "mysql",
		   .user = "root",
		   .host = "127.0.0.1",
		   .port = 54401,
		   .path = "jobs" } },
	{ .text = "mysql://a%40b:p%2F%3a%23%3f@db.example/j?charset=utf8mb4&socket=%2Frun%2Fs",
	  .url = { .scheme = "mysql",
		   .user = "a@b",
		   .password = "p/:#?",
		   .host = "db.example",
		   .path = "j" },
	  .option = "socket",
	  .value = "/run/s" },
	{ .text = "mysql://u:a:b@[::1]:3306/d",
	  .url = { .scheme = "mysql",
		   .user = "u",
		   .password = "a:b",
		   .host = "::1",
		   .port = 3306,
		   .path = "d" } },
	{ .text = "mysql://u:p@ss@[fe80::1]/d",
	  .url = { .scheme = "mysql",
		   .user = "u",
		   .password = "p@ss",
		   .host = "fe80::1",
		   .path = "d" } },
	{ .text = "mysql://u:@h:/d",
	  .url = { .scheme = "mysql", .user = "u", .password = "", .host = "h", .path = "d" } },
	{ .text = "mysql:///d", .url = { .scheme = "mysql", .path = "d" } },
	{ .text = "mysql://h", .url = { .scheme = "mysql", .host = "h" } },
	{ .text = "mysql://h/", .url = { .scheme = "mysql", .host = "h" } },
	{ .text = "mysql://h?a=1&a=2",
	  .url = { .scheme = "mysql", .host = "h" },
	  .option = "a",
	  .value = "2" },
	{ .text = "mysql://h/d?x=",
	  .url = { .scheme = "mysql", .host = "h", .path = "d" },
	  .option = "x",
	  .value = "" },
	{ .text = "mysql://h/d?x=a@b/c",
	  .url = { .scheme = "mysql", .host = "h", .path = "d" },
	  .option = "x",
	  .value = "a@b/c" },
	{ .text = "mysql://h/d?",
	  .url = { .scheme = "mysql", .host = "h", .path = "d" },
	  .option = "x" },
	{ .text = "postgres://u@h1:5432,h2:5433/d",
	  .url = { .scheme = "postgres", .user = "u", .host = "h1:5432,h2:5433", .path = "d" } },
	{ .text = "postgresql://u:a#b?c@h/d",
	  .url = { .scheme = "postgresql",
		   .user = "u",
		   .password = "a#b?c",
		   .host = "h",
		   .path = "d" } },
	{ .text = "postgres://%2Frun%2Fpg/d",
	  .url = { .scheme = "postgres", .host = "/run/pg", .path = "d" } },
	{ .text = "postgres://", .url = { .scheme = "postgres" } },
};

static void assert_text(const char *url, const char *part, const char *expected)
{
	if (part == NULL || expected == NULL ? part != expected : strcmp(part, expected) != 0)
		fail_msg("%s: got '%s', expected '%s'", url, part ? part : "(absent)",
			 expected ? expected : "(absent)");
}

ARENA_CASE(takes_urls_apart)
{
	struct error error;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const struct good *row = &good[i];
		struct db_url url;

		if (url_parse(arena, row->text, &url, &error) != STATUS_OK)
			fail_msg("%s: %s", row->text, error.text);
		assert_string_equal(url.text, row->text);
		assert_text(row->text, url.scheme, row->url.scheme);
		assert_text(row->text, url.user, row->url.user);
		assert_text(row->text, url.password, row->url.password);
		assert_text(row->text, url.host, row->url.host);
		assert_text(row->text, url.path, row->url.path);
		assert_int_equal(url.port, row->url.port);
		if (row->option != NULL)
			assert_text(row->text, url_option(&url, row->option), row->value);
	}
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
	struct error error;
	struct db_url url;
	char *text = arena_alloc(arena, 1 << 17);
	size_t used = 0;

	used += (size_t)snprintf(text, 1 << 17, "mysql://h/d?");
	while (used < (1 << 17) - 8) {
		used += (size_t)snprintf(text + used, (1 << 17) - used, "a=%%41&");
	}
	assert_int_equal(url_parse(arena, text, &url, &error), STATUS_OK);
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

/* db_backends() names the drivers that are there, each of which is also a scheme. */
CASE(each_driver_has_a_scheme)
{
	char *names = strdup(db_backends());
	char *rest = names;

	assert_non_null(names);
	for (char *name = strsep(&rest, " "); name; name = strsep(&rest, " ")) {
		const struct driver *driver = NULL;
		struct error error = { 0 };

		if (driver_find(name, &driver, &error) != STATUS_OK)
			fail_msg("%s", error.text);
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
