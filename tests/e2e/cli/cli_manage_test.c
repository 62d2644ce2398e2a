/* dray retry, discard, queues, processes and audit on every database. */
#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"

/* Failed jobs of class A on queue a and of class B on queue b, `each` of either: from number 1. */
static void fail_jobs(struct test_db *test, int each)
{
	int64_t worker = register_worker(test->db, "worker-1");

	for (int i = 0; i < each; i++) {
		const struct new_job a = { .class_name = "A", .queue = "a" };
		const struct new_job b = { .class_name = "B", .queue = "b" };
		put_job(test->db, &a);
		put_job(test->db, &b);
	}
	struct claim *claims = take_all(test, worker, (size_t)each * 2);
	for (int i = 0; i < each * 2; i++)
		assert_true(settle_one(test->db, &claims[i], OUTCOME_FAILED));
}

DB_CASE(test_retry_by_number)
{
	fail_jobs(test, 2);
	assert_told("retry.done", 0, test_cli(test, "retry", "1", "3"));
	assert_states(test, 1, JOB_READY, 2, JOB_FAILED, 3, JOB_READY);
	struct test_result result = test_cli(test, "retry", "1", "2", "99", "--json");
	assert_wording("retry.refused", result.errors);
	assert_json(result, EXIT_ERROR,
		    "{'retried': 1, 'refused': [{'id': 1, 'reason': '...'}, {'id': 99}]}");
	assert_int_equal(state_of(test, 2), JOB_READY);
	test_invariant(test->db);
}

DB_CASE(test_retry_all)
{
	fail_jobs(test, 3);
	assert_json(
		test_cli(test, "retry", "--all", "--yes", "--queue", "a", "--class", "B", "--json"),
		0, "{'retried': 0}");
	assert_json(test_cli(test, "retry", "--all", "--yes", "--queue", "a", "--json"), 0,
		    "{'retried': 3}");
	assert_int_equal(rows_of(test, "failed_executions"), 3);
	assert_json(test_cli(test, "retry", "--all", "--yes", "--json"), 0, "{'retried': 3}");
	assert_int_equal(rows_of(test, "failed_executions"), 0);
	assert_int_equal(rows_of(test, "ready_executions"), 6);
	test_invariant(test->db);
}

DB_CASE(test_discard_by_number)
{
	fail_jobs(test, 1);
	put_for_later(test->db, "A", NULL);
	put(test->db, "c", 0);
	assert_wording("discard.done", test_cli(test, "discard", "1", "3", "4").output);
	assert_int_equal(rows_of(test, "jobs"), 1);
	put(test->db, "c", 0);
	(void)take_all(test, register_worker(test->db, "worker-2"), 1);
	assert_told("discard.refused", EXIT_ERROR, test_cli(test, "discard", "5"));
	assert_int_equal(state_of(test, 5), JOB_CLAIMED);
	test_invariant(test->db);
}

static void assert_line(struct test_db *test, const char *action, const char *target, int count)
{
	assert_json(test_cli(test, "audit", "--limit", "1", "--json"), 0,
		    arena_printf(test->arena,
				 "[{'action': '%s', 'target': '%s', 'state': 'done', 'count': %d, "
				 "'who': '...', 'host': '...'}]",
				 action, target, count));
}

/* IN11, IN13: what people do is told in the audit trail. */
DB_CASE(test_audit)
{
	fail_jobs(test, 2);
	assert_code(test_cli(test, "pause", "mail", "--reason", "it moves"), 0);
	assert_json(test_cli(test, "audit", "--json"), 0, "[{'reason': 'it moves'}]");
	assert_line(test, "pause", "queue mail", 1);
	assert_code(test_cli(test, "resume", "mail"), 0);
	assert_line(test, "resume", "queue mail", 1);
	assert_code(test_cli(test, "resume", "mail"), 0); /* nothing to do, nothing to tell */
	assert_json(test_cli(test, "audit", "--json"), 0, "[{}, {}]");
	assert_code(test_cli(test, "retry", "1", "99"), EXIT_ERROR);
	assert_line(test, "retry", "jobs 1 99", 1);
	assert_code(test_cli(test, "discard", "--state", "failed", "--queue", "b", "--yes"), 0);
	assert_line(test, "discard", "failed jobs of queue b", 2);
	put(test->db, "c", 0);
	assert_code(test_cli(test, "discard", "--class", "Test", "--queue", "c", "--yes"), 0);
	assert_line(test, "discard", "waiting jobs of queue c of class Test", 1);
	assert_code(test_cli(test, "clear", "--older-than", "1h"), 0);
	assert_line(test, "clear", "jobs finished more than 3600 s ago", 0);
	assert_code(test_cli(test, "doctor", "--repair"), 0);
	assert_line(test, "doctor", "all jobs", 0);
	assert_json(test_cli(test, "audit", "--action", "pause", "--json"), 0, "[{}]");
	assert_json(test_cli(test, "audit", "--limit", "2", "--before", "4", "--json"), 0,
		    "[{}, {}]");
	assert_json(test_cli(test, "audit", "--since", "2100-01-01T00:00:00Z", "--json"), 0, "[]");
	assert_contains(test_cli(test, "audit").output, "failed jobs of queue b");
	struct text said = { 0 };
	assert_refused(&said, test_cli(test, "audit", "--action", "puase"));
	assert_refused(&said, test_cli(test, "audit", "--limit", "10001"));
	test_said("audit.refused", &said);
}

