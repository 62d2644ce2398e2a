/* dray check: what the processes of a configuration leave undone. */
#include <string.h>

#include "common/process.h"
#include "tests/support/model/config_world.h"
#include "tests/support/query.h"
#include "tests/support/sites/cli.h"
#include "tests/support/wording.h"

static const char one_class[] = "jobs: {A: {command: [\"true\"]}}\n";

#define dray config_world_dray

/* Jobs for later would stay where they are. */
CASE_WITH(test_workers_without_a_dispatcher, config_world_open, config_world_close)
{
	static const char text[] = "dray: warning: there are workers but no dispatchers: ";
	struct config_world *world = *state;

	config_world_write("config/jobs.yml", one_class);
	config_world_write("config/queue.yml", "workers: [{queues: a}]\ndispatchers: []\n");
	struct test_result check = dray(world, "check", "--no-database");
	assert_code(check, 0);
	assert_wording("check.no_dispatcher", check.errors);
	config_world_write("config/queue.yml", "workers: [{queues: a}]\ndispatchers: [{}]\n");
	assert_null(strstr(dray(world, "check", "--no-database").errors, text));
	config_world_write("config/queue.yml", "dispatchers: [{}]\n");
	assert_null(strstr(dray(world, "check", "--no-database").errors, text));
	/* One that runs elsewhere. */
	const char *url = test_database_new(world->arena, "sqlite");
	assert_code(dray(world, "db", "migrate", "--database", url), 0);
	config_world_write("config/queue.yml", "workers: [{queues: a}]\n");
	assert_contains(dray(world, "check", "--database", url).errors, text);
	struct db *db = test_db_open(url);
	test_execute(db,
		     "INSERT INTO solid_queue_processes (kind, name, pid, hostname, created_at, "
		     "last_heartbeat_at) VALUES ('Dispatcher', 'd', 1, 'h', datetime('now'), "
		     "datetime('now'))");
	db_close(db);
	assert_null(strstr(dray(world, "check", "--database", url).errors, text));
	test_database_drop(world->arena, "sqlite", url);
}

/* Until now they had the queue of Rails' commands. */
CASE_WITH(test_commands_whose_queue_nobody_takes, config_world_open, config_world_close)
{
	static const char text[] =
		"dray: warning: no worker serves the queue dray_commands, where the jobs of the "
		"command recurring.backup go";
	struct config_world *world = *state;

	config_world_write("config/jobs.yml", one_class);
	config_world_write("config/recurring.yml",
			   "backup: {command: ['true'], schedule: every day}\n"
			   "other: {command: ['true'], schedule: every day, queue: b}\n"
			   "none: {command: ['true'], schedule: every day, enabled: false}\n");
	config_world_write("config/queue.yml", "workers: [{queues: [solid_queue_recurring, b]}]\n"
					       "dispatchers: [{}]\n");
	struct test_result check = dray(world, "check", "--no-database");
	assert_code(check, 0);
	assert_contains(check.errors, text);
	assert_null(strstr(check.errors, "recurring.other"));
	assert_null(strstr(check.errors, "recurring.none"));
	config_world_write("config/queue.yml", "dispatchers: [{}]\n");
	assert_null(strstr(dray(world, "check", "--no-database").errors, text));
	config_world_write("config/queue.yml", "workers: [{queues: [b, dray*]}]\n"
					       "dispatchers: [{}]\n");
	assert_null(strstr(dray(world, "check", "--no-database").errors, text));
	/* One that runs elsewhere. */
	const char *url = test_database_new(world->arena, "sqlite");
	assert_code(dray(world, "db", "migrate", "--database", url), 0);
	config_world_write("config/queue.yml", "workers: [{queues: b}]\ndispatchers: [{}]\n");
	assert_contains(dray(world, "check", "--database", url).errors, text);
	struct db *db = test_db_open(url);
	test_execute(db, "INSERT INTO solid_queue_processes (kind, name, pid, hostname, metadata, "
			 "created_at, last_heartbeat_at) VALUES ('Worker', 'w', 1, 'h', "
			 "'{\"software\":\"dray\",\"queues\":\"*\"}', datetime('now'), "
			 "datetime('now'))");
	db_close(db);
	assert_null(strstr(dray(world, "check", "--database", url).errors, text));
	test_database_drop(world->arena, "sqlite", url);
}
