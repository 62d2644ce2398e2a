/* dray db, and what every command says about a database that is not ready, on every database. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/process.h"
#include "tests/support/query.h"
#include "tests/support/sites/cli.h"

static void test_migrate_and_status(void **state)
{
	struct test_db *test = *state;
	struct test_result result = test_cli(test, "db", "status", "--json");

	assert_code(result, 0);
	json_t *before = test_json(result);
	json_int_t count = (json_int_t)json_array_size(before);
	assert_true(count >= 2);
	assert_string_equal(test_json_text(json_array_get(before, 1), "state"), "pending");
	test_json_null(json_array_get(before, 1), "applied_at");
	json_decref(before);
	json_t *migrated = test_json(test_cli(test, "db", "migrate", "--json"));
	assert_int_equal(test_json_integer(migrated, "applied"), count);
	json_decref(migrated);
	assert_string_equal(test_cli(test, "db", "migrate").output, "The tables are up to date.\n");
	json_t *after = test_json(test_cli(test, "db", "status", "--json"));
	assert_string_equal(test_json_text(json_array_get(after, 1), "state"), "applied");
	json_decref(after);
	assert_contains(test_cli(test, "db", "status").output, "solid_queue  applied  20");
	assert_code(test_cli(test, "queues"), 0);
}

static void test_verify(void **state)
{
	struct test_db *test = *state;
	struct test_result result = test_cli(test, "db", "verify");

	assert_code(result, 0);
	assert_string_equal(result.output, "The tables match the schema.\n");
	test_execute(test->db, "ALTER TABLE solid_queue_processes DROP COLUMN metadata");
	result = test_cli(test, "db", "verify");
	assert_code(result, EXIT_ERROR);
	assert_contains(result.output, "solid_queue_processes.metadata");
	json_t *json = test_json(test_cli(test, "db", "verify", "--json"));
	const json_t *differences = json_object_get(json, "differences");
	assert_int_equal(json_array_size(differences), 1);
	assert_contains(json_string_value(json_array_get(differences, 0)), "metadata");
	json_decref(json);
}

static void test_mended(void **state)
{
	struct test_db *test = *state;
	const char *on = test->backend[0] == 'm' ? " ON dray_slots" : "";

	test_execute(test->db,
		     arena_printf(test->arena, "DROP INDEX index_dray_slots_on_job_id%s", on));
	assert_code(test_cli(test, "db", "verify"), EXIT_ERROR);
	assert_string_equal(test_cli(test, "db", "migrate").output,
			    "Restored 1 missing table, index or foreign key.\n");
	assert_code(test_cli(test, "db", "verify"), 0);
	json_t *json = test_json(test_cli(test, "db", "migrate", "--json"));
	assert_int_equal(test_json_integer(json, "mended"), 0);
	json_decref(json);
}

/* What it prints makes the database. */
static void test_sql(void **state)
{
	struct test_db *test = *state;
	struct test_result sql = test_cli(test, "db", "sql");

	assert_code(sql, 0);
	test_execute(test->db, sql.output);
	assert_code(test_cli(test, "db", "verify"), 0);
	assert_string_equal(test_cli(test, "db", "migrate").output, "The tables are up to date.\n");
	static const struct {
		const char *name;
		const char *word;
	} dialects[] = {
		{ "sqlite", "AUTOINCREMENT" },
		{ "postgresql", "fillfactor" },
		{ "mysql", "AUTO_INCREMENT" },
	};
	for (size_t i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++) {
		struct test_result other =
			test_cli(test, "db", "sql", "--dialect", dialects[i].name);
		assert_code(other, 0);
		assert_contains(other.output, dialects[i].word);
	}
	struct test_result unknown = test_cli(test, "db", "sql", "--dialect", "oracle");
	assert_code(unknown, EXIT_USAGE);
	assert_contains(unknown.errors, "expected sqlite, postgresql or mysql");
}

/* As the server gets it: no token is left, each placeholder is explained, and comments between the
 * statements stand where they stood.
 */
