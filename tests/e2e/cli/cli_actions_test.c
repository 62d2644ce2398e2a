/* dray retry, discard, cancel, run-now, move, reprioritize and clear, by filter. */
#include <fcntl.h>
#include <sys/wait.h>

#include "tests/support/limited.h"
#include "tests/support/sites/cli.h"

/* Queue and priority of the job, then of its row in a table of executions. */
static void assert_place(struct test_db *test, const char *table, int64_t id, const char *expected)
{
	const char *sql = arena_printf(test->arena,
				       "SELECT j.queue_name, j.priority, e.queue_name, e.priority "
				       "FROM solid_queue_jobs j JOIN solid_queue_%s_executions e "
				       "ON e.job_id = j.id WHERE j.id = %lld",
				       table, (long long)id);

	assert_string_equal(test_query_text(test->arena, test->url, sql), expected);
}

static int64_t put_later(struct test_db *test, const char *class_name, const char *key)
{
	const struct new_job job = {
		.class_name = class_name, .queue = "a", .concurrency_key = key, .delay = CLOCK_HOUR
	};

	return put_job(test->db, &job);
}

/* 1: failed, 2: in progress, 3: ready, 4: scheduled, 5: ready, with the slot that 6 waits for. */
static void put_one_of_each(struct test_db *test)
{
	declare(test, "Limited", 1, LIMIT_BLOCK);
	(void)put(test->db, "a", 0);
	(void)put(test->db, "a", 0);
	struct claim *claims = take_all(test, register_worker(test->db, "worker-1"), 2);
	assert_true(settle_one(test->db, &claims[claims[0].job.id == 1 ? 0 : 1], OUTCOME_FAILED));
	(void)put(test->db, "a", 3);
	(void)put_later(test, "Later", NULL);
	int64_t first = put_limited(test, "Limited", "k");
	(void)put_limited(test, "Limited", "k");
	assert_int_equal(state_of(test, first), JOB_READY);
	test_execute(test->db, "UPDATE solid_queue_jobs SET queue_name = 'a'");
	test_execute(test->db, "UPDATE solid_queue_ready_executions SET queue_name = 'a'");
	test_execute(test->db, "UPDATE solid_queue_blocked_executions SET queue_name = 'a'");
}

DB_CASE(test_move)
{
	put_one_of_each(test);
	assert_json(test_cli(test, "move", "--queue", "b", "--from", "a", "--yes", "--json"), 0,
		    "{'moved': 4}");
	assert_audited(test, "move 4 done waiting jobs of queue a to queue b");
	assert_place(test, "ready", 3, "b 3 b 3\n");
	assert_place(test, "scheduled", 4, "b 0 b 0\n");
	assert_place(test, "ready", 5, "b 0 b 0\n");
	assert_place(test, "blocked", 6, "b 0 b 0\n");
	assert_json(test_cli(test, "move", "--queue", "c", "--state", "failed", "--yes", "--json"),
		    0, "{'moved': 1}");
	assert_code(test_cli(test, "retry", "1"), 0);
	assert_place(test, "ready", 1, "c 0 c 0\n");
	assert_told("move.one_of_three", EXIT_ERROR,
		    test_cli(test, "move", "--queue", "d", "2", "3", "77"));
	assert_slots_add_up(test);
	test_invariant(test->db);
}

DB_CASE(test_reprioritize)
{
	put_one_of_each(test);
	assert_json(test_cli(test, "reprioritize", "--priority=-7", "--all", "--yes", "--json"), 0,
		    "{'reprioritized': 4}");
	assert_audited(test, "reprioritize 4 done waiting jobs to priority -7");
	assert_place(test, "ready", 3, "a -7 a -7\n");
	assert_place(test, "scheduled", 4, "a -7 a -7\n");
	assert_place(test, "blocked", 6, "a -7 a -7\n");
	assert_code(test_cli(test, "reprioritize", "--priority", "9", "3"), 0);
	assert_place(test, "ready", 3, "a 9 a 9\n");
	test_invariant(test->db);
}

