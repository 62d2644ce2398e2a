/*
 * Jobs that are stopped: at shutdown_timeout, when they were given to another, and while the
 * database does not answer.
 */
#include <errno.h>

#include "tests/support/servers/forwarder.h"
#include "tests/support/sites/site.h"

#define SECONDS "3600" /* longer than any test lasts */

/* Each writes its process id to the file "begun". */
static const char jobs[] =
	"  Sleep: {command: [sh, -c, 'echo $$ >>begun; exec sleep " SECONDS "']}\n"
	"  Polite: {command: [sh, -c, 'trap \"echo >>completed; exit 0\" TERM; echo $$ >>begun; "
	"while :; do sleep 0.02; done']}\n"
	"  Deaf: {command: [sh, -c, 'trap \"\" TERM; echo $$ >>begun; while :; do sleep 0.02; "
	"done']}\n"
	"  Yield: {module: " BINARY_DIR "/tests/modules/hard.so}\n"
	"  YieldApart: {module: " BINARY_DIR "/tests/modules/hard.so, isolation: process}\n";

static void prepare(struct site *site, const char *settings, size_t processes)
{
	site_queue_yml(site, settings);
	site_jobs_yml(site, jobs);
	site_start(site, processes);
}

#define begin(site, grace)                                                                         \
	prepare((site),                                                                            \
		"shutdown_timeout: 0.2\n"                                                          \
		"stop_grace: " grace "\n"                                                          \
		"workers:\n  - {threads: 9, polling_interval: 0.02}\n",                            \
		2)

static void assert_interrupted(struct site *site, int64_t job)
{
	assert_int_equal(site_state(site, job), JOB_READY);
	assert_int_equal(site_int(site, "SELECT count(*) FROM dray_losses WHERE losses > 0"), 0);
	assert_int_equal(site_int(site, "SELECT count(*) FROM solid_queue_failed_executions"), 0);
	assert_number(site, 1,
		      arena_printf(site->arena,
				   "SELECT interruptions FROM dray_losses WHERE job_id = %lld",
				   (long long)job));
}

/* at shutdown */

SITE_CASE(test_a_job_ends_as_it_likes_when_it_is_told)
{
	begin(site, "1h");
	int64_t polite = site_enqueue(site, "Polite");
	int64_t rude = site_begin(site, 2, "Sleep");

	struct test_result result = site_stop(site, SIGTERM);
	assert_int_equal(site_state(site, polite), JOB_FINISHED);
	assert_int_equal(site_lines(site, "completed"), 1);
	assert_interrupted(site, rude);
	assert_contains(result.errors, "\"job.stopping\"");
	assert_null(strstr(result.errors, "\"job.killed\""));
}

SITE_CASE(test_a_job_that_does_not_hear_is_killed_after_the_grace)
{
	begin(site, "2");
	int64_t deaf = site_begin(site, 1, "Deaf");

	int64_t start = clock_monotonic();
	struct test_result result = site_stop(site, SIGTERM);
	assert_true(clock_monotonic() - start >= 2200 * CLOCK_MILLISECOND);
	assert_contains(result.errors, "\"job.killed\"");
	assert_interrupted(site, deaf);
}

SITE_CASE(test_functions_give_their_jobs_back)
{
	begin(site, "1h");
	int64_t thread = site_enqueue(site, "Yield");
	int64_t host = site_enqueue(site, "YieldApart");

	site_await_lines(site, "done", 2);
	(void)site_stop(site, SIGTERM);
	assert_interrupted(site, thread);
	assert_interrupted(site, host);
}

/* given away */

/* The process whose number is in that line of "begun". */
static pid_t begun(struct site *site, size_t line)
{
	const char *text = site_read(site, "begun");

	for (; line > 0; line--)
		text = strchr(text, '\n') + 1;
	return (pid_t)strtol(text, NULL, 10);
}

static pid_t busy_worker(struct site *site)
{
	return (pid_t)site_int(site, "SELECT pid FROM solid_queue_processes WHERE id = (SELECT "
				     "process_id FROM solid_queue_claimed_executions)");
}

static void await_end(struct site *site, pid_t pid)
{
	site_until(site, kill(pid, 0) < 0 && errno == ESRCH, "the end of what was given away");
	site_await_log(site, "\"reason\":\"the job was given to another worker\"", 1);
	site_await_log(site, "\"process.lost\"", 1);
}

/* Without the stop they would live for an hour. */
#define LOSING                                                                                     \
	"process_heartbeat_interval: 0.2\n"                                                        \
	"process_alive_threshold: 10\n"                                                            \
	"shutdown_timeout: 1h\n"                                                                   \
	"stop_grace: 1\n"                                                                          \
	"workers:\n  - {threads: 1, polling_interval: 0.02, processes: 2}\n"