static void test_sql_of_an_operation(void **state)
{
	struct test_db *test = *state;
	struct test_result sql = test_cli(test, "db", "sql", "--dialect", "mysql", "--operation",
					  "jobs_ready_oldest");

	assert_code(sql, 0);
	assert_contains(sql.output, "FORCE INDEX (index_solid_queue_ready_executions_on_job_id)");
	assert_contains(sql.output, "ORDER BY e.job_id  LIMIT ?;\n-- 1: after, 2: before, ");
	assert_null(strchr(sql.output, '{'));
	sql = test_cli(test, "db", "sql", "--dialect", "mysql", "--operation",
		       "slots_admit_several");
	assert_code(sql, 0);
	assert_contains(sql.output, "HAVING COUNT(*) > 0;\n-- 1: more, 2: keys\n\n-- 2. ");
	assert_contains(sql.output, "blocked no longer.\nDELETE b\n");
	assert_null(strstr(sql.output, "-- rows\n"));
	sql = test_cli(test, "db", "sql", "--dialect", "postgresql", "--operation", "clam");
	assert_code(sql, EXIT_USAGE);
	assert_contains(sql.errors, "there is no operation \"clam\": did you mean \"claim\"?");
}

static void test_an_empty_database_is_refused(void **state)
{
	static const char *const lines[][4] = {
		{ "jobs" },
		{ "job", "1" },
		{ "queues" },
		{ "enqueue", "A" },
		{ "retry", "--all", "--yes" },
		{ "discard", "1" },
		{ "pause", "a" },
		{ "resume", "a" },
		{ "clear" },
		{ "processes" },
		{ "start" },
		{ "enqueue", "--bulk", "-" },
	};
	struct test_db *test = *state;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const char *arguments[5] = { NULL };
		memcpy(arguments, lines[i], sizeof(lines[i]));
		struct test_result result = test_cli_arguments(test, NULL, arguments);
		assert_code(result, EXIT_USAGE);
		assert_contains(result.errors, "dray db migrate");
		assert_string_equal(result.output, "");
	}
	struct test_result check = test_cli(test, "check", "--json");
	assert_code(check, EXIT_USAGE);
	json_t *json = test_json(check);
	assert_true(json_is_false(json_object_get(json, "valid")));
	assert_true(json_is_false(json_object_get(json_object_get(json, "database"), "current")));
	assert_int_equal(json_array_size(json_object_get(json, "mistakes")), 1);
	json_decref(json);
}

static void test_check_of_a_good_database(void **state)
{
	struct test_db *test = *state;
	struct test_result check = test_cli(test, "check");

	assert_code(check, 0);
	assert_contains(check.output, "SETTING ");
	assert_contains(check.output, "database.url ");
	assert_contains(check.output, "\nThe configuration is valid.\n");
	json_t *json = test_json(test_cli(test, "check", "--json"));
	const json_t *database = json_object_get(json, "database");
	assert_true(json_is_true(json_object_get(json, "valid")));
	assert_true(json_is_true(json_object_get(database, "current")));
	assert_string_equal(test_json_text(database, "server"), db_server(test->db));
	json_decref(json);
}

/* A class for the worker of the default configuration, without which that would be a mistake. */
static char jobs_file[] = "/tmp/dray-jobs-XXXXXX";

static bool declare_a_class(void)
{
	static const char text[] = "jobs:\n  A: {command: [/bin/true]}\n";
	int fd = mkstemp(jobs_file);

	return fd >= 0 && write(fd, text, sizeof(text) - 1) == (ssize_t)sizeof(text) - 1 &&
	       close(fd) == 0 && setenv("DRAY_JOBS", jobs_file, 1) == 0;
}

TEST_MAIN()
{
	static const struct test_case cases[] = {
		TEST_ROW_ON_EMPTY(test_migrate_and_status),
		TEST_ROW(test_verify),
		TEST_ROW(test_mended),
		TEST_ROW_ON_EMPTY(test_sql),
		TEST_ROW(test_sql_of_an_operation),
		TEST_ROW_ON_EMPTY(test_an_empty_database_is_refused),
		TEST_ROW(test_check_of_a_good_database),
	};

	if (!declare_a_class())
		return 1;
	int failed = test_run_backends("dray db", cases, sizeof(cases) / sizeof(cases[0]));
	(void)unlink(jobs_file);
	return failed;
}
