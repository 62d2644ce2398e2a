/* dray check and the files of a deployment: mistakes, warnings, origins, secrets, start. */
#include "tests/support/model/config_world.h"
#include "tests/support/sites/cli.h"

static const char one_class[] = "jobs: {A: {command: [\"true\"]}}\n";

#define dray config_world_dray

/* CF23, RA2, and nothing is started. */
WORLD_CASE(test_mistakes_are_all_listed)
{
	config_world_write("config/queue.yml", "workers:\n  - queues: \"*\"\n    treads: 3\n"
					       "    polling_interval: fast\n"
					       "database:\n  url: oracle://u:secret@h/db\n");
	config_world_write("config/jobs.yml",
			   "jobs:\n  A:\n    comand: [echo]\n"
			   "  B:\n    command: [/nowhere/program]\n    nice: 99\n"
			   "  C:\n    command: [/nowhere/program]\n");
	struct test_result check = dray(world, "check");
	assert_code(check, EXIT_USAGE);
	assert_wording("check.mistakes", check.errors);
	assert_null(strstr(check.errors, "secret"));
	struct test_result start = dray(world, "start", "--migrate");
	assert_code(start, EXIT_USAGE);
	assert_memory_equal(start.errors, check.errors, strlen(start.errors));
	assert_int_not_equal(access("storage/dray.sqlite3", F_OK), 0);
}

/* CF21, CF22, CL5, RA1: warnings go to standard error, and it is valid all the same. */
WORLD_CASE(test_cf21_cf22_warnings_do_not_matter)
{
	config_world_write("config/jobs.yml", one_class);
	struct test_result check = dray(world, "check", "--no-database");
	assert_code(check, 0);
	assert_string_equal(check.errors, "");
	config_world_write("config/queue.yml",
			   "workers:\n  - queues: mail\ndispatchers:\n  - batch_size: 5\n");
	check = dray(world, "check", "--no-database");
	assert_code(check, 0);
	assert_contains(check.output, "\nThe configuration is valid.\n");
	assert_string_equal(check.errors, "");
}

/* CL1 to CL4: there is one mode. The other is warned of, and --mode comes before the variable. */
WORLD_CASE(test_cl1_to_cl4_modes)
{
	static const char none[] = "has no effect";

	config_world_write("config/jobs.yml", one_class);
	assert_null(strstr(dray(world, "check", "--no-database").errors, none));
	assert_int_equal(setenv("SOLID_QUEUE_SUPERVISOR_MODE", "async", 1), 0);
	struct test_result check = dray(world, "check", "--no-database");
	assert_code(check, 0);
	assert_contains(check.errors, "SOLID_QUEUE_SUPERVISOR_MODE=async has no effect");
	check = dray(world, "check", "--no-database", "--mode", "fork");
	assert_null(strstr(check.errors, none));
	assert_int_equal(unsetenv("SOLID_QUEUE_SUPERVISOR_MODE"), 0);
	check = dray(world, "check", "--no-database", "--mode", "async");
	assert_code(check, 0);
	assert_contains(check.errors, "--mode async has no effect");
}

WORLD_CASE(test_handlers_are_checked)
{
	config_world_write("config/jobs.yml", "jobs:\n  Absent:\n    command: [/nowhere/program]\n"
					      "  Good:\n    command: [\"true\"]\n"
					      "  Module:\n    module: lib/nowhere.so\n");
	struct test_result result = dray(world, "check", "--no-database");
	assert_code(result, EXIT_USAGE);
	assert_wording("check.handlers", result.errors);
	struct test_result start = dray(world, "start");
	assert_code(start, EXIT_USAGE);
	assert_contains(start.errors, "class Module: ");
}