/* The second copy runs on while the first one ends. */
SITE_CASE(test_a_frozen_workers_job_ends_when_it_thaws)
{
	prepare(site, LOSING, 3);
	int64_t job = site_begin(site, 1, "Sleep");

	pid_t worker = busy_worker(site);
	site_freeze(site, worker);
	site_silence(site, worker);
	site_await_lines(site, "begun", 2);
	assert_int_equal(kill(worker, SIGCONT), 0);
	await_end(site, begun(site, 0));
	assert_int_equal(kill(begun(site, 1), 0), 0);
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	assert_int_equal(site_int(site, "SELECT losses FROM dray_losses"), 1);
	(void)site_stop(site, SIGQUIT);
}

/* Neither a signal that it does not hear, nor that its worker was stopping already, saves it. */
SITE_CASE(test_a_deaf_job_whose_row_is_gone)
{
	prepare(site, LOSING, 3);
	(void)site_enqueue(site, "Deaf");
	site_await_lines(site, "begun", 1);
	pid_t worker = busy_worker(site);
	assert_int_equal(kill(worker, SIGTERM), 0);
	site_await_log(site, "\"process.stopping\"", 1);
	sql_execute(site->db, "DELETE FROM solid_queue_processes WHERE pid = %d", worker);
	await_end(site, begun(site, 0));
	site_await_log(site, "\"job.killed\"", 1);
	site_await_lines(site, "begun", 2); /* given back by its worker, or by the healing before */
	(void)site_stop(site, SIGQUIT);
}

/* without the database */

static const char late[] =
	"  Late:\n    timeout: 2s\n    command: [sh, -c, 'trap \"\" TERM; echo $$ >>begun; while "
	":; "
	"do sleep 0.02; done']\n"
	"  Last: {command: [sh, -c, 'echo $$ >>begun; until test -e go; do sleep 0.02; done']}\n";

/*
 * A worker that waits for its database does so for ever, and asks for nothing before one of the two
 * ends: the job, and the one of Last that is before it.
 */
static void begin_late(struct site *site, const char *url, const char *class_name)
{
	site_write(site, "config/queue.yml",
		   arena_printf(site->arena,
				"shutdown_timeout: 0.1\n"
				"stop_grace: 0.1\n"
				"database:\n  url: \"%s\"\n  retry_for: 1h\n"
				"workers:\n  - {threads: 2, polling_interval: 0.02}\n",
				url));
	site_jobs_yml(site, arena_printf(site->arena, "%s%s", late, jobs));
	site->start = site_launch(site, "worker");
	(void)site_begin(site, 1, "Last");
	(void)site_enqueue(site, class_name);
	site_await_lines(site, "begun", 2);
}

static void await_kill(struct site *site)
{
	const pid_t pid = begun(site, 1);

	/* Perhaps its worker cannot reap it yet. */
	site_until(site, strchr("Z", test_state_of(pid)), "the end of what was late");
	assert_int_equal(site_logged(site, "\"job.killed\""), 1);
}

/* The database does not come back before it is gone. */
SITE_CASE_ONLY(test_a_timeout_while_the_database_is_away, "postgresql mysql mariadb")
{
	struct forwarder forwarder;

	begin_late(site, forwarder_url(&forwarder, site->arena, site->url), "Late");
	forwarder_mode(&forwarder, FORWARDER_DROP);
	site_write(site, "go", "");
	await_kill(site);
	forwarder_mode(&forwarder, FORWARDER_PASS);
	(void)site_stop(site, SIGQUIT);
	forwarder_stop(&forwarder);
}

/*
 * Somebody holds what the worker needs to write that the job of Last has ended. Each of its tries
 * waits for that: when it has reaped the command it hears nothing any more.
 */
static struct db *block(struct site *site)
{
	struct db *other = test_db_open(site->url);
	const enum db_dialect dialect = db_dialect_of(other);

	test_execute(other, dialect == DB_SQLITE ? "BEGIN IMMEDIATE" : "BEGIN");
	if (dialect == DB_POSTGRESQL)
		test_execute(other,
			     "LOCK TABLE solid_queue_claimed_executions IN ACCESS EXCLUSIVE MODE");
	else if (dialect == DB_MYSQL)
		test_execute(other, "LOCK TABLES solid_queue_claimed_executions WRITE");
	site_write(site, "go", "");
	site_until(site, test_state_of(begun(site, 0)) == '\0', "the end of the other job");
	return other;
}

SITE_CASE(test_a_timeout_while_the_database_waits)
{
	begin_late(site, site->url, "Late");
	struct db *other = block(site);
	await_kill(site);
	db_close(other);
	(void)site_stop(site, SIGQUIT);
}

/* Its supervisor, or the service manager, does not wait for the database either. */
SITE_CASE_ONLY(test_a_stop_while_the_database_waits, "sqlite postgresql")
{
	begin_late(site, site->url, "Polite");
	struct db *other = block(site);
	assert_int_equal(kill(site->start.pid, SIGTERM), 0);
	site_await_lines(site, "completed", 1);
	db_close(other);
	struct test_result result = site_finish(site);
	assert_code(result, EXIT_STOPPED);
	/* The job was told before the worker could hear of it. */
	assert_contains(strstr(result.errors, "\"job.stopping\""), "\"process.stopping\"");
}
