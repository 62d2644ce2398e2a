/* SQL written in a test, for looking at the database from outside of the program's operations. */
#ifndef TEST_QUERY_H
#define TEST_QUERY_H

#include "db/db.h"

/*
 * The sessions of a MySQL or MariaDB server. MySQL's information_schema has the statements of
 * others in three-byte UTF-8 and fails when one of them holds an emoji.
 */
#define TEST_SESSIONS                                                                              \
	"/*!80022 performance_schema.processlist */ /*M! information_schema.processlist */"

/* A connection of the driver alone. */
struct connection *test_driver_open(struct arena *arena, const char *url);

/* The next two on a connection that is there: a server makes one in milliseconds. */
struct db_rows test_query_on(struct connection *connection, struct arena *arena, const char *sql);
const char *test_text_on(struct connection *connection, struct arena *arena, const char *sql);

/* One statement on a connection of its own; its rows are in the arena. Fails the test on error. */
struct db_rows test_query(struct arena *arena, const char *url, const char *sql);

/* All cells of such a statement, columns separated by spaces and rows ended by newlines. */
const char *test_query_text(struct arena *arena, const char *url, const char *sql);

/* What test_query_text gives on a struct test_db. */
#define assert_query(test, expected, sql)                                                          \
	assert_string_equal(test_query_text((test)->arena, (test)->url, (sql)), (expected))

/* The number in the first cell. */
int64_t test_query_int(const char *url, const char *sql);

/* What it is on a struct test_db or a struct site. */
#define assert_number(where, expected, sql)                                                        \
	assert_int_equal(test_query_int((where)->url, (sql)), (expected))

/* How many rows "table WHERE ..." has there. */
#define assert_count(where, expected, from)                                                        \
	assert_number((where), (expected), "SELECT count(*) FROM " from)

/* test_execute on a struct test_db or a struct site. */
#define sql_do(where, sql) test_execute((where)->db, (sql))

struct test_db;

/* Short forms of these and of test_execute, whose SQL is written as for printf. */
void sql_execute(struct db *db, const char *format, ...) PRINTF_LIKE(2, 3);
int64_t sql_number(const struct test_db *test, const char *format, ...) PRINTF_LIKE(2, 3);
const char *sql_text(const struct test_db *test, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