DB_CASE(test_run_now)
{
	declare(test, "Limited", 1, LIMIT_BLOCK);
	int64_t plain = put_later(test, "Later", NULL);
	int64_t first = put_later(test, "Limited", "k");
	int64_t second = put_later(test, "Limited", "k");
	int64_t ready = put(test->db, "a", 0);
	assert_told("run_now.refused", EXIT_ERROR,
		    test_cli(test, "run-now", "4", "--reason", "it is late"));
	assert_json(test_cli(test, "run-now", "--class", "Limited", "--yes", "--json"), 0,
		    "{'released': 2}");
	assert_audited(test, "run-now 2 done scheduled jobs of class Limited");
	assert_states(test, plain, JOB_SCHEDULED, first, JOB_READY, second, JOB_BLOCKED);
	assert_json(test_cli(test, "run-now", "--json", "1"), 0, "{'released': 1}");
	assert_states(test, plain, JOB_READY, ready, JOB_READY);
	assert_count(test, 0, "solid_queue_jobs WHERE scheduled_at > updated_at");
	assert_slots_add_up(test);
	test_invariant(test->db);
}

DB_CASE(test_cancel)
{
	put_one_of_each(test);
	assert_told("cancel.refused", EXIT_ERROR, test_cli(test, "cancel", "1", "2", "77"));
	assert_told("cancel.done", 0, test_cli(test, "cancel", "3", "--reason", "a mistake"));
	assert_audited(test, "cancel 1 done jobs 3");
	assert_contains(test_cli(test, "job", "3").output, ": a mistake");
	assert_json(test_cli(test, "job", "3", "--json"), 0,
		    "{'state': 'finished', 'timeline': [{'event': 'enqueued'}, {'event': "
		    "'cancelled', 'detail': '...'}, {'event': 'finished'}]}");
	assert_json(test_cli(test, "cancel", "--state=scheduled", "--dry-run", "--json"), 0,
		    "{'count': 1}");
	assert_json(test_cli(test, "cancel", "--class", "Limited", "--yes", "--json"), 0,
		    "{'cancelled': 2}");
	assert_audited(test, "cancel 2 done unfinished jobs of class Limited");
	assert_slots_add_up(test);
	test_invariant(test->db);
}

/* What the end of the first one makes ready does not get away. */
DB_CASE(test_who_waits_for_a_slot_is_discarded)
{
	put_one_of_each(test);
	assert_json(test_cli(test, "discard", "--class", "Limited", "--yes", "--json"), 0,
		    "{'discarded': 2}");
	assert_slots_add_up(test);
}

DB_CASE(test_dry_run_changes_nothing)
{
	put_one_of_each(test);
	assert_told("discard.dry_run", 0,
		    test_cli(test, "discard", "--state", "ready", "--dry-run"));
	assert_json(test_cli(test, "move", "--queue=b", "--all", "--dry-run", "--json"), 0,
		    "{'count': 4, 'sample': [{}, {}, {}, {}]}");
	assert_json(test_cli(test, "retry", "--all", "--dry-run", "--json"), 0, "{'count': 1}");
	assert_json(test_cli(test, "retry", "--state=failed", "--dry-run", "--json"), 0,
		    "{'count': 1}");
	assert_json(test_cli(test, "run-now", "--state=scheduled", "--dry-run", "--json"), 0,
		    "{'count': 1}");
	assert_int_equal(rows_of(test, "jobs"), 6);
	assert_int_equal(test_query_int(test->url, "SELECT count(*) FROM dray_audit"), 0);
}

DB_CASE(test_refused_lines)
{
	static const char *const wrong[][6] = {
		{ "retry", "--all" },
		{ "retry", "--queue", "a" },
		{ "retry", "--state", "ready", "--yes" },
		{ "retry", "--state", "faild", "--yes" },
		{ "run-now", "--state", "failed", "--yes" },
		{ "retry", "1", "--queue", "a" },
		{ "retry", "0" },
		{ "retry", "1", "--dry-run" },
		{ "discard", "--queue", "a", "--yes" },
		{ "cancel", "--queue", "a", "--yes" },
		{ "cancel", "--state", "failed", "--yes" },
		{ "discard", "--state", "claimed" },
		{ "move", "1" },
		{ "move", "1", "--queue", "" },
		{ "move", "--queue", "b", "--state", "finished" },
		{ "reprioritize", "1" },
		{ "reprioritize", "1", "--priority", "high" },
		{ "reprioritize", "1", "--priority", "2147483648" },
		{ "run-now" },
	};
	struct text said = { 0 };

	put_one_of_each(test);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_refused(&said, test_cli_arguments(test, NULL, wrong[i]));
	test_said("actions.refused", &said);
	assert_int_equal(test_query_int(test->url, "SELECT count(*) FROM dray_audit"), 0);
	assert_int_equal(state_of(test, 1), JOB_FAILED);
	assert_place(test, "ready", 3, "a 3 a 3\n");
}

