/* Tables that Rails works with, too: what dray leaves alone there without being told. */
#include "db/schema/schema.h"
#include "tests/support/sites/rails.h"
#include "tests/support/sites/site.h"

/* An empty database gets the tables that Rails makes, and ours. */
static void migrate_rails(struct site *site)
{
	size_t applied;

	test_rails_tables(site->test);
	must(schema_migrate, site->test->db, site->arena, &applied);
}

/* What `dray check` says last: who else uses the tables, and what that means. */
static const char *shared(struct site *site)
{
	const char *output = site_dray(site, "check");
	const char *found = strstr(output, "unknown_classes: auto");

	return found ? found : output;
}

static struct test_result doctor(struct site *site)
{
	return site_try(site, "doctor", "--json");
}

/* The application's jobs stay its own, though the worker takes from all queues. */
SITE_CASE_ON_EMPTY(test_jobs_of_rails_are_left_alone)
{
	migrate_rails(site);
	int64_t foreign = site_enqueue(site, "UserMailer", "--priority", "-1");

	site_enqueue_many(site, "Log", "default", 5);
	site_start(site, 3);
	site_await_done(site, 5);
	site_await_log(site, "\"taken\":\"leave\"", 1);
	site_await_log(site, "Rails made them", 1);
	assert_int_equal(site_state(site, foreign), JOB_READY);
	assert_int_equal(site_jobs_in(site, JOB_FAILED), 0);
	assert_int_equal(site_jobs_in(site, JOB_READY), 2); /* and what Rails had */
	assert_wording("check.shared", shared(site));
}

/* The first of them is enough; what Rails runs has Active Job's retries. */
SITE_CASE_ON_EMPTY(test_retries_of_limited_classes_are_warned_of)
{
	site_jobs_yml(site, "  Limited: {command: ['true'], concurrency: {to: 1}}\n"
			    "  Ruby: {run_by: other, concurrency: {to: 1}, retry: 3}\n"
			    "  Second: {command: ['true'], concurrency: {to: 1}, retry: 3}\n"
			    "  Third: {command: ['true'], concurrency: {to: 1}, retry: 3}\n");
	migrate_rails(site);
	struct test_result result = site_try(site, "check");
	assert_code(result, 0);
	assert_wording("check.retry_and_limit", result.errors);
	site_jobs_yml(site, "  Second: {command: ['true'], retry: 3}\n");
	assert_null(strstr(site_try(site, "check").errors, " and concurrency"));
	site_jobs_yml(site, "  Ends: {command: ['true'], concurrency: {to: 1}, exit: {1: fail}}\n");
	assert_null(strstr(site_try(site, "check").errors, " and concurrency"));
	site_jobs_yml(site,
		      "  Later: {command: ['true'], concurrency: {to: 1}, exit: {1: snooze 1m}}\n");
	assert_contains(site_try(site, "check").errors, "jobs.Later has exit and concurrency");
	site_jobs_yml(site, "  Note: {module: " BINARY_DIR
			    "/tests/modules/hard.so, concurrency: {to: 1}}\n");
	assert_contains(site_try(site, "check").errors, "jobs.Note has a function");
}

/* An explicit setting applies. */
SITE_CASE_ON_EMPTY(test_what_is_said_holds)
{
	migrate_rails(site);
	site_queue_yml(site, "workers:\n  - {unknown_classes: fail, polling_interval: 0.02}\n");
	int64_t foreign = site_enqueue(site, "UserMailer");
	site_start(site, 2);
	site_await(site, foreign, JOB_FAILED);
	assert_int_equal(site_logged(site, "worker.unknown_classes"), 0);
	assert_null(strstr(site_dray(site, "check"), "unknown_classes: auto"));
}

/* Nobody has seen Rails here, whose jobs come first; a class that is added has its jobs. */
SITE_CASE(test_alone_unknown_classes_are_left)
{
	int64_t foreign = site_enqueue(site, "UserMailer", "--priority", "-1");
	int64_t added = site_enqueue(site, "Added");

	site_start(site, 3);
	site_run(site, "Log");
	site_await_log(site, "worker.unknown_class\"", 1);
	assert_int_equal(site_state(site, foreign), JOB_READY);
	assert_wording("shared.not", shared(site));
	site_jobs_yml(site, "  One: {command: ['true'], concurrency: {to: 1}, retry: 3}\n");
	assert_null(strstr(site_try(site, "check").errors, "has retry"));
	site_jobs_yml(site,
		      arena_printf(site->arena, "%s  Added: {command: ['true']}\n", site_jobs));
	assert_wording("unserved.doctor", site_try(site, "doctor").output);
	assert_contains(site_dray(site, "why", site_number(site, added)),
			"jobs.yml has it now, so run `dray reload`");
	assert_contains(site_dray(site, "queues"), "Unserved on the queue");
	(void)site_dray(site, "reload");
	site_await(site, added, JOB_FINISHED);
	assert_code(doctor(site), EXIT_ERROR);
	(void)site_dray(site, "discard", "--class", "UserMailer", "--yes");
	assert_code(doctor(site), EXIT_STOPPED);
}

