/*
 * What the dead leave behind: jobs that take their worker with them do so a bounded number of times
 * (FL9, FL11), the dead are pruned and buried whatever happens meanwhile (FS10, FS11, PY1, BS3) and
 * remembered for an hour, and a row that stays is told (IN10).
 */
#include "db/driver.h"
#include "tests/support/queue.h"
#include "tests/support/sites/site.h"

#define OTHERS 20

#define CRASH_MODULE "module: " BINARY_DIR "/tests/modules/crash.so"

#define ONE_WORKER                                                                                 \
	"log: {level: debug}\n"                                                                    \
	"process_heartbeat_interval: 0.5\n"                                                        \
	"workers:\n  - {threads: 3, polling_interval: 0.02}\n"

#define TWO_WORKERS                                                                                \
	"process_heartbeat_interval: 0.2\n"                                                        \
	"workers:\n  - {queues: background, threads: 3, polling_interval: 0.02}\n"                 \
	"  - {queues: default, threads: 5, polling_interval: 0.02}\n"

/* Leave ends its process with status 1, Crash aborts it. */
#define CLASSES                                                                                    \
	"  Crash: {" CRASH_MODULE "}\n"                                                            \
	"  Nothing: {" CRASH_MODULE "}\n"                                                          \
	"  Log: {command: [sh, -c, 'echo $DRAY_JOB_ID >>done']}\n"                                 \
	"  Mended: {command: [sh, -c, 'echo >>begun; test -e mended || exec sleep 60']}\n"

static void prepare(struct site *site, const char *settings, const char *leave)
{
	site_queue_yml(site, settings);
	site_jobs_yml(site, arena_printf(site->arena, CLASSES "  Leave: {%s}\n", leave));
}

static void prepare_two(struct site *site)
{
	prepare(site, TWO_WORKERS, CRASH_MODULE);
}

/* jobs that kill */

static void assert_failed(struct site *site, int64_t id, int64_t losses, const char *ending)
{
	struct error error = { 0 };
	struct job job;

	site_await(site, id, JOB_FAILED);
	assert_ok(job_find(site->db, site->arena, id, &job, &error), &error);
	assert_int_equal(job.losses, losses);
	assert_contains(job.error, "\"SolidQueue::Processes::ProcessExitError\"");
	assert_contains(job.error, ending);
	assert_contains(job.error, "\"backtrace\":null");
}

/* Before, beside and after it: they all finish, whatever the worker goes through. */
SITE_CASE(test_fl11_a_poison_job_fails_and_nobody_else)
{
	prepare(site, ONE_WORKER, CRASH_MODULE);
	site_enqueue_many(site, "Nothing", "default", OTHERS / 2);
	int64_t poison = site_enqueue(site, "Crash");
	site_enqueue_many(site, "Nothing", "default", OTHERS / 2);
	site_start(site, 2);
	assert_failed(site, poison, 4, "Received unhandled signal 6.");
	site_await_jobs(site, JOB_FINISHED, OTHERS);
	assert_int_equal(site_jobs_in(site, JOB_FAILED), 1);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_logged(site, "\"process.buried\""), 4);
}

/* `on_lost: fail` of one class, while the others run again. */
SITE_CASE(test_fl9_a_class_that_fails_at_its_first_loss)
{
	prepare(site, ONE_WORKER, CRASH_MODULE ", on_lost: fail");
	int64_t leaves = site_enqueue(site, "Leave");

	site_enqueue_many(site, "Nothing", "default", OTHERS);
	site_start(site, 2);
	assert_failed(site, leaves, 1, "Exited with status 1.");
	site_await_jobs(site, JOB_FINISHED, OTHERS);
	assert_int_equal(site_jobs_in(site, JOB_FAILED), 1);
}

/* As Solid Queue does it, for everything. */
SITE_CASE(test_on_lost_fail_for_all)
{
	prepare(site, "on_lost: fail\nworkers:\n  - {threads: 1, polling_interval: 0.02}\n",
		CRASH_MODULE);
	int64_t leaves = site_enqueue(site, "Leave");

	site_start(site, 2);
	assert_failed(site, leaves, 1, "Exited with status 1.");
}

/* the dead */

static void add_process(struct site *site, const char *name, const char *heartbeat)
{
	sql_execute(site->db,
		    "INSERT INTO solid_queue_processes (kind, name, pid, "
		    "last_heartbeat_at, created_at) VALUES ('Worker', '%s', 1, "
		    "'%s', '2026-01-01 00:00:00')",
		    name, heartbeat);
}

#define NAMED "SELECT count(*) FROM solid_queue_processes WHERE name = "

SITE_CASE(test_fs10_who_is_silent_at_the_start_is_pruned)
{
	prepare_two(site);
	add_process(site, "worker-expired", "2026-01-01 00:00:00");
	add_process(site, "worker-fresh", "2999-01-01 00:00:00");
	site_start(site, 4);
	site_await_log(site, "\"processes.pruned\"", 1);
	assert_int_equal(site_int(site, NAMED "'worker-expired'"), 0);
	assert_int_equal(site_int(site, NAMED "'worker-fresh'"), 1);
	test_execute(site->db, "DELETE FROM solid_queue_processes WHERE name = 'worker-fresh'");
}

