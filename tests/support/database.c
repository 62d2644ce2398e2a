#include "tests/support/database.h"

#include <ctype.h>

#include "common/text/uuid.h"
#include "db/driver.h"
#include "db/schema/schema.h"
#include "db/scripts/dialect.h"
#include "tests/support/home.h"

#define MAXIMUM_BACKENDS 8

const struct test_backend test_all_backends[] = {
	{ "sqlite", "sqlite3", NULL, "", DB_SQLITE },
	{ "postgresql", "postgresql", "DRAY_TEST_POSTGRESQL_URL", " WITH (FORCE)", DB_POSTGRESQL },
	{ "mysql", "mysql", "DRAY_TEST_MYSQL_URL", "", DB_MYSQL },
	{ "mariadb", "mysql", "DRAY_TEST_MARIADB_URL", "", DB_MYSQL },
};

#define BACKEND_COUNT (sizeof(test_all_backends) / sizeof(test_all_backends[0]))

const size_t test_backend_count = BACKEND_COUNT;

static const struct test_backend *find_backend(const char *name)
{
	for (size_t i = 0; i < BACKEND_COUNT; i++)
		if (strcmp(test_all_backends[i].name, name) == 0)
			return &test_all_backends[i];
	fail_msg("DRAY_TEST_BACKENDS: unknown backend '%s'", name);
	return &test_all_backends[0];
}

/* All whose driver is built in. */
static char *built_in(struct arena *arena)
{
	char *list = arena_strdup(arena, "");

	for (size_t i = 0; i < BACKEND_COUNT; i++)
		if (strstr(db_backends(), test_all_backends[i].driver))
			list = arena_printf(arena, "%s %s", list, test_all_backends[i].name);
	return list;
}

const char *const *test_backends(struct arena *arena, size_t *count)
{
	const char **names = arena_array(arena, MAXIMUM_BACKENDS, sizeof(*names));
	const char *wanted = getenv("DRAY_TEST_BACKENDS");
	const char *only = getenv("DRAY_TEST_BACKEND");
	char *rest = wanted && *wanted ? arena_strdup(arena, wanted) : built_in(arena);

	*count = 0;
	for (char *word; (word = strsep(&rest, " ,"));) {
		if (*word != '\0' && *count < MAXIMUM_BACKENDS &&
		    (!only || strcmp(word, only) == 0))
			names[(*count)++] = word;
	}
	if (*count == 0)
		exit(77); /* NOLINT(concurrency-mt-unsafe): there is one thread */
	return names;
}

bool test_is_wanted(const char *backend)
{
	struct arena *arena = arena_new();
	size_t count;
	const char *const *names = test_backends(arena, &count);
	bool wanted = false;

	for (size_t i = 0; i < count && !wanted; i++)
		wanted = strcmp(names[i], backend) == 0;
	arena_free(arena);
	return wanted;
}

static const char *server_url(const char *backend)
{
	const char *variable = find_backend(backend)->variable;
	const char *url = variable ? getenv(variable) : NULL;

	if (!url || *url == '\0')
		fail_msg("%s is not set; leave %s out of DRAY_TEST_BACKENDS to go without it",
			 variable, backend);
	return url;
}

/*
 * scheme://authority/DATABASE?options with another database, and without TLS where that can be had
 * and nothing else is said: handshakes would take longer than all else.
 */
static const char *with_database(struct arena *arena, const char *url, const char *name)
{
	const char *authority = strstr(url, "://");
	const char *path = authority ? strchr(authority + 3, '/') : NULL;

	if (!path) {
		fail_msg("a test server's url must name its administrative database");
		return NULL;
	}
	const char *options = path + strcspn(path, "?");
	if (*options == '\0' && strncmp(url, "mysql:", 6) == 0)
		options = "?ssl-mode=DISABLED";
	return arena_printf(arena, "%.*s/%s%s", (int)(path - url), url, name, options);
}

static const char *database_of(struct arena *arena, const char *url)
{
	const char *name = strrchr(url, '/') + 1;

	return arena_strndup(arena, name, strcspn(name, "?"));
}

static const char *new_file(struct arena *arena, const char *scheme)
{
	const char *parent = getenv("TMPDIR");
	char *directory = arena_printf(arena, "%s/dray-test-XXXXXX", parent ? parent : "/tmp");

	if (!mkdtemp(directory))
		fail_msg("mkdtemp %s", directory);
	return arena_printf(arena, "%s:%s/dray.sqlite3", scheme, directory);
}

static void administer(struct arena *arena, const char *backend, const char *sql)
{
	const char *url = server_url(backend);
	struct db *db = test_db_open(with_database(arena, url, database_of(arena, url)));

	test_execute(db, sql);
	db_close(db);
}

const char *test_database_new(struct arena *arena, const char *backend)
{
	char random[17];

	if (!find_backend(backend)->variable)
		return new_file(arena, find_backend(backend)->driver);
	random_hex(8, random);
	const char *name = arena_printf(arena, "dray_test_%s", random);
	administer(arena, backend, arena_printf(arena, "CREATE DATABASE %s", name));
	return with_database(arena, server_url(backend), name);
}

