/* dray errors, and --error of the commands that take a group, on every database. */
#include "queue/payload/fingerprint.h"
#include "queue/payload/payload.h"
#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"

#define FAILURES 10000
#define INSERTED 500 /* by one statement */

static const char *cause(struct arena *arena, int i)
{
	if (i % 10 < 5)
		return arena_printf(arena, "connect to 10.0.0.%d:5432 timed out after %dms",
				    i % 250, i);
	if (i % 10 < 8)
		return arena_printf(arena, "no such file: /srv/in/%d/order-%d.csv", i % 7, i);
	return arena_printf(arena, "Order '%x' is locked by user%d@example.com", i * 7919, i);
}

/* In the history alone, as if their jobs had been retried since. */
static void put_failures(struct test_db *test, int64_t job)
{
	char time[CLOCK_TEXT_SIZE];
	struct arena *arena = arena_new();

	clock_format_short(db_now(test->db), time);
	for (int i = 0; i < FAILURES; i += INSERTED) {
		struct text sql = { 0 };
		text_add(&sql, "INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, "
			       "ended_at, outcome, error, error_group) VALUES ");
		for (int k = i; k < i + INSERTED; k++)
			text_printf(&sql,
				    "%s(%" PRId64 ", %d, 1, '%s', '%s', 'retried', '%s', '%s')",
				    k > i ? ", " : "", job, k, time, time,
				    "{\"exception_class\":\"E\",\"message\":\"m\"}",
				    fingerprint(arena, "E", cause(arena, k)));
		test_execute(test->db, text_string(&sql));
		text_free(&sql);
		arena_clear(arena);
	}
	arena_free(arena);
}

DB_CASE(ten_thousand_failures_of_three_causes_are_three_groups)
{
	put_failures(test, put(test->db, "mail", 0));
	assert_json(test_cli(test, "errors", "--json"), 0,
		    "{'failures': 10000, 'groups': [{'count': 5000, 'message': 'm'}, "
		    "{'count': 3000, 'message': 'm'}, {'count': 2000, 'message': 'm'}]}");
	assert_json(test_cli(test, "errors", "--json", "--limit", "1"), 0,
		    "{'group_count': 3, 'read_from': null, 'groups': [{'classes': ['Test']}]}");
	assert_json(test_cli(test, "errors", "--json", "--since", "2999-01-01"), 0,
		    "{'groups': [], 'failures': 0}");
}

/* The oldest is not counted. */
DB_CASE_ONLY(more_than_a_hundred_thousand_are_not_read, "sqlite")
{
	sql_execute(test->db,
		    "INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, "
		    "outcome, error_group) WITH RECURSIVE runs (i) AS (SELECT 1 UNION ALL SELECT "
		    "i + 1 FROM runs WHERE i <= 100000) SELECT %" PRId64
		    ", i, 1, t, t, 'retried', 'a' FROM (SELECT i, strftime('%%Y-%%m-%%d "
		    "%%H:%%M:%%f', 'now', (-i / 10) || ' seconds') AS t FROM runs)",
		    put(test->db, "mail", 0));
	assert_json(test_cli(test, "errors", "--json"), 0,
		    "{'failures': 100000, 'groups': [{'count': 100000}]}");
	assert_contains(test_cli(test, "errors").output, "100k+");
	/* However much of what is no failure is newer. */
	test_execute(test->db,
		     "UPDATE dray_attempts SET outcome = 'retried_by_hand', error_group = "
		     "NULL WHERE attempt <= 100000");
	assert_json(test_cli(test, "errors", "--json"), 0, "{'failures': 1, 'read_from': null}");
}

/* These jobs end so; one with a group fails in a run, one without is Rails'. */
static void fail_jobs(struct test_db *test, const char *const groups[], size_t count)
{
	const int64_t worker = register_worker(test->db, "w");
	struct outcome outcomes[8];

	for (size_t i = 0; i < count; i++)
		(void)put(test->db, "mail", 0);
	const struct claim *claims = take_all(test, worker, count);
	for (size_t i = 0; i < count; i++)
		outcomes[i] = (struct outcome){
			.claim = claim_name(&claims[i]),
			.kind = OUTCOME_FAILED,
			.error = payload_error(test->arena, "Dray::ExitStatusError",
					       "sh exited with status 3", "before\nwhy it failed",
					       65535),
			.attempt = 1,
			.group = groups[i],
		};
	settle_outcomes(test, outcomes, count, true);
}