/* Rails is down: its process is pruned, and its jobs stay its own, at the next start, too. */
SITE_CASE(test_jobs_of_rails_that_is_down_are_left_alone)
{
	int64_t foreign = site_enqueue(site, "UserMailer");

	sql_do(site, "INSERT INTO solid_queue_processes (kind, name, pid, hostname, metadata, "
		     "last_heartbeat_at, created_at) VALUES ('Worker', 'worker-of-rails', 1, "
		     "'there', '{\"queues\":\"*\"}', '2026-01-02 03:04:05', '2026-01-02 "
		     "03:04:05')");
	for (size_t starts = 1; starts <= 2; starts++) {
		site_enqueue(site, "Log");
		site_start(site, 3);
		site_await_log(site, "\"taken\":\"leave\"", 1);
		site_await_log(site, starts == 1 ? "processes.pruned" : "was seen at", 1);
		site_await_done(site, starts);
		assert_int_equal(site_state(site, foreign), JOB_READY);
		(void)site_stop(site, SIGTERM);
	}
	assert_wording("shared.with_one_seen", shared(site));
}

SITE_CASE(test_classes_of_others_leave_unknown_ones)
{
	site_jobs_yml(site,
		      arena_printf(site->arena, "%s  ImportJob: {run_by: other}\n", site_jobs));
	int64_t foreign = site_enqueue(site, "UserMailer");
	site_enqueue(site, "Log");
	site_start(site, 3);
	site_await_done(site, 1);
	site_await_log(site, "\"taken\":\"leave\"", 1);
	site_await_log(site, "jobs.yml leaves ImportJob to other software", 1);
	assert_int_equal(site_state(site, foreign), JOB_READY);
	assert_wording("shared.by_jobs_yml", shared(site));
}

/* A thousand jobs of the application would have failed within seconds. */
SITE_CASE(test_without_classes_no_worker_starts)
{
	static const char *const commands[] = { "start", "worker", "check" };
	int64_t job = site_enqueue(site, "UserMailer");

	for (int missing = 0; missing < 2; missing++) {
		site_jobs_yml(site, "  {}\n");
		if (missing)
			assert_int_equal(remove(site_path(site, "config/jobs.yml")), 0);
		for (size_t i = 0; i < 3; i++) {
			struct test_result result = site_try(site, commands[i]);
			assert_code(result, EXIT_USAGE);
			assert_contains(result.errors,
					"no job class that dray runs is declared, so a worker has "
					"nothing to run: declare the classes in config/jobs.yml");
		}
	}
	assert_int_equal(site_state(site, job), JOB_READY);
	assert_int_equal(site_processes(site), 0);
	site_queue_yml(site, "workers: []\ndispatchers:\n  - {polling_interval: 0.05}\n");
	(void)site_dray(site, "check");
	site_start(site, 2); /* without a worker no class is needed */
}

static const char daily[] = "daily: {class: Log, schedule: every day at 9am}\n"
			    "there: {class: Log, schedule: every day at 9am Asia/Tokyo}\n";

static void expect_zone(struct site *site, const char *zone)
{
	const char *sql = arena_printf(site->arena,
				       "SELECT count(*) FROM dray_recurring_tasks WHERE task_key = "
				       "'daily' AND settings LIKE '%%\"%s\"%%'",
				       zone);

	site_write(site, "config/recurring.yml", daily);
	site_start(site, 4);
	site_await_log(site, "\"process.started\",\"role\":\"scheduler\"", 1);
	assert_int_equal(site_int(site, sql), 1);
	assert_contains(site_dray(site, "recurring", "list", "--json"),
			arena_printf(site->arena, "\"zone\": \"%s\"", zone));
	assert_contains(site_dray(site, "recurring", "list", "--json"), "\"zone\": \"Asia/Tokyo\"");
	assert_contains(site_dray(site, "recurring", "next", "daily"),
			strcmp(zone, "UTC") == 0 ? "09:00:00" : "14:00:00");
}

/* SQ2: the zone of this host is not that of the application. */
SITE_CASE_ON_EMPTY(test_schedules_without_a_zone)
{
	migrate_rails(site);
	site_write(site, "config/recurring.yml", daily);
	assert_contains(site_dray(site, "check"), "Schedules without a zone are in UTC, as in "
						  "Rails, because time_zone is not set.\n");
	expect_zone(site, "UTC");
}

