/*
 * Tests of the MySQL driver on a MySQL and a MariaDB server: a connection with statements given
 * as text. Whatever fails here fails the test.
 */
#ifndef MYSQL_SESSION_H
#define MYSQL_SESSION_H

#include "db/driver.h"
#include "tests/support/test.h"

enum mysql_server { TEST_MYSQL, TEST_MARIADB };

/* A statement of a script: its i-th '?' is the i-th value given to the run. */
struct test_sql {
	const char *text;
	bool guard;
	bool rows;
};

struct mysql_session {
	struct connection *connection;
	struct arena *arena; /* of results; freed by mysql_session_close */
	int64_t id;          /* the server's name for the connection */
};

/* Where the tests are now, and a connection there that is opened anew for every test. */
extern enum mysql_server here_server;
extern struct mysql_session here;

#define MYSQL_CASE(function)                                                                       \
	TEST_CASE(function, .set_up = mysql_test_open, .tear_down = mysql_test_close)

int mysql_test_open(void **state);
int mysql_test_close(void **state);

/*
 * A file's cases have a database of their own with the tables of `schema`, on the server that
 * DRAY_TEST_BACKEND names (MySQL if none); `reset` is SQL before each of them. Without the server's
 * url (DRAY_TEST_MYSQL_URL, DRAY_TEST_MARIADB_URL) the program ends as skipped.
 */
#define MYSQL_GROUP(schema, reset)                                                                 \
	static int mysql_group_begin(__attribute__((unused)) void **state)                         \
	{                                                                                          \
		mysql_begin((schema), (reset));                                                    \
		return 0;                                                                          \
	}                                                                                          \
	GROUP(mysql_group_begin, mysql_end)

void mysql_begin(const char *schema, const char *reset);
int mysql_end(void **state);

/* Parts of a url that a test wants different; NULL or 0 = as the server's url has it. */
struct mysql_target {
	const char *user;
	const char *password;
	const char *host;
	int port;
	const char *database;
	const char *options; /* "ssl-mode=REQUIRED&..." */
};

/* The server's own url, taken apart. */
struct db_url mysql_server_url(struct arena *arena, enum mysql_server server);

/* The url of this process's database, or a variation of it. */
const char *mysql_url(struct arena *arena, enum mysql_server server,
		      const struct mysql_target *target);

/* Opens; options may be NULL. The status is that of the driver; OK is not demanded. */
enum status mysql_session_try(struct mysql_session *session, const char *url,
			      const struct db_options *options, struct error *error);

/* Opens this process's database; call_timeout in microseconds, 0 = 30 s. */
struct mysql_session mysql_session_open(enum mysql_server server, int64_t call_timeout);
void mysql_session_close(struct mysql_session *session);

/* One call of several statements in a transaction. */
enum status mysql_session_script(struct mysql_session *session, const struct test_sql *sql,
				 const struct db_value *values, struct driver_call *call,
				 struct error *error);

/* One statement without a transaction. */
enum status mysql_session_query(struct mysql_session *session, const char *sql,
				const struct db_value *values, struct db_rows *rows,
				struct error *error);

/* The first cell of a query that must succeed; "(none)" when there is none. */
const char *mysql_session_cell(struct mysql_session *session, const char *sql);

/* What it is of `here`. */
void assert_cell(const char *sql, const char *expected);

/* Executes text of several statements, which must succeed. */
void mysql_session_execute(struct mysql_session *session, const char *sql);

/* Waits until the query gives "1"; fails the test after 30 s. */
void mysql_session_await(struct mysql_session *session, const char *sql);

#endif