DB_CASE(a_group_is_shown_retried_and_discarded)
{
	fail_jobs(test, (const char *[]){ "0000aaaa", "0000bbbb", "0000aaaa", NULL }, 4);
	assert_json(test_cli(test, "errors", "--json"), 0,
		    "{'groups': [{'group': '0000aaaa', 'count': 2, 'job': 3, 'message': 'why it "
		    "failed'}, {'group': '0000bbbb', 'count': 1}], 'failed_without_group': 1}");
	assert_json(test_cli(test, "errors", "0000aaaa", "--json"), 0,
		    "{'error': {'message': 'sh exited with status 3'}, "
		    "'runs': [{'job': 3, 'outcome': 'failed', 'attempt': 1}, {'job': 1}]}");
	assert_told("errors.list", 0, test_cli(test, "errors"));
	assert_told("errors.group", 0, test_cli(test, "errors", "0000bbbb"));
	assert_told("errors.jobs", 0, test_cli(test, "jobs", "--error", "0000aaaa"));
	assert_json(test_cli(test, "jobs", "--json", "--error", "0000aaaa"), 0,
		    "[{'id': 3, 'state': 'failed'}, {'id': 1}]");
	assert_json(test_cli(test, "job", "2", "--json"), 0, "{'group': '0000bbbb'}");
	assert_json(test_cli(test, "why", "2", "--json"), 0,
		    "{'reasons': [{'group': '0000bbbb'}]}");
	assert_json(test_cli(test, "discard", "--error", "0000bbbb", "--yes", "--json"), 0,
		    "{'discarded': 1}");
	assert_json(test_cli(test, "retry", "--error", "0000aaaa", "--yes", "--json"), 0,
		    "{'retried': 2}");
	assert_states(test, 1, JOB_READY, 4, JOB_FAILED);
	assert_count(test, 2, "dray_attempts WHERE outcome = 'retried_by_hand' AND attempt = 0");
	assert_json(test_cli(test, "errors", "--json"), 0,
		    "{'failures': 2, 'groups': [{'group': '0000aaaa', 'count': 2}]}");
	assert_json(test_cli(test, "jobs", "--json", "--error", "0000aaaa"), 0, "[]");
}

/* How a job fails last is what counts. */
DB_CASE(a_job_is_in_the_group_of_its_last_failure)
{
	fail_jobs(test, (const char *[]){ "0000aaaa" }, 1);
	(void)retry_failed(test, NULL);
	const struct claim *claims = take_all(test, register_worker(test->db, "v"), 1);
	struct outcome outcome = { .claim = claim_name(claims),
				   .kind = OUTCOME_FAILED,
				   .error = test_failure,
				   .attempt = 2,
				   .group = "0000bbbb" };
	settle_outcomes(test, &outcome, 1, true);
	assert_json(test_cli(test, "jobs", "--json", "--error", "0000aaaa"), 0, "[]");
	assert_json(test_cli(test, "jobs", "--json", "--error", "0000bbbb"), 0, "[{'id': 1}]");
	/* As Rails fails a job, which writes no history. */
	test_execute(test->db, "UPDATE solid_queue_failed_executions SET error = '{}'");
	assert_json(test_cli(test, "jobs", "--json", "--error", "0000bbbb"), 0, "[]");
	assert_json(test_cli(test, "job", "1", "--json"), 0, "{'group': null}");
	assert_json(test_cli(test, "errors", "--json"), 0, "{'failed_without_group': 1}");
}

/* What succeeded is in the history of some classes, too, and is no failure. */
DB_CASE(what_is_no_failure_has_no_group)
{
	put_attempt(test, put(test->db, "mail", 0), "finished");
	assert_json(test_cli(test, "errors", "--json"), 0, "{'groups': [], 'failures': 0}");
}

DB_CASE(what_is_no_group_is_refused)
{
	assert_told("errors.none", 0, test_cli(test, "errors"));
	assert_told("errors.unknown", EXIT_ERROR, test_cli(test, "errors", "0000aaaa"));
	assert_told("errors.no_group", EXIT_USAGE, test_cli(test, "errors", "oops"));
	assert_told("errors.other_state", EXIT_USAGE,
		    test_cli(test, "jobs", "--error", "0000aaaa", "--state", "ready"));
}
