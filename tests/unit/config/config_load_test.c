/* What config_load makes of the files (CF1 to CF8, CF17 to CF20). */
#include <sys/stat.h>

#include "db/db.h"
#include "tests/support/model/config_world.h"
#include "tests/support/wording.h"

static void assert_fallback(const struct config *config)
{
	assert_int_equal(config->worker_count, 1);
	assert_int_equal(config->workers[0].queue_count, 1);
	assert_string_equal(config->workers[0].queues[0], "*");
	assert_int_equal(config->workers[0].threads, 3);
	assert_int_equal(config->workers[0].processes, 1);
	assert_int_equal(config->workers[0].polling_interval, 100 * CLOCK_MILLISECOND);
	assert_int_equal(config->workers[0].unknown_classes, UNKNOWN_AUTO);
	assert_int_equal(config->dispatcher_count, 1);
	assert_int_equal(config->dispatchers[0].batch_size, 500);
	assert_int_equal(config->dispatchers[0].polling_interval, CLOCK_SECOND);
	assert_true(config->dispatchers[0].concurrency_maintenance);
	assert_int_equal(config->dispatchers[0].concurrency_maintenance_interval,
			 30 * CLOCK_SECOND);
	assert_null(config->scheduler);
}

/* CF1, CF4: and every other default. */
WORLD_CASE(test_cf1_cf4_no_files)
{
	config_world_good(world, &(struct config_request){ 0 });
	const struct config *config = world->config;
	assert_fallback(config);
	assert_true(world->problems.list[0].warning);
	assert_wording("config.no_files", config_world_problems(world, true));
	assert_string_equal(config->environment, "development");
	assert_string_equal(config->root, ".");
	assert_string_equal(config->database.url, "sqlite3:storage/dray.sqlite3");
	assert_null(config->database.schema);
	assert_null(config->database.password_file);
	assert_int_equal(config->database.connect_timeout, 5 * CLOCK_SECOND);
	assert_int_equal(config->database.call_timeout, 30 * CLOCK_SECOND);
	assert_int_equal(config->database.retry_for, 10 * CLOCK_SECOND);
	assert_true(config->database.use_skip_locked);
	assert_int_equal(config->log.level, LOG_INFO);
	assert_int_equal(config->log.format, LOG_AUTO);
	assert_true(config->log.silence_polling);
	assert_int_equal(config->process.process_heartbeat_interval, 5 * CLOCK_SECOND);
	assert_int_equal(config->process.process_alive_threshold, 30 * CLOCK_SECOND);
	assert_int_equal(config->process.other_process_alive_threshold, 5 * CLOCK_MINUTE);
	assert_int_equal(config->process.fork_startup_timeout, 5 * CLOCK_MINUTE);
	assert_int_equal(config->process.shutdown_timeout, 5 * CLOCK_SECOND);
	assert_null(config->process.supervisor_pidfile);
	assert_true(config->process.preserve_finished_jobs);
	assert_int_equal(config->process.clear_finished_jobs_after, CLOCK_DAY);
	assert_int_equal(config->process.default_concurrency_control_period, 3 * CLOCK_MINUTE);
	assert_null(config->process.time_zone);
	assert_int_equal(config->class_count, 0);
	assert_null(config_class_find(config, "A"));
}

/* CF2, CF3: nothing said about processes. */
WORLD_CASE(test_cf2_cf3_fallback)
{
	static const char *const texts[] = {
		"# nothing\n",    "---\n", "log: {level: debug}\n",
		"development:\n", "{}\n",  "workers:\ndispatchers: ~\nscheduler: null\n",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		config_world_text(world, texts[i]);
		assert_fallback(world->config);
		assert_int_equal(world->problems.count, 0); /* CF19 */
	}
}

