/*
 * Databases for tests, and contract tests written once for all backends. A backend is "sqlite",
 * "postgresql", "mysql" or "mariadb"; DRAY_TEST_BACKENDS lists those wanted (default: all that
 * were built in). The servers are in DRAY_TEST_POSTGRESQL_URL, DRAY_TEST_MYSQL_URL and
 * DRAY_TEST_MARIADB_URL, urls of an administrative database; a wanted backend without its url
 * fails, so that nothing is left out unnoticed.
 */
#ifndef TEST_DATABASE_H
#define TEST_DATABASE_H

#include "tests/support/query.h"
#include "tests/support/wording.h"

/* What *state points to in a test; closed and dropped after it. */
struct test_db {
	const char *backend;
	const char *url;
	struct db *db;       /* one open connection; a test may open more with test_db_open */
	struct arena *arena; /* of the test */
};

/*
 * A case that each database must pass, as CASE(...) of test.h; `*state` is a struct test_db. Of
 * other backends than all: TEST_ONLY; on a database without tables: TEST_ON_EMPTY.
 */
#define TEST(function)                TEST_CASE(function, .on_databases = true)
#define TEST_ONLY(function, backends) TEST_CASE(function, .on_databases = true, .only = (backends))
#define TEST_ON_EMPTY(function)       TEST_CASE(function, .on_databases = true, .start = TEST_EMPTY)

/*
 * One that needs the clock as it is: it is not run where it could fail because the machine is busy,
 * but as a case of its own, FOLDER.NAME_real.DATABASE, with the label "real", which the landing
 * tier leaves out.
 */
#define TEST_REAL(function, backends)                                                              \
	TEST_CASE(function, .on_databases = true, .only = (backends), .real = true)

/* As TEST and its kind, given the database as `test`: the form for new cases. */
#define DB_CASE(function)                TEST_OF_DB(function, .start = TEST_MIGRATED)
#define DB_CASE_ONLY(function, backends) TEST_OF_DB(function, .only = (backends))
#define DB_CASE_ON_EMPTY(function)       TEST_OF_DB(function, .start = TEST_EMPTY)
#define DB_CASE_ON_EMPTY_ONLY(function, backends)                                                  \
	TEST_OF_DB(function, .start = TEST_EMPTY, .only = (backends))
#define TEST_OF_DB(function, ...)                                                                  \
	TEST_GIVEN(function, (__attribute__((unused)) struct test_db * test), function(*state),    \
		   .on_databases = true, __VA_ARGS__)

/* The same as rows of a table, for who runs them with test_run_backends. */
#define TEST_ROW(function)                                                                         \
	{                                                                                          \
		.name = #function, .run = (function)                                               \
	}
#define TEST_ROW_ONLY(function, backends)                                                          \
	{                                                                                          \
		.name = #function, .run = (function), .only = (backends)                           \
	}
#define TEST_ROW_ON_EMPTY(function)                                                                \
	{                                                                                          \
		.name = #function, .run = (function), .start = TEST_EMPTY                          \
	}

/*
 * Runs every case on every backend, named "case (backend)", each on a database as home.h describes
 * it. Returns the number of failures. DRAY_TEST_ONLY in the environment selects cases by a part of
 * that name.
 */
int test_run_backends(const char *group, const struct test_case *cases, size_t count);

/* A kind of database that tests know. */
struct test_backend {
	const char *name;
	const char *driver;   /* its name; of a file also the scheme */
	const char *variable; /* with the url of its server; NULL: it is a file */
	const char *force;    /* what follows the name in DROP DATABASE */
	enum db_dialect dialect;
};

extern const struct test_backend test_all_backends[];
extern const size_t test_backend_count;

/*
 * The backends wanted, in order; *count of them. DRAY_TEST_BACKEND in the environment, which CTest
 * sets for each of its cases, leaves one of them; where that one is not wanted, the program ends as
 * skipped.
 */
const char *const *test_backends(struct arena *arena, size_t *count);

/* Is this backend among them? */
bool test_is_wanted(const char *backend);

/* Creates an empty database and returns its url. Fails the test when it cannot. */
const char *test_database_new(struct arena *arena, const char *backend);

/* Removes it, other connections notwithstanding. */
void test_database_drop(struct arena *arena, const char *backend, const char *url);

/* A database for many cases, of test->backend, with its connection and arena; and its end. */
void test_db_begin(struct test_db *test, enum test_start start);
void test_db_end(struct test_db *test);

/* How many migrations db/sql/schema has. */
int test_migrations(void);

/* As if the migrations of before the first release had made this database, from 0 to `last`. */
void test_rows_before(struct db *db, int last, bool adopted);

/* Another connection; fails the test when it cannot be opened. Close it with db_close. */
struct db *test_db_open(const char *url);

struct db *test_db_open_with(const char *url, const struct db_options *options);

/* One that repeats nothing: a deadlock is a failure of the verb, and so of the test. */
struct db *test_db_open_once(const char *url);

/* Migrates; how many migrations were applied. */
size_t test_migrate(struct db *db, struct arena *arena);

/* Executes SQL (several statements); fails the test on error. */
void test_execute(struct db *db, const char *sql);

/* Locks of others are waited for no longer than a second from now on; SQLite is not for this. */
void test_wait_shortly(struct db *db);

/* Begins a transaction that may be idle for as long as the test takes, with its locks. */
void test_begin(struct db *db);

#endif