void test_database_drop(struct arena *arena, const char *backend, const char *url)
{
	if (find_backend(backend)->variable) {
		administer(arena, backend,
			   arena_printf(arena, "DROP DATABASE %s%s", database_of(arena, url),
					find_backend(backend)->force));
		return;
	}
	const char *path = strchr(url, ':') + 1;
	const char *directory = arena_strndup(arena, path, (size_t)(strrchr(path, '/') - path));
	test_remove(directory);
}

int test_migrations(void)
{
	int count = 0;

	for (size_t i = 0; i < sql_file_count; i++)
		count += sql_files[i].dialect == DB_SQLITE &&
			 strncmp(sql_files[i].name, "schema/", 7) == 0 &&
			 isdigit((unsigned char)sql_files[i].name[7]);
	return count;
}

void test_rows_before(struct db *db, int last, bool adopted)
{
	test_execute(db, "DELETE FROM dray_migrations");
	for (int i = 0; i <= last; i++)
		sql_execute(db,
			    "INSERT INTO dray_migrations (version, name, applied_at, adopted) "
			    "VALUES (%d, 'before', '2026-01-01 00:00:00', %s)",
			    i, i == 1 && adopted ? "true" : "false");
}

struct db *test_db_open_with(const char *url, const struct db_options *options)
{
	struct db *db = NULL;

	must(db_open, &db, url, options);
	return db;
}

struct db *test_db_open(const char *url)
{
	const struct db_options as_in_roles = { .one_plan = true };

	return test_db_open_with(url, &as_in_roles);
}

struct db *test_db_open_once(const char *url)
{
	const struct db_options options = { .one_plan = true, .retry_for = 1 };

	return test_db_open_with(url, &options);
}

size_t test_migrate(struct db *db, struct arena *arena)
{
	size_t applied = 99;

	must(schema_migrate, db, arena, &applied);
	return applied;
}

void test_execute(struct db *db, const char *sql)
{
	struct error error = { 0 };
	enum status status = db_execute(db, sql, &error);

	if (status != STATUS_OK)
		print_error("%s\n", sql);
	assert_ok(status, &error);
}

/* Nobody opens it again for a case that is slow, on a machine that is busy. */
static void keep_session(struct db *db)
{
	static const char *const patience[DB_DIALECTS] = {
		[DB_POSTGRESQL] = "SET idle_in_transaction_session_timeout = 0",
		[DB_MYSQL] = "SET wait_timeout = 600 /*M! , idle_transaction_timeout = 0 */",
	};
	const char *sql = patience[db_dialect_of(db)];

	if (sql)
		test_execute(db, sql);
}

void test_wait_shortly(struct db *db)
{
	static const char *const settings[DB_DIALECTS] = {
		[DB_POSTGRESQL] = "SET lock_timeout = '200ms'",
		[DB_MYSQL] = "SET innodb_lock_wait_timeout = 1",
	};

	test_execute(db, settings[db_dialect_of(db)]);
}

void test_begin(struct db *db)
{
	keep_session(db);
	test_execute(db, "BEGIN");
}

void test_db_begin(struct test_db *test, enum test_start start)
{
	test->arena = arena_new();
	test->url = NULL;
	test->db = NULL;
	test->url = start == TEST_MIGRATED ? home_open(test->arena, test->backend)
					   : test_database_new(test->arena, test->backend);
	test->db = test_db_open(test->url);
	keep_session(test->db);
}

void test_db_end(struct test_db *test)
{
	db_close(test->db);
	if (test->url && strcmp(test->url, home_url()) != 0)
		test_database_drop(test->arena, test->backend, test->url);
	arena_free(test->arena);
}

/* One case on one backend. */
struct context {
	struct test_db test; /* first: *state points to it */
	const struct test_case *test_case;
};

static int set_up(void **state)
{
	struct context *context = *state;

	test_db_begin(&context->test, context->test_case->start);
	return 0;
}

static int tear_down(void **state)
{
	test_db_end(*state);
	return 0;
}

static bool selected(const struct test_case *test_case, const char *backend, const char *name)
{
	const char *only = getenv("DRAY_TEST_ONLY");

	if (test_case->only && !strstr(test_case->only, backend))
		return false;
	if (test_case->real != (getenv("DRAY_TEST_REAL") != NULL))
		return false;
	return !only || strstr(name, only);
}

int test_run_backends(const char *group, const struct test_case *cases, size_t count)
{
	struct arena *arena = arena_new();
	size_t backend_count;
	const char *const *names = test_backends(arena, &backend_count);
	struct CMUnitTest *tests = arena_array(arena, count * backend_count, sizeof(*tests));
	size_t used = 0;

	for (size_t i = 0; i < count * backend_count; i++) {
		const struct test_case *test_case = &cases[i % count];
		struct context *context = arena_alloc(arena, sizeof(*context));
		context->test.backend = names[i / count];
		context->test_case = test_case;
		char *name = arena_printf(arena, "%s (%s)", test_case->name, context->test.backend);
		if (selected(test_case, context->test.backend, name))
			tests[used++] = (struct CMUnitTest){ name, test_case->run, set_up,
							     tear_down, context };
	}
	if (used == 0 && !getenv("DRAY_TEST_ONLY"))
		fail_msg("no case is about %s: say so in tests/databases.txt", names[0]);
	int failures = _cmocka_run_group_tests(group, tests, used, NULL, NULL);
	home_drop();
	arena_free(arena);
	return failures;
}