/* CF5, CF6, CF7, CF8: the kinds that are named, with defaults filled in, and no others. */
WORLD_CASE(test_cf5_to_cf8_entries)
{
	config_world_text(world,
			  "workers:\n  - queues: a\n  - {queues: [b, 'c*'], threads: 7}\n"
			  "  - {processes: 3, polling_interval: 2, unknown_classes: leave}\n");
	const struct config *config = world->config;
	assert_int_equal(config->worker_count, 3);
	assert_int_equal(config->dispatcher_count, 0);
	assert_null(config->scheduler);
	assert_string_equal(config->workers[0].queues[0], "a");
	assert_int_equal(config->workers[0].threads, 3);
	assert_int_equal(config->workers[1].queue_count, 2);
	assert_string_equal(config->workers[1].queues[1], "c*");
	assert_int_equal(config->workers[1].threads, 7);
	assert_string_equal(config->workers[2].queues[0], "*");
	assert_int_equal(config->workers[2].processes, 3);
	assert_int_equal(config->workers[2].polling_interval, 2 * CLOCK_SECOND);
	assert_int_equal(config->workers[2].unknown_classes, UNKNOWN_LEAVE);

	config_world_text(world,
			  "dispatchers: [{batch_size: 10, concurrency_maintenance: false}]\n");
	assert_int_equal(world->config->worker_count, 0);
	assert_int_equal(world->config->dispatcher_count, 1);
	assert_int_equal(world->config->dispatchers[0].batch_size, 10);
	assert_false(world->config->dispatchers[0].concurrency_maintenance);

	config_world_text(world, "scheduler: {dynamic_tasks_enabled: true}\n");
	assert_int_equal(world->config->worker_count + world->config->dispatcher_count, 0);
	assert_non_null(world->config->scheduler);
	assert_true(world->config->scheduler->dynamic_tasks_enabled);
	assert_int_equal(world->config->scheduler->polling_interval, 5 * CLOCK_SECOND);
}

/* CF17: the part about processes. */
WORLD_CASE(test_cf17_no_processes)
{
	config_world_write("config/queue.yml", "workers: []\ndispatchers: []\n");
	config_world_refused(world, &(struct config_request){ 0 }, "config.no_processes");
}

/* CF18, CF20: a warning does not refuse the file and comes once, however often it is loaded. */
WORLD_CASE(test_cf18_cf20_warnings)
{
	for (int i = 0; i < 2; i++) {
		config_world_text(world, "dispatchers: [{batch_maintenance: false}]\n");
		assert_int_equal(world->problems.count, 1);
		assert_true(world->problems.list[0].warning);
	}
}

WORLD_CASE(test_rails_file)
{
	config_world_write("config/queue.yml",
			   "default: &default\n"
			   "  dispatchers:\n"
			   "    - polling_interval: 1\n"
			   "      batch_size: 500\n"
			   "  workers:\n"
			   "    - queues: \"*\"\n"
			   "      threads: 3\n"
			   "      processes: <%= ENV.fetch(\"JOB_CONCURRENCY\", 1) %>\n"
			   "      polling_interval: 0.1\n"
			   "\n"
			   "development:\n  <<: *default\n"
			   "\n"
			   "production:\n  <<: *default\n");
	config_world_write("config/jobs.yml", "jobs: {}\n");
	assert_int_equal(setenv("JOB_CONCURRENCY", "4", 1), 0);
	config_world_good(world, &(struct config_request){ .environment = "production" });
	assert_int_equal(unsetenv("JOB_CONCURRENCY"), 0);
	assert_int_equal(world->problems.count, 0);
	assert_int_equal(world->config->workers[0].processes, 4);
	config_world_good(world, &(struct config_request){ 0 });
	assert_fallback(world->config);
	assert_string_equal(config_origin(world->config, "workers[0].processes"),
			    "config/queue.yml:8");
	assert_string_equal(config_origin(world->config, "workers[0].unknown_classes"), "default");
}

WORLD_CASE(test_environment)
{
	config_world_queue(world, "development: {workers: [{threads: 1}]}\n"
				  "test: {workers: [{threads: 2}]}\n"
				  "production: {workers: [{threads: 3}]}\n"
				  "staging: {workers: [{threads: 4}]}\n");
	assert_int_equal(world->config->workers[0].threads, 1);
	assert_int_equal(setenv("RACK_ENV", "staging", 1), 0);
	config_world_good(world, &(struct config_request){ 0 });
	assert_int_equal(world->config->workers[0].threads, 4);
	assert_int_equal(setenv("RAILS_ENV", "test", 1), 0);
	config_world_good(world, &(struct config_request){ 0 });
	assert_int_equal(world->config->workers[0].threads, 2);
	assert_int_equal(setenv("DRAY_ENV", "production", 1), 0);
	config_world_good(world, &(struct config_request){ 0 });
	assert_int_equal(world->config->workers[0].threads, 3);
	assert_string_equal(world->config->environment, "production");
	config_world_good(world, &(struct config_request){ .environment = "staging" });
	assert_int_equal(world->config->workers[0].threads, 4);
	config_world_refused(world, &(struct config_request){ .environment = "other" },
			     "config.unknown_environment");
}