WORLD_CASE(test_values_have_origins)
{
	struct error error;

	if (db_check_url("postgres://app@127.0.0.1/app", &error) != STATUS_OK)
		skip(); /* built without it */
	config_world_write("config/queue.yml", "workers:\n  - queues: mail\n    threads: 7\n");
	config_world_write("config/jobs.yml", one_class);
	struct test_result check = dray(world, "check", "--no-database", "--json", "--database",
					"postgres://app:s3cret@127.0.0.1/app?password=s3cret2");
	assert_code(check, 0);
	assert_null(strstr(check.output, "s3cret"));
	json_t *json = test_json(check);
	json_t *value;
	size_t index;
	size_t found = 0;
	json_array_foreach(json_object_get(json, "configuration"), index, value)
	{
		if (strcmp(test_json_text(value, "path"), "workers[0].threads") != 0)
			continue;
		assert_string_equal(test_json_text(value, "value"), "7");
		assert_string_equal(test_json_text(value, "origin"), "config/queue.yml:3");
		found++;
	}
	assert_int_equal(found, 1);
	assert_true(json_is_null(json_object_get(json, "database")));
	json_decref(json);
}

WORLD_CASE(test_it_says_which_files_it_looked_for)
{
	config_world_write("config/queue.yml", "workers: [{queues: mail, threads: 3}]\n");
	config_world_write("config/tasks.yml", "a: {command: \"true\", schedule: every day}\n");
	struct test_result check = dray(world, "check", "--no-database", "--json",
					"--recurring-file", "config/tasks.yml");
	assert_json(check, 0,
		    "{'files': [{'file': 'queue.yml', 'path': 'config/queue.yml', 'state': 'read', "
		    "'origin': 'default'}, {'file': 'jobs.yml', 'state': 'does not exist'}, "
		    "{'file': 'recurring.yml', 'path': 'config/tasks.yml', 'state': 'read', "
		    "'origin': 'the command line'}]}");
	check = dray(world, "check", "--no-database");
	assert_contains(check.output, "recurring.yml");
	assert_contains(check.output, "workers[0].queues");
	assert_null(strstr(check.output, "workers[0].threads")); /* as it is anyway */
	assert_contains(check.output, "config/recurring.yml");
	assert_contains(check.output, "does not exist");
	check = dray(world, "check", "--no-database", "--recurring-file", "absent.yml");
	assert_code(check, EXIT_USAGE);
	assert_wording("check.absent_file", check.errors);
	assert_contains(check.output, "absent.yml");
}

WORLD_CASE(test_unreachable_databases)
{
	struct test_result result =
		dray(world, "jobs", "--database", "sqlite3:/proc/nowhere/a.sqlite3");

	assert_true(result.code == EXIT_DATABASE || result.code == EXIT_USAGE);
	assert_contains(result.errors, "/proc/nowhere/a.sqlite3");
	/* Looking makes no database. */
	struct text said = { 0 };
	assert_refused(&said, dray(world, "jobs"));
	assert_code(dray(world, "check"), EXIT_USAGE);
	assert_int_not_equal(access("storage", F_OK), 0);
	config_world_write("config/queue.yml", "database: {url: \"sqlite3:nowhere.sqlite3\"}\n");
	assert_refused(&said, dray(world, "jobs"));
	assert_refused(&said, dray(world, "jobs", "--database", "oracle://x"));
	test_said("database.none", &said);
	assert_code(dray(world, "check", "--database", "oracle://x"), EXIT_USAGE);
}

WORLD_CASE(test_classes_give_queue_and_priority)
{
	config_world_write("config/jobs.yml", "jobs:\n  MailJob:\n    command: [\"true\"]\n"
					      "    queue: mail\n    priority: 4\n");
	const char *url = test_database_new(world->arena, "sqlite");
	assert_code(dray(world, "db", "migrate", "--database", url), 0);
	assert_code(dray(world, "enqueue", "MailJob", "--database", url), 0);
	assert_code(
		dray(world, "enqueue", "MailJob", "--database", url, "--queue=q", "--priority=0"),
		0);
	struct test_command bulk = {
		.arguments =
			(const char *const[]){ "enqueue", "--bulk=-", "--database", url, NULL },
		.input = "{\"class\":\"MailJob\"}\n{\"class\":\"MailJob\",\"queue\":\"q\"}\n",
		.directory = world->directory,
	};
	struct test_result result = test_command_run(world->arena, &bulk);
	assert_code(result, 0);
	assert_string_equal(result.errors, "");
	assert_string_equal(test_query_text(world->arena, url,
					    "SELECT queue_name, priority FROM solid_queue_jobs "
					    "ORDER BY id"),
			    "mail 4\nq 0\nmail 4\nq 4\n");
	assert_told("enqueue.mistyped_class", 0,
		    dray(world, "enqueue", "MialJob", "--database", url));
	assert_told("pause.mistyped_queue", 0, dray(world, "pause", "mial", "--database", url));
	assert_told("pause.mistyped_class", 0,
		    dray(world, "pause", "--class", "MialJob", "--database", url));
	result = dray(world, "pause", "--class", "MailJob", "--database", url);
	assert_string_equal(result.errors, "");
	test_database_drop(world->arena, "sqlite", url);
}