/* Of what it buries the supervisor says who and where; what is long gone it forgets. */
SITE_CASE(test_the_gone_are_remembered_for_an_hour)
{
	prepare_two(site);
	sql_do(site, "INSERT INTO dray_gone (process_id, kind, name, pid, last_heartbeat_at, "
		     "how, released, failed, gone_at) VALUES (1, 'Worker', 'old', 1, "
		     "'2026-01-01 00:00:00', 'Exited.', 0, 0, '2026-01-01 00:00:00')");
	site_start(site, 3);
	site_await_int(site, "SELECT count(*) FROM dray_gone WHERE name = 'old'", 0);
	struct process_row worker = site_await_row(site, "Worker", "background", 0);
	assert_int_equal(kill(worker.pid, SIGKILL), 0);
	site_await_log(site, "\"process.buried\"", 1);
	site_await_log(site, arena_printf(site->arena, "\"host\":\"%s\"", worker.hostname), 1);
	site_await_int(
		site,
		arena_printf(site->arena,
			     "SELECT count(*) FROM dray_gone WHERE name = '%s' AND hostname = "
			     "'%s' AND pid = %d AND how = 'Received unhandled signal 9.'",
			     worker.name, worker.hostname, worker.pid),
		1);
	site_await_rows(site, NULL, 3);
}

#define CHILDREN_OF "SELECT count(*) FROM solid_queue_processes WHERE supervisor_id = "

/* Presumed dead, as after being frozen: it registers again, and its children follow. */
SITE_CASE(test_py1_fs11_recovery_without_the_supervisors_row)
{
	prepare_two(site);
	site_start(site, 3);
	int64_t job = site_begin(site, 1, "Mended", "--queue", "background");
	struct process_row worker = site_await_row(site, "Worker", "background", 0);
	int64_t old = site_await_row(site, "Supervisor(fork)", "", 0).id;
	site_write(site, "mended", "");
	test_execute(site->db, "DELETE FROM solid_queue_processes WHERE kind = 'Supervisor(fork)'");
	assert_int_equal(kill(worker.pid, SIGKILL), 0);
	(void)site_await_row(site, "Worker", "background", worker.id);
	site_await(site, job, JOB_FINISHED);
	site_await_log(site, "\"process.buried\"", 1);
	site_await_log(site, "\"released\":1", 1);
	site_await_log(site, "\"supervisor.lost\"", 1);
	int64_t supervisor = site_await_row(site, "Supervisor(fork)", "", old).id;
	site_await_int(site, arena_printf(site->arena, CHILDREN_OF "%lld", (long long)supervisor),
		       2);
	site_await_rows(site, NULL, 3);
}

/* No process row can be deleted, until drop is executed. */
static const struct {
	const char *create, *drop;
} stubborn[DB_DIALECTS] = {
	[DB_SQLITE] = { "CREATE TRIGGER stubborn BEFORE DELETE ON solid_queue_processes"
			" BEGIN SELECT RAISE(ABORT, 'not now'); END",
			"DROP TRIGGER stubborn" },
	[DB_POSTGRESQL] = { "CREATE FUNCTION stubborn() RETURNS trigger LANGUAGE plpgsql"
			    " AS 'BEGIN RAISE EXCEPTION ''not now''; END';"
			    "CREATE TRIGGER stubborn BEFORE DELETE ON solid_queue_processes"
			    " FOR EACH ROW EXECUTE FUNCTION stubborn()",
			    "DROP TRIGGER stubborn ON solid_queue_processes" },
	[DB_MYSQL] = { "CREATE TRIGGER stubborn BEFORE DELETE ON solid_queue_processes"
		       " FOR EACH ROW SIGNAL SQLSTATE '45000'",
		       "DROP TRIGGER stubborn" },
};

/* The dead one's jobs cannot be given back: it is replaced all the same, and buried later. */
SITE_CASE(test_bs3_a_burial_that_fails_delays_no_replacement)
{
	prepare_two(site);
	enum db_dialect dialect = db_dialect_of(site->db);

	site_start(site, 3);
	struct process_row worker = site_await_row(site, "Worker", "background", 0);
	test_execute(site->db, stubborn[dialect].create);
	assert_int_equal(kill(worker.pid, SIGKILL), 0);
	site_await_rows(site, "Worker", 3);
	site_run(site, "Log", "--queue", "background");
	assert_int_equal(site_logged(site, "\"process.buried\""), 0);
	test_execute(site->db, stubborn[dialect].drop);
	site_await_log(site, "\"process.buried\"", 1);
	site_await_rows(site, "Worker", 2);
}

/* IN10: who cannot take its row away says so, with the reason, and ends all the same. */
SITE_CASE(test_in10_a_row_that_stays_is_told)
{
	prepare_two(site);
	enum db_dialect dialect = db_dialect_of(site->db);

	site_start(site, 3);
	site_await_log(site, "\"process.started\"", 2);
	test_execute(site->db, stubborn[dialect].create);
	assert_int_equal(kill(site->start.pid, SIGTERM), 0);
	(void)site_finish(site);
	test_execute(site->db, stubborn[dialect].drop);
	assert_int_equal(site_logged(site, "\"process.not_deregistered\""), 2);
	assert_int_equal(site_logged(site, "\"supervisor.not_deregistered\""), 1);
	site_await_rows(site, NULL, 3);
}