SITE_CASE(test_schedules_without_a_zone_of_ones_own)
{
	site_write(site, "config/recurring.yml", daily);
	assert_null(strstr(site_dray(site, "check"), "Schedules without a zone"));
	expect_zone(site, "Etc/GMT+5");
}

/* By default, and with a class that dray could run as well. */
SITE_CASE(test_what_a_rails_worker_lost_fails)
{
	int64_t job = site_enqueue(site, "Log");

	sql_do(site, "INSERT INTO solid_queue_processes (kind, name, pid, hostname, metadata, "
		     "last_heartbeat_at, created_at) VALUES ('Worker', 'worker-1', 1, "
		     "'elsewhere', '{\"queues\":\"*\",\"thread_pool_size\":3}', '2026-01-02 "
		     "03:04:05', '2026-01-02 03:04:05')");
	test_execute(site->db, "INSERT INTO solid_queue_claimed_executions (job_id, process_id, "
			       "created_at) SELECT r.job_id, p.id, p.created_at FROM "
			       "solid_queue_ready_executions r, solid_queue_processes p");
	test_execute(site->db, "DELETE FROM solid_queue_ready_executions");
	site_start(site, 3);
	site_await(site, job, JOB_FAILED);
	assert_contains(site_dray(site, "job", site_number(site, job)),
			"SolidQueue::Processes::ProcessPrunedError");
}

#define TASKS_OF_COMMANDS "backup: {command: ['true'], schedule: every year}\n"

static void set_foreign_worker(struct site *site, const char *queues)
{
	test_execute(site->db, "DELETE FROM solid_queue_processes WHERE name = 'worker-1'");
	if (queues)
		sql_execute(site->db,
			    "INSERT INTO solid_queue_processes (kind, name, pid, "
			    "hostname, metadata, last_heartbeat_at, created_at) VALUES "
			    "('Worker', 'worker-1', 1, 'web', '{\"queues\":\"%s\"}', "
			    "'2099-01-02 03:04:05', '2026-01-02 03:04:05')",
			    queues);
}

/* It would fail the jobs: everybody who can see it says so. */
SITE_CASE(test_workers_of_rails_that_take_commands)
{
	static const char said[] =
		"worker-1 on web, of other software, also takes the queue dray_commands (queues: "
		"real*,dray*) and fails the jobs of dray's commands";

	site_write(site, "config/recurring.yml", TASKS_OF_COMMANDS);
	set_foreign_worker(site, "real*,dray*");
	struct test_result result = site_try(site, "check");
	assert_code(result, EXIT_STOPPED);
	assert_contains(result.errors, arena_printf(site->arena, "dray: warning: %s", said));
	site_start(site, 5);
	site_await_log(site, "recurring.queue_taken", 1);
	assert_contains(site_log(site), said);
	result = doctor(site);
	assert_code(result, EXIT_ERROR);
	assert_contains(result.output, "\"queue\": \"dray_commands\"");
	assert_contains(result.output, said);
	set_foreign_worker(site, "solid_queue_recurring,default");
	assert_code(doctor(site), EXIT_STOPPED);
	assert_null(strstr(site_try(site, "check").errors, "other software"));
	set_foreign_worker(site, NULL);
}

/* The queue of a task that was added at run time is in the database alone. */
SITE_CASE(test_workers_of_rails_that_take_added_commands)
{
	(void)site_dray(site, "recurring", "add", "backup", "--schedule", "every year", "--command",
			"true", "--queue", "backups");
	(void)site_dray(site, "recurring", "add", "other", "--schedule", "every year", "--class",
			"Log", "--queue", "mail");
	site_queue_yml(site, "scheduler: {dynamic_tasks_enabled: true}\n");
	set_foreign_worker(site, "mail,dray_commands");
	site_start(site, 3);
	assert_int_equal(site_logged(site, "recurring.queue_taken"), 0);
	assert_code(doctor(site), EXIT_STOPPED);
	set_foreign_worker(site, "*");
	struct test_result result = doctor(site);
	assert_code(result, EXIT_ERROR);
	assert_contains(result.output, "also takes the queue backups (queues: *)");
	assert_null(strstr(result.output, "queue mail"));
	set_foreign_worker(site, NULL);
}

/* The zone of the host, which is not that of Rails. */
static int leave_utc(void **state)
{
	(void)state;
	return setenv("TZ", "Etc/GMT+5", 1); /* NOLINT(concurrency-mt-unsafe): no thread yet */
}

GROUP(leave_utc, NULL);