/* Scheduled jobs, every other one of class B. */
static void put_later_ones(struct test_db *test, size_t count)
{
	struct new_job jobs[1100];
	struct enqueued results[1100];

	for (size_t i = 0; i < count; i++)
		jobs[i] = (struct new_job){ .class_name = i % 2 ? "A" : "B",
					    .queue = "a",
					    .delay = CLOCK_HOUR };
	must(enqueue, test->db, jobs, count, results);
}

/* More than one batch, and each filter. */
DB_CASE(test_many)
{
	put_later_ones(test, 1100);
	assert_json(test_cli(test, "run-now", "--after", "40", "--yes", "--json"), 0,
		    "{'released': 1060}");
	assert_json(test_cli(test, "move", "--queue", "b", "--class", "A", "--yes", "--json"), 0,
		    "{'moved': 550}");
	assert_audited(test, "move 550 done waiting jobs of class A to queue b");
	assert_json(test_cli(test, "discard", "--state", "ready", "--queue", "b", "--before",
			     "1001", "--yes", "--json"),
		    0, "{'discarded': 480}");
	assert_int_equal(rows_of(test, "jobs"), 620);
	assert_int_equal(rows_of(test, "scheduled_executions"), 40);
	test_invariant(test->db);
}

static void wait_for_signal(int number)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, number);
	(void)signal(number, SIG_DFL);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	(void)kill(getpid(), number);
}

/* The exit status of a command that finds, after its first batch, that it was interrupted. */
static int interrupted(const struct test_db *test, int number, const char *const *arguments)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		wait_for_signal(number);
		test_cli_become(test, arguments);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

#define INTERRUPTED(test, number, ...)                                                             \
	interrupted((test), (number), (const char *const[]){ __VA_ARGS__, NULL })

/* What was begun is done, nothing is done by half, and the same once more does the rest. */
DB_CASE(test_interrupted_between_batches)
{
	put_later_ones(test, 600);
	assert_int_equal(INTERRUPTED(test, SIGINT, "run-now", "--all", "--yes"), 130);
	assert_audited(test, "run-now 500 interrupted scheduled jobs");
	assert_int_equal(rows_of(test, "ready_executions"), 500);
	assert_json(test_cli(test, "run-now", "--all", "--yes", "--json"), 0, "{'released': 100}");
	assert_int_equal(INTERRUPTED(test, SIGTERM, "move", "--queue", "b", "--from", "a", "--yes"),
			 143);
	assert_audited(test, "move 500 interrupted waiting jobs of queue a to queue b");
	assert_int_equal(INTERRUPTED(test, SIGINT, "discard", "--state", "ready", "--yes"), 130);
	assert_audited(test, "discard 500 interrupted ready jobs");
	assert_int_equal(rows_of(test, "jobs"), 100);
	test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
	test_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = '2026-01-01 00:00:00'");
	assert_int_equal(INTERRUPTED(test, SIGTERM, "clear", "--older-than=1s"), 143);
	assert_audited(test, "clear 100 interrupted jobs finished more than 1 s ago");
	test_invariant(test->db);
}

DB_CASE(test_clear)
{
	int64_t worker = register_worker(test->db, "worker-1");

	put_one_of_each(test);
	for (int i = 0; i < 3; i++)
		(void)put(test->db, i == 0 ? "b" : "c", -1);
	finish_claims(test, take_all(test, worker, 3 + 2), 3);
	test_execute(test->db, "UPDATE solid_queue_jobs SET created_at = '2020-01-01 00:00:00', "
			       "updated_at = '2020-01-01 00:00:00'");
	assert_json(test_cli(test, "clear", "--older-than=0", "--dry-run", "--json"), 0,
		    "{'count': 3}");
	assert_json(test_cli(test, "clear", "--older-than=0", "--dry-run", "--queue=b", "--json"),
		    0, "{'count': 1}");
	assert_json(test_cli(test, "clear", "--json"), 0, "{'cleared': 0}");
	assert_json(test_cli(test, "clear", "--older-than=0", "--class=No", "--json"), 0,
		    "{'cleared': 0}");
	assert_json(test_cli(test, "clear", "--older-than=0", "--queue=b", "--json"), 0,
		    "{'cleared': 1}");
	assert_audited(test, "clear 1 done jobs finished more than 0 s ago of queue b");
	assert_wording("clear.done",
		       test_cli(test, "clear", "--older-than=0", "--class=Test").output);
	assert_int_equal(rows_of(test, "jobs"), 6); /* whatever is not finished, however old */
	test_invariant(test->db);
}
