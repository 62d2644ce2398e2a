/* dray db, and what every command says about a database that is not ready, on every database. */
#include "tests/support/sites/cli.h"

DB_CASE_ON_EMPTY(test_migrate_and_status)
{
	assert_json(test_cli(test, "db", "status", "--json"), 0,
		    "[{'state': 'pending', 'applied_at': null}, {'state': 'pending'}]");
	assert_json(test_cli(test, "db", "migrate", "--json"), 0, "{'applied': 2}");
	assert_wording("migrate.nothing", test_cli(test, "db", "migrate").output);
	assert_json(test_cli(test, "db", "status", "--json"), 0,
		    "[{'state': 'applied'}, {'state': 'applied'}]");
	assert_contains(test_cli(test, "db", "status").output, "tables    applied  20");
	assert_code(test_cli(test, "queues"), 0);
}

DB_CASE(test_verify)
{
	assert_told("verify.good", 0, test_cli(test, "db", "verify"));
	test_execute(test->db, "ALTER TABLE solid_queue_processes DROP COLUMN metadata");
	assert_told("verify.bad", EXIT_ERROR, test_cli(test, "db", "verify"));
	assert_json(test_cli(test, "db", "verify", "--json"), EXIT_ERROR,
		    "{'differences': ['...metadata...']}");
}

DB_CASE(test_mended)
{
	const char *on = test->backend[0] == 'm' ? " ON dray_slots" : "";

	sql_execute(test->db, "DROP INDEX index_dray_slots_on_job_id%s", on);
	assert_code(test_cli(test, "db", "verify"), EXIT_ERROR);
	assert_wording("migrate.mended", test_cli(test, "db", "migrate").output);
	assert_code(test_cli(test, "db", "verify"), 0);
	assert_json(test_cli(test, "db", "migrate", "--json"), 0, "{'mended': 0}");
}

/* What it prints makes the database. */
DB_CASE_ON_EMPTY(test_sql)
{
	struct test_result sql = test_cli(test, "db", "sql");

	assert_code(sql, 0);
	test_execute(test->db, sql.output);
	assert_code(test_cli(test, "db", "verify"), 0);
	assert_wording("migrate.nothing", test_cli(test, "db", "migrate").output);
	static const struct {
		const char *name, *word;
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
	struct text said = { 0 };
	assert_refused(&said, test_cli(test, "db", "sql", "--dialect", "oracle"));
	assert_refused(&said, test_cli(test, "db", "sql", "--operation", "clam"));
	test_said("sql.refused", &said);
}

/* As the server gets it: no token is left, each placeholder is explained, and comments between the
 * statements stand where they stood.
 */
DB_CASE(test_sql_of_an_operation)
{
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
}

DB_CASE_ON_EMPTY(test_an_empty_database_is_refused)
{
	static const char *const lines[][5] = {
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
		{ "enqueue", "--bulk", "-" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct test_result result = test_cli_arguments(test, NULL, lines[i]);
		assert_code(result, EXIT_ERROR);
		assert_contains(result.errors, "dray db migrate");
		assert_string_equal(result.output, "");
	}
	assert_json(test_cli(test, "check", "--json"), EXIT_USAGE,
		    "{'valid': false, 'database': {'current': false}, 'mistakes': ['...']}");
}

/* Commands end with 1; a role at its first start with 2, because starting it again cannot help. */
DB_CASE(test_a_newer_database_is_refused)
{
	static const char *const lines[][3] = {
		{ "jobs" }, { "enqueue", "A" }, { "db", "migrate" }, { "doctor" }, { "dispatcher" },
	};

	test_execute(test->db, "INSERT INTO dray_migrations (version, name) VALUES (99, 'later')");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct test_result result = test_cli_arguments(test, NULL, lines[i]);
		bool role = strcmp(lines[i][0], "dispatcher") == 0;
		assert_code(result, role ? EXIT_USAGE : EXIT_ERROR);
		assert_contains(result.errors, "newer than this program");
	}
	test_execute(test->db, "DELETE FROM dray_migrations WHERE version = 99");
}

DB_CASE(test_check_of_a_good_database)
{
	struct test_result check = test_cli(test, "check");

	assert_code(check, 0);
	assert_contains(check.output, "SETTING ");
	assert_contains(check.output, "database.url ");
	assert_contains(check.output, "\nThe configuration is valid.\n");
	assert_json(test_cli(test, "check", "--json"), 0,
		    arena_printf(test->arena,
				 "{'valid': true, 'database': {'current': true, 'server': '%s'}}",
				 db_server(test->db)));
}

/* A class for the worker of the default configuration, without which that would be a mistake. */
static char jobs_file[] = "/tmp/dray-jobs-XXXXXX";

static int declare_a_class(void **state)
{
	static const char text[] = "jobs:\n  A: {command: [/bin/true]}\n";
	int fd = mkstemp(jobs_file);

	(void)state;
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(close(fd), 0);
	return setenv("DRAY_JOBS", jobs_file, 1);
}

static int remove_class(void **state)
{
	(void)state;
	return unlink(jobs_file);
}

GROUP(declare_a_class, remove_class);
