/*
 * For tests of the PostgreSQL driver itself: scripts made by hand and connections to the server
 * of DRAY_TEST_POSTGRESQL_URL, in a schema of the test's own.
 */
#ifndef TESTS_POSTGRESQL_H
#define TESTS_POSTGRESQL_H

#include "db/driver.h"

#define TEST_GUARD 1U
#define TEST_ROWS  2U

struct test_script {
	struct script script;
	struct statement statements[6];
	unsigned char order[8];
};

/* The url of the server; skips the test, saying why, when there is none. */
const char *test_postgresql_url(void);

/* The url with `options` ("a=b&c=d") added; valid until the next call. */
const char *test_url_with(const char *options);

/* Opens with call_timeout microseconds (0 = default); the status is the caller's to judge. */
enum status test_connect(struct connection **connection, const char *url, int64_t call_timeout,
			 struct error *error);

/* As test_connect to the test server, in the test's schema; it must succeed. */
struct connection *test_open(const char *options, int64_t call_timeout);

void test_close(struct connection *connection);

/* Executes statements that must succeed. */
void test_execute(struct connection *connection, const char *format, ...) PRINTF_LIKE(2, 3);

/* Makes and drops the schema and its table `things (id bigint primary key, name text)`. */
void test_schema_make(void);
void test_schema_drop(void);

/* Placeholders $1.. of every statement are the script's values in order. */
void test_script(struct test_script *script, const char *name, bool read);
void test_add(struct test_script *script, const char *sql, unsigned flags);

/* Runs one script and gives its rows; `arena` owns them. */
enum status test_run(struct connection *connection, struct arena *arena, struct test_script *script,
		     const struct db_value *values, struct db_rows *rows);

/* The text of the last test_run's error. */
const char *test_error(void);

/* Runs one read-only query and gives its only cell as a number. */
int64_t test_number(struct connection *connection, const char *sql);

#endif