/* The worker would only find out when it runs. */
WORLD_CASE(test_arguments_that_a_command_lacks)
{
	config_world_write("config/jobs.yml",
			   "jobs:\n  Copy: {command: [cp, \"{from}\", \"{0}\"]}\n");
	const char *url = test_database_new(world->arena, "sqlite");
	assert_code(dray(world, "db", "migrate", "--database", url), 0);
	assert_told("enqueue.lacks_argument", 0,
		    dray(world, "enqueue", "Copy", "a", "--database", url));
	struct test_result result =
		dray(world, "enqueue", "Copy", "a", "from=b", "--database", url);
	assert_code(result, 0);
	assert_string_equal(result.errors, "");
	config_world_write("lines",
			   "{\"class\":\"Copy\"}\n{\"class\":\"Copy\",\"arguments\":[1]}\n");
	assert_told("enqueue.bulk_lacks_argument", 0,
		    dray(world, "enqueue", "--bulk", "lines", "--database", url));
	test_database_drop(world->arena, "sqlite", url);
}

/* A command says by its placeholders, and by those of its limits, what it takes by name. */
WORLD_CASE(test_what_is_a_named_argument)
{
	static const struct {
		const char *words[4];
		const char *shown;
	} cases[] = {
		{ { "Echo", "SGVsbG8=" }, ": \"SGVsbG8=\"\n" },
		{ { "Echo", "a=b", "x=1" }, ": \"a=b\", \"x=1\"\n" },
		{ { "Echo", "a=b", "--named" }, ": a: \"b\"\n" },
		{ { "Echo", "a-b=c", "--named" }, ": a-b: \"c\"\n" },
		{ { "Dash", "a-b=c", "c-d=e" }, ": \"c-d=e\", a-b: \"c\"\n" },
		{ { "Other", "a-b=c", "1=2" }, ": \"a-b=c\", \"1=2\"\n" },
		{ { "Copy", "to=", "from=b", "x=c" }, ": \"x=c\", to: \"\", from: \"b\"\n" },
		{ { "Copy", "from=b", "--text" }, ": \"from=b\"\n" },
		{ { "Copy", "--json-args={}" }, " on queue default\n" },
		{ { "Other", "a=b", "c=" }, ": \"c=\", a: \"b\"\n" },
	};

	config_world_write("config/jobs.yml", "jobs:\n  Copy: {command: [cp, \"{from}\", a], "
					      "concurrency: {to: 1, key: \"k{to}\"}}\n"
					      "  Dash: {command: [echo, \"{a-b}\", \"{*}\"]}\n"
					      "  Echo: {command: [echo, \"{*}\", \"{{x}}\"]}\n");
	const char *url = test_database_new(world->arena, "sqlite");
	assert_code(dray(world, "db", "migrate", "--database", url), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *const *words = cases[i].words;
		struct test_result result = dray(world, "enqueue", "--database", url, words[0],
						 words[1], words[2], words[3]);
		if (!strstr(result.output, cases[i].shown))
			fail_msg("case %zu: %s%s", i, result.output, result.errors);
	}
	test_database_drop(world->arena, "sqlite", url);
}

/* A mistyped path makes no folders unless that is asked for; those of the default are made. */
WORLD_CASE(test_folders)
{
	static const char url[] = "sqlite3:strage/jobs.sqlite3";
	struct text said = { 0 };

	assert_refused(&said, dray(world, "db", "migrate", "--database", url));
	test_said("migrate.no_folder", &said);
	assert_code(dray(world, "start", "--migrate", "--database", url), EXIT_USAGE);
	assert_int_not_equal(access("strage", F_OK), 0);
	assert_code(dray(world, "db", "migrate", "--create-folders", "--database", url), 0);
	assert_code(dray(world, "jobs", "--database", url), 0);
	assert_code(dray(world, "db", "migrate"), 0);
	assert_int_equal(access("storage/dray.sqlite3", F_OK), 0);
}

