/* dray check: what the processes of a configuration leave undone. */
#include "tests/support/model/config_world.h"
#include "tests/support/sites/cli.h"

static const char one_class[] = "jobs: {A: {command: [\"true\"]}}\n";

#define dray config_world_dray

/* Does the check of this queue.yml say so? */
static bool says(struct config_world *world, const char *text, const char *queue_yml)
{
	config_world_write("config/queue.yml", queue_yml);
	return strstr(dray(world, "check", "--no-database").errors, text) != NULL;
}

/* Said no more when a process of this kind runs elsewhere, unless it is leaving. */
static void assert_elsewhere(struct config_world *world, const char *text, const char *queue_yml,
			     const char *kind, const char *metadata)
{
	const char *url = test_database_new(world->arena, "sqlite");

	assert_code(dray(world, "db", "migrate", "--database", url), 0);
	config_world_write("config/queue.yml", queue_yml);
	assert_contains(dray(world, "check", "--database", url).errors, text);
	struct db *db = test_db_open(url);
	sql_execute(db,
		    "INSERT INTO solid_queue_processes (kind, name, pid, "
		    "hostname, metadata, created_at, last_heartbeat_at) VALUES "
		    "('%s', 'p', 1, 'h', '%s', datetime('now'), datetime('now'))",
		    kind, metadata);
	struct test_result check = dray(world, "check", "--database", url);
	assert_null(strstr(check.errors, text));
	test_execute(db, "UPDATE solid_queue_processes SET metadata = json_set(metadata, "
			 "'$.leaving_since', '2026-01-01T00:00:00Z') WHERE kind = 'Worker'");
	check = dray(world, "check", "--database", url);
	assert_int_equal(strstr(check.errors, text) != NULL, strcmp(kind, "Worker") == 0);
	db_close(db);
	test_database_drop(world->arena, "sqlite", url);
}

/* Jobs for later would stay where they are. */
WORLD_CASE(test_workers_without_a_dispatcher)
{
	static const char text[] = "dray: warning: there are workers but no dispatchers: ";

	config_world_write("config/jobs.yml", one_class);
	config_world_write("config/queue.yml", "workers: [{queues: a}]\ndispatchers: []\n");
	struct test_result check = dray(world, "check", "--no-database");
	assert_code(check, 0);
	assert_wording("check.no_dispatcher", check.errors);
	assert_false(says(world, text, "workers: [{queues: a}]\ndispatchers: [{}]\n"));
	assert_false(says(world, text, "dispatchers: [{}]\n"));
	assert_elsewhere(world, text, "workers: [{queues: a}]\n", "Dispatcher", "{}");
}

/* Until now they had the queue of Rails' commands. */
WORLD_CASE(test_commands_whose_queue_nobody_takes)
{
	static const char text[] = "dray: warning: no worker serves the queue dray_commands";

	config_world_write("config/jobs.yml", one_class);
	config_world_write("config/recurring.yml",
			   "backup: {command: ['true'], schedule: every day}\n"
			   "other: {command: ['true'], schedule: every day, queue: b}\n"
			   "none: {command: ['true'], schedule: every day, enabled: false}\n");
	config_world_write("config/queue.yml", "workers: [{queues: [solid_queue_recurring, b]}]\n"
					       "dispatchers: [{}]\n");
	struct test_result check = dray(world, "check", "--no-database");
	assert_code(check, 0);
	assert_wording("check.unserved_commands", check.errors);
	assert_false(says(world, text, "dispatchers: [{}]\n"));
	assert_false(says(world, text, "workers: [{queues: [b, dray*]}]\ndispatchers: [{}]\n"));
	assert_elsewhere(world, text, "workers: [{queues: b}]\ndispatchers: [{}]\n", "Worker",
			 "{\"software\":\"dray\",\"queues\":\"*\"}");
}

/* A name that is misspelt would promise nothing. */
WORLD_CASE(test_promises_of_queues_that_nobody_serves)
{
	static const char text[] = "promises something";

	config_world_write("config/jobs.yml", one_class);
	config_world_write("config/queue.yml",
			   "workers: [{queues: [mail, imports_*, a*]}]\ndispatchers: [{}]\n"
			   "queues: {mail: {late_after: 60s}, mial: {late_after: 60s}, \"x*\": "
			   "{late_after: 1}, \"im*\": {late_after: 1}, imports_a: {late_after: 1},"
			   " \"*\": {late_after: 5m}}\n");
	struct test_result check = dray(world, "check", "--no-database");
	assert_code(check, 0);
	assert_wording("check.unserved_promises", check.errors);
	assert_contains(check.output, "queues.imports_a.late_after  1s");
	assert_false(says(world, text, "dispatchers: [{}]\nqueues: {b: {late_after: 1}}\n"));
	assert_elsewhere(world, text,
			 "workers: [{queues: a}]\ndispatchers: [{}]\n"
			 "queues: {\"b*\": {late_after: 1}}\n",
			 "Worker", "{\"queues\":\"bb\"}");
}

/* Under a prefix the queues are asked for by the handful. */
WORLD_CASE(test_a_prefix_of_many_queues)
{
	static const char text[] = "dray: warning: a_* stands for 65 queues";
	const char *url = test_database_new(world->arena, "sqlite");

	assert_code(dray(world, "db", "migrate", "--database", url), 0);
	config_world_write("config/jobs.yml", one_class);
	config_world_write("config/queue.yml", "workers: [{queues: [a_*, b]}]\n");
	struct db *db = test_db_open(url);
	test_execute(
		db, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 64) "
		    "INSERT INTO solid_queue_pauses (queue_name, created_at) "
		    "SELECT 'a_' || i, datetime('now') FROM n");
	assert_null(strstr(dray(world, "check", "--database", url).errors, "stands for"));
	test_execute(db, "INSERT INTO solid_queue_pauses (queue_name, created_at) VALUES "
			 "('a_more', datetime('now')), ('b', datetime('now'))");
	assert_contains(dray(world, "check", "--database", url).errors, text);
	db_close(db);
	test_database_drop(world->arena, "sqlite", url);
}