WORLD_CASE(test_beside_environments)
{
	config_world_text(
		world, "database: {url: 'sqlite3:all', schema: s}\n"
		       "shutdown_timeout: 10\n"
		       "development: {database: {url: 'sqlite3:mine'}, fork_startup_timeout: 7}\n"
		       "production: {shutdown_timeout: 99}\n");
	assert_string_equal(world->config->database.url, "sqlite3:mine");
	assert_string_equal(world->config->database.schema, "s");
	assert_int_equal(world->config->process.shutdown_timeout, 10 * CLOCK_SECOND);
	assert_int_equal(world->config->process.fork_startup_timeout, 7 * CLOCK_SECOND);
	assert_fallback(world->config);
	assert_string_equal(config_origin(world->config, "database.url"), "config/queue.yml:3");
	assert_string_equal(config_origin(world->config, "database.schema"), "config/queue.yml:1");
}

static void assert_database(struct config_world *world, const char *url, const char *origin)
{
	assert_string_equal(world->config->database.url, url);
	assert_string_equal(config_origin(world->config, "database.url"), origin);
}

WORLD_CASE(test_database_precedence)
{
	config_world_text(world, "{}\n");
	assert_database(world, "sqlite3:storage/dray.sqlite3", "default");
	assert_int_equal(setenv("DATABASE_URL", "sqlite3:last", 1), 0);
	config_world_text(world, "{}\n");
	assert_database(world, "sqlite3:last", "DATABASE_URL");
	config_world_text(world, "database:\n  url: sqlite3:file\n");
	assert_database(world, "sqlite3:file", "config/queue.yml:2");
	assert_int_equal(setenv("DRAY_DATABASE_URL", "", 1), 0);
	config_world_good(world, &(struct config_request){ 0 });
	assert_database(world, "sqlite3:file", "config/queue.yml:2");
	assert_int_equal(setenv("DRAY_DATABASE_URL", "sqlite3:ours", 1), 0);
	config_world_good(world, &(struct config_request){ 0 });
	assert_database(world, "sqlite3:ours", "DRAY_DATABASE_URL");
	config_world_good(world, &(struct config_request){ .database_url = "sqlite3:said" });
	assert_database(world, "sqlite3:said", "the command line");
}

static const char *shown(struct config_world *world, const char *path)
{
	const struct config_value *values = NULL;
	size_t count = config_show(world->config, &values);
	for (size_t i = 0; i < count; i++)
		if (strcmp(values[i].path, path) == 0)
			return values[i].value;
	return NULL;
}

WORLD_CASE(test_secrets)
{
	config_world_write("config/queue.yml",
			   "database: {url: 'postgres://me:hush@host/db?password=hush'}\n");
	config_world_write("config/jobs.yml",
			   "jobs:\n  A: {command: [a, \"b\\\"\"], environment: [A, T=hush]}\n");
	config_world_good(world, &(struct config_request){ 0 });
	const struct config_value *values = NULL;
	size_t count = config_show(world->config, &values);
	for (size_t i = 0; i < count; i++)
		assert_null(strstr(values[i].value, "hush"));
	assert_non_null(strstr(shown(world, "database.url"), "host/db"));
	assert_string_equal(shown(world, "jobs.A.environment"), "A, T=***");
	assert_string_equal(shown(world, "jobs.A.command"), "[\"a\", \"b\\\"\"]");
	assert_string_equal(shown(world, "jobs.A.limits.cpu"), "inherited");
	assert_string_equal(shown(world, "database.schema"), "none");
	assert_string_equal(shown(world, "process_alive_threshold"), "30s");
	assert_string_equal(shown(world, "workers[0].queues"), "*");
	assert_null(shown(world, "workers[0].fibers"));
}

/* The files of the host's units, where the user has no folder config. */
WORLD_CASE(test_the_system_folder)
{
	const struct config_request request = { .system = "system" };

	assert_int_equal(rename("config", "system"), 0);
	config_world_write("system/queue.yml", "production: {workers: [{queues: there}]}\n"
					       "development: {workers: [{queues: here}]}\n");
	config_world_write("system/jobs.yml", "jobs:\n  A: {command: [\"true\"]}\n");
	config_world_good(world, &request);
	assert_string_equal(world->config->home, "system");
	assert_string_equal(world->config->environment, "production");
	assert_string_equal(world->config->workers[0].queues[0], "there");
	assert_int_equal(world->config->class_count, 1);
#ifdef DRAY_FAULTS /* only such builds have the host elsewhere */
	assert_wording("config.system_folder", config_world_problems(world, true));
#endif
	config_world_good(world, &(struct config_request){ .system = "system",
							   .environment = "development" });
	assert_string_equal(world->config->workers[0].queues[0], "here");
	config_world_good(world, &(struct config_request){ .system = "system",
							   .config_file = "system/queue.yml" });
	assert_string_equal(world->config->environment, "production");
	assert_string_equal(world->config->workers[0].queues[0], "there");
	config_world_good(world, &(struct config_request){ .system = "system",
							   .environment = "development",
							   .config_file = "system/queue.yml" });
	assert_string_equal(world->config->workers[0].queues[0], "here");
	config_world_good(world, &(struct config_request){ .system = "nowhere" });
	assert_null(world->config->home);
	assert_fallback(world->config);
	assert_int_equal(mkdir("config", 0755), 0);
	config_world_good(world, &request);
	assert_null(world->config->home);
	assert_string_equal(world->config->environment, "development");
}