/* Cut between characters, and what it was moved to is told however long the list is. */
DB_CASE(test_audit_of_much)
{
	static const char euro[] = "\xe2\x82\xac";
	char name[255 * 3 + 1];

	for (size_t i = 0; i < 255; i++)
		memcpy(name + i * 3, euro, sizeof(euro));
	assert_code(
		test_cli(test, "move", "--queue", name, "--from", name, "--class", name, "--yes"),
		0);
	json_t *lines = test_json(test_cli(test, "audit", "--json"));
	const char *target = test_json_text(json_array_get(lines, 0), "target");
	assert_true(strncmp(target, "waiting jobs of queue \xe2\x82\xac", 25) == 0);
	assert_contains(target, "\xe2\x82\xac... to queue \xe2\x82\xac");
	assert_null(strstr(target, "\xef\xbf\xbd"));
	assert_string_equal(target + strlen(target) - strlen(name), name);
	json_decref(lines);
}

DB_CASE(test_queues)
{
	assert_json(test_cli(test, "queues", "--json"), 0, "[]");
	fail_jobs(test, 1);
	put(test->db, "a", 0);
	put_for_later(test->db, "A", "a");
	assert_code(test_cli(test, "pause", "b"), 0);
	assert_json(test_cli(test, "queues", "--json"), 0,
		    "[{'name': 'a', 'ready': 1, 'scheduled': 1, 'claimed': 0, 'blocked': 0, "
		    "'failed': 1, 'paused': false}, {'name': 'b', 'paused': true}]");
	json_t *queues = test_json(test_cli(test, "queues", "--json"));
	assert_true(json_is_real(json_object_get(json_array_get(queues, 0), "latency")));
	json_decref(queues);
	assert_wording("queues.table", test_cli(test, "queues").output);
}

DB_CASE(test_retries_are_no_scheduled_jobs)
{
	put_for_later(test->db, "A", "a");
	put_attempt(test, put_for_later(test->db, "A", "a"), "retried");
	assert_json(test_cli(test, "queues", "--json"), 0,
		    "[{'name': 'a', 'scheduled': 1, 'retrying': 1}]");
	assert_json(test_cli(test, "stats", "--json"), 0, "{'scheduled': 1, 'retrying': 1}");
	assert_json(test_cli(test, "top", "--json"), 0,
		    "{'scheduled': 1, 'retrying': 1, 'queues': [{'scheduled': 1, 'retrying': 1}]}");
	assert_contains(test_cli(test, "top", "--once").output, " 1 scheduled, 1 retrying, 0 cl");
	assert_contains(test_cli(test, "queues").output, "  SCHEDULED  RETRYING  ");
	assert_contains(test_cli(test, "stats").output, "\nretrying  ");
	assert_json(test_cli(test, "jobs", "--state", "scheduled", "--json"), 0,
		    "[{'state': 'scheduled'}, {'state': 'scheduled'}]");
}

DB_CASE(test_processes)
{
	int64_t worker = register_worker(test->db, "worker-1");

	put(test->db, "a", 0);
	(void)take_all(test, worker, 1);
	struct test_result result = test_cli(test, "processes", "--json");
	assert_json(result, 0,
		    arena_printf(test->arena,
				 "[{'id': %lld, 'kind': 'Worker', 'name': 'worker-1', 'claimed': "
				 "1, 'supervisor_id': null}]",
				 (long long)worker));
	json_t *processes = test_json(result);
	int64_t heartbeat;
	assert_ok(clock_parse(test_json_text(json_array_get(processes, 0), "last_heartbeat_at"),
			      &heartbeat),
		  NULL);
	json_decref(processes);
	assert_contains(test_cli(test, "processes").output, "worker-1");
}
