/*
 * For tests of the PostgreSQL driver itself: scripts made by hand and connections to the server
 * of DRAY_TEST_POSTGRESQL_URL, in a schema of the test's own.
 */
#ifndef TEST_POSTGRESQL_H
#define TEST_POSTGRESQL_H

#include "db/driver.h"
#include "tests/support/test.h"

#define PG_GUARD 1U
#define PG_ROWS  2U

struct pg_script {
	struct script script;
	struct statement statements[6];
	unsigned char order[8];
};

/* The url of the server; skips the test, saying why, when there is none. */
const char *pg_url(void);

/* The url with `options` ("a=b&c=d") added; valid until the next call. */
const char *pg_url_with(const char *options);

/* Opens, and closes again; the status is the caller's to judge. Options may be NULL. */
enum status pg_try(const char *url, const struct db_options *options, struct error *error);

/* Opens the test server, in the test's schema, with call_timeout microseconds (0 = default). */
struct connection *pg_open(const char *options, int64_t call_timeout);

void pg_close(struct connection *connection);

/* Executes statements that must succeed. */
void pg_execute(struct connection *connection, const char *format, ...) PRINTF_LIKE(2, 3);

/* Makes and drops the schema and its table `things (id bigint primary key, name text)`. */
void pg_schema_make(void);
void pg_schema_drop(void);

/* A case that is given a connection to the schema, where there are no things, and an arena. */
#define PG_CASE(function)                                                                          \
	TEST_GIVEN(function,                                                                       \
		   (__attribute__((unused)) struct connection * connection,                        \
		    __attribute__((unused)) struct arena * arena),                                 \
		   pg_case(function), .on_databases = false)
void pg_case(void (*run)(struct connection *connection, struct arena *arena));

/* The same for a group of cases, where there is a server. */
int pg_set_up(void **state);
int pg_tear_down(void **state);

/* Placeholders $1.. of every statement are the script's values in order. */
void pg_script(struct pg_script *script, const char *name, bool read);
void pg_add(struct pg_script *script, const char *sql, unsigned flags);

/* Runs one script and gives its rows; `arena` owns them. */
enum status pg_run(struct connection *connection, struct arena *arena, struct pg_script *script,
		   const struct db_value *values, struct db_rows *rows);

/* The text of the last pg_run's error. */
const char *pg_error(void);

/* Runs one read-only query and gives its only cell as a number. */
int64_t pg_number(struct connection *connection, const char *sql);

/* Waits until that number is this one; fails the test after a minute. */
void pg_await(struct connection *connection, const char *sql, int64_t number);

#endif