/* Not those of the command line; and --root is for all of them. */
WORLD_CASE(relative_paths_in_the_system_folder_start_where_the_service_runs)
{
	struct config_request request = { .system = "system",
					  .state = "/state",
					  .url_below = db_url_below };

	assert_int_equal(rename("config", "system"), 0);
	config_world_write("system/queue.yml", "production:\n"
					       "  database: {password_file: secret}\n"
					       "  supervisor_pidfile: /run/dray.pid\n");
	config_world_good(world, &request);
	assert_string_equal(world->config->state, "/state");
	assert_string_equal(world->config->database.url, "sqlite3:/state/storage/dray.sqlite3");
	assert_string_equal(world->config->database.password_file, "/state/secret");
	assert_string_equal(world->config->process.supervisor_pidfile, "/run/dray.pid");
	request.database_url = "sqlite3:mine.sqlite3";
	config_world_good(world, &request);
	assert_string_equal(world->config->database.url, "sqlite3:mine.sqlite3");
	assert_string_equal(world->config->database.password_file, "/state/secret");
	request.root = ".";
	config_world_good(world, &request);
	assert_string_equal(world->config->state, ".");
	assert_string_equal(world->config->database.password_file, "secret");
	assert_int_equal(rename("system", "config"), 0);
}

/* Whatever names the file: what counts is which folder it is in. */
WORLD_CASE(each_file_of_the_system_folder_has_its_paths_there)
{
	struct config_request request = { .system = "system",
					  .state = "/state",
					  .url_below = db_url_below,
					  .config_file = "config/../system/queue.yml",
					  .jobs_file = "config/jobs.yml" };

	assert_int_equal(mkdir("system", 0755), 0);
	config_world_write("system/queue.yml", "database: {url: \"sqlite3:jobs.sqlite3\"}\n");
	config_world_write("system/jobs.yml", "jobs: {Echo: {command: [echo]}}\n");
	config_world_write("config/queue.yml", "database: {password_file: secret}\n");
	config_world_write("config/jobs.yml", "jobs: {Echo: {command: [echo]}}\n");
	config_world_good(world, &request);
	assert_null(world->config->home);
	assert_string_equal(world->config->state, "/state");
	assert_string_equal(world->config->database.url, "sqlite3:/state/jobs.sqlite3");
	assert_string_equal(config_start(world->config, world->config->classes[0].file), ".");
	request.config_file = NULL;
	request.jobs_file = "system/jobs.yml";
	config_world_good(world, &request);
	assert_string_equal(world->config->state, "/state");
	assert_string_equal(world->config->database.password_file, "secret");
	assert_string_equal(config_start(world->config, world->config->classes[0].file), "/state");
	request.jobs_file = NULL;
	config_world_good(world, &request);
	assert_null(world->config->state);
}

/* A folder that is there and cannot be looked into is not one without files. */
WORLD_CASE(test_a_system_folder_of_others)
{
	const struct config_request request = { .system = "system" };
	bool root = geteuid() == 0;

	assert_int_equal(rename("config", "system"), 0);
	config_world_write("system/queue.yml", "production: {}\n");
	assert_int_equal(chmod("system", 0), 0);
	assert_int_equal(chmod(world->directory, 0755), 0);
	if (root)
		assert_int_equal(seteuid(65534), 0);
	enum status status = config_world_load(world, &request);
	enum status told = config_world_load(
		world, &(struct config_request){ .system = "system",
						 .database_url = "sqlite3:mine.sqlite3" });
	if (root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(chmod("system", 0755), 0);
	assert_int_equal(status, STATUS_INVALID);
	assert_int_equal(told, STATUS_OK);
	assert_null(world->config->home);
}