/* Global options stand on either side of the command. */
WORLD_CASE(test_options_before_the_command)
{
	config_world_write("other.yml", "test:\n  shutdown_timeout: 7\n");
	config_world_write("config/jobs.yml", one_class);
	struct test_result before = dray(world, "--config", "other.yml", "-e", "test", "--json",
					 "check", "--no-database");
	struct test_result after = dray(world, "check", "--no-database", "-c", "other.yml",
					"--environment=test", "--json");
	assert_code(before, 0);
	assert_contains(before.output, "\"7s\"");
	assert_string_equal(before.output, after.output);
}

/* All relative paths begin at the root: those of files, of the database, of its password. */
WORLD_CASE(test_root)
{
	assert_int_equal(rename("config", "app"), 0);
	config_world_write("app/queue.yml", "database: {url: sqlite3:jobs.sqlite3}\n");
	assert_code(dray(world, "--root", "app", "db", "migrate", "-c", "queue.yml"), 0);
	assert_int_equal(access("app/jobs.sqlite3", F_OK), 0);
	struct text said = { 0 };
	assert_refused(&said, dray(world, "--root", "nowhere", "db", "status"));
	test_said("root.none", &said);
}

/* In a Rails application its own database is used, and dray offers to make no other. */
WORLD_CASE(test_a_rails_application)
{
	struct text said = { 0 };

	config_world_write("config/application.rb", "");
	config_world_write("config/database.yml",
			   "default: &default\n  adapter: sqlite3\n  pool: 5\n"
			   "development:\n  <<: *default\n  database: dev.db\n"
			   "test:\n  <<: *default\n  database: storage/test.db\n"
			   "production:\n  primary:\n    <<: *default\n    database: main.db\n"
			   "  queue:\n    <<: *default\n    database: queue.db\n");
	config_world_write("config/dray.yml", "workers: [{threads: 4}]\n");
	config_world_write("config/queue.yml", "workers: [{threads: 5}]\n");
	config_world_write("config/jobs.yml", one_class);
	assert_refused(&said, dray(world, "jobs"));
	assert_refused(&said, dray(world, "jobs", "-e", "production"));
	assert_refused(&said, dray(world, "db", "migrate", "-e", "test"));
	test_said("rails.hints", &said);
	config_world_write("queue.db", "");
	struct test_result empty = dray(world, "jobs", "-e", "production");
	assert_code(empty, EXIT_ERROR);
	assert_wording("rails.empty", empty.errors);
	assert_code(dray(world, "db", "migrate", "-e", "production"), 0);
	struct test_result check = dray(world, "check", "-e", "production");
	assert_code(check, 0);
	assert_contains(check.output, "The database is production.queue of config/database.yml.\n");
	assert_contains(check.output, "config/dray.yml");
	assert_null(strstr(check.output, "config/queue.yml"));
	check = dray(world, "check", "-e", "production", "--json");
	assert_contains(check.output, "\"entry\": \"production.queue\"");
	assert_int_equal(unlink("queue.db"), 0);
}

/* The application's own queue.yml is Solid Queue's: dray's settings are said elsewhere. */
WORLD_CASE(test_no_advice_to_change_the_file_of_bin_jobs)
{
	config_world_write("config/application.rb", "");
	config_world_write("config/database.yml",
			   "development: {adapter: sqlite3, database: dev.db}\n");
	config_world_write("config/queue.yml", "workers: [{threads: 5}]\n");
	assert_code(dray(world, "db", "migrate"), 0);
	struct test_result check = dray(world, "check");
	struct test_result start = dray(world, "start");
	assert_code(check, EXIT_USAGE);
	assert_code(start, EXIT_USAGE);
	assert_contains(check.errors, "config/dray.yml");
	assert_null(strstr(check.errors, "queue.yml"));
	assert_contains(start.errors, "config/dray.yml");
	assert_null(strstr(start.errors, "queue.yml"));
	struct test_result jobs = dray(world, "check", "-c", "config/queue.yml");
	assert_null(strstr(jobs.errors, "config/dray.yml"));
}
