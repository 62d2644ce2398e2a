/* dray retry, discard, queues, processes and audit on every database. */
#include <string.h>

#include "common/process.h"
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

static void assert_number(struct test_result result, int code, const char *key, json_int_t number)
{
	assert_code(result, code);
	json_t *json = test_json(result);
	assert_int_equal(test_json_integer(json, key), number);
	json_decref(json);
}

TEST(test_retry_by_number)
{
	struct test_db *test = *state;

	fail_jobs(test, 2);
	struct test_result result = test_cli(test, "retry", "1", "3");
	assert_code(result, 0);
	assert_string_equal(result.output, "retried 2 jobs\n");
	assert_int_equal(state_of(test, 1), JOB_READY);
	assert_int_equal(state_of(test, 2), JOB_FAILED);
	assert_int_equal(state_of(test, 3), JOB_READY);
	result = test_cli(test, "retry", "1", "2", "99", "--json");
	assert_string_equal(result.errors, "dray: job 1: it is ready, not failed\n"
					   "dray: job 99: no such job\n");
	assert_number(result, EXIT_ERROR, "retried", 1);
	json_t *json = test_json(result);
	const json_t *refused = json_object_get(json, "refused");
	assert_int_equal(json_array_size(refused), 2);
	assert_int_equal(test_json_integer(json_array_get(refused, 1), "id"), 99);
	assert_contains(test_json_text(json_array_get(refused, 0), "reason"), "not failed");
	json_decref(json);
	assert_int_equal(state_of(test, 2), JOB_READY);
	test_invariant(test->db);
}

TEST(test_retry_all)
{
	struct test_db *test = *state;

	fail_jobs(test, 3);
	assert_number(
		test_cli(test, "retry", "--all", "--yes", "--queue", "a", "--class", "B", "--json"),
		0, "retried", 0);
	assert_number(test_cli(test, "retry", "--all", "--yes", "--queue", "a", "--json"), 0,
		      "retried", 3);
	assert_int_equal(rows_of(test, "failed_executions"), 3);
	assert_number(test_cli(test, "retry", "--all", "--yes", "--json"), 0, "retried", 3);
	assert_int_equal(rows_of(test, "failed_executions"), 0);
	assert_int_equal(rows_of(test, "ready_executions"), 6);
	test_invariant(test->db);
}

TEST(test_discard_by_number)
{
	struct test_db *test = *state;

	fail_jobs(test, 1);
	const struct new_job later = { .class_name = "A", .delay = CLOCK_HOUR };
	put_job(test->db, &later);
	put(test->db, "c", 0);
	assert_string_equal(test_cli(test, "discard", "1", "3", "4").output, "discarded 3 jobs\n");
	assert_int_equal(rows_of(test, "jobs"), 1);
	put(test->db, "c", 0);
	(void)take_all(test, register_worker(test->db, "worker-2"), 1);
	struct test_result result = test_cli(test, "discard", "5");
	assert_code(result, EXIT_ERROR);
	assert_contains(result.errors, "dray: job 5: it is running");
	assert_string_equal(result.output, "discarded 0 jobs\n");
	assert_int_equal(state_of(test, 5), JOB_CLAIMED);
	test_invariant(test->db);
}

TEST(test_discard_by_state)
{
	struct test_db *test = *state;

	fail_jobs(test, 2);
	put(test->db, "a", 0);
	struct test_result refused = test_cli(test, "discard", "--state", "claimed");
	assert_code(refused, EXIT_USAGE);
	assert_contains(refused.errors, "claimed jobs cannot be discarded");
	assert_number(
		test_cli(test, "discard", "--state", "failed", "--yes", "--class", "B", "--json"),
		0, "discarded", 2);
	assert_number(
		test_cli(test, "discard", "--state", "failed", "--yes", "--queue", "a", "--json"),
		0, "discarded", 2);
	assert_int_equal(rows_of(test, "jobs"), 1);
	assert_int_equal(rows_of(test, "ready_executions"), 1);
	test_invariant(test->db);
}

/* The line at a place of `dray audit --json`, to be freed. */
static json_t *audit_line(struct test_db *test, size_t at)
{
	json_t *lines = test_json(test_cli(test, "audit", "--json"));
	json_t *line = json_incref(json_array_get(lines, at));

	json_decref(lines);
	return line;
}

static void assert_line(struct test_db *test, size_t at, const char *action, const char *target,
			json_int_t count)
{
	json_t *line = audit_line(test, at);

	assert_string_equal(test_json_text(line, "action"), action);
	assert_string_equal(test_json_text(line, "target"), target);
	assert_string_equal(test_json_text(line, "state"), "done");
	assert_int_equal(test_json_integer(line, "count"), count);
	assert_true(json_is_string(json_object_get(line, "who")));
	assert_true(json_is_string(json_object_get(line, "host")));
	json_decref(line);
}

/* IN11, IN13: what people do is told in the audit trail. */
TEST(test_audit)
{
	struct test_db *test = *state;

	fail_jobs(test, 2);
	assert_code(test_cli(test, "pause", "mail", "--reason", "it moves"), 0);
	json_t *line = audit_line(test, 0);
	assert_string_equal(test_json_text(line, "reason"), "it moves");
	json_decref(line);
	assert_line(test, 0, "pause", "queue mail", 1);
	assert_code(test_cli(test, "resume", "mail"), 0);
	assert_line(test, 0, "resume", "queue mail", 1);
	assert_code(test_cli(test, "resume", "mail"), 0); /* nothing to do, nothing to tell */
	assert_line(test, 1, "pause", "queue mail", 1);
	assert_code(test_cli(test, "retry", "1", "99"), EXIT_ERROR);
	assert_line(test, 0, "retry", "jobs 1 99", 1);
	assert_code(test_cli(test, "discard", "--state", "failed", "--queue", "b", "--yes"), 0);
	assert_line(test, 0, "discard", "failed jobs of queue b", 2);
	assert_code(test_cli(test, "clear", "--older-than", "1h"), 0);
	assert_line(test, 0, "clear", "jobs finished more than 3600 s ago", 0);
	assert_code(test_cli(test, "doctor", "--repair"), 0);
	assert_line(test, 0, "doctor", "all jobs", 0);
	json_t *lines = test_json(test_cli(test, "audit", "--action", "pause", "--json"));
	assert_int_equal(json_array_size(lines), 1);
	json_decref(lines);
	lines = test_json(test_cli(test, "audit", "--limit", "2", "--before", "4", "--json"));
	assert_int_equal(json_array_size(lines), 2);
	json_decref(lines);
	lines = test_json(test_cli(test, "audit", "--since", "2100-01-01T00:00:00Z", "--json"));
	assert_int_equal(json_array_size(lines), 0);
	json_decref(lines);
	assert_contains(test_cli(test, "audit").output, "failed jobs of queue b");
	struct test_result wrong = test_cli(test, "audit", "--action", "puase");
	assert_code(wrong, EXIT_USAGE);
	assert_contains(wrong.errors, "did you mean \"pause\"?");
	wrong = test_cli(test, "audit", "--limit", "10001");
	assert_code(wrong, EXIT_USAGE);
	assert_contains(wrong.errors, "--limit: at most 10000");
}

/* Cut between characters, and what it was moved to is told however long the list is. */
TEST(test_audit_of_much)
{
	static const char euro[] = "\xe2\x82\xac";
	struct test_db *test = *state;
	char name[255 * 3 + 1];

	for (size_t i = 0; i < 255; i++)
		memcpy(name + i * 3, euro, sizeof(euro));
	assert_code(
		test_cli(test, "move", "--queue", name, "--from", name, "--class", name, "--yes"),
		0);
	json_t *line = audit_line(test, 0);
	const char *target = test_json_text(line, "target");
	assert_true(strncmp(target, "waiting jobs of queue \xe2\x82\xac", 25) == 0);
	assert_contains(target, "\xe2\x82\xac... to queue \xe2\x82\xac");
	assert_null(strstr(target, "\xef\xbf\xbd"));
	assert_string_equal(target + strlen(target) - strlen(name), name);
	json_decref(line);
}

TEST(test_queues)
{
	struct test_db *test = *state;

	struct test_result empty = test_cli(test, "queues", "--json");
	assert_code(empty, 0);
	assert_string_equal(empty.output, "[]\n");
	fail_jobs(test, 1);
	put(test->db, "a", 0);
	const struct new_job later = { .class_name = "A", .queue = "a", .delay = CLOCK_HOUR };
	put_job(test->db, &later);
	assert_code(test_cli(test, "pause", "b"), 0);
	json_t *queues = test_json(test_cli(test, "queues", "--json"));
	assert_int_equal(json_array_size(queues), 2);
	const json_t *a = json_array_get(queues, 0);
	assert_string_equal(test_json_text(a, "name"), "a");
	assert_int_equal(test_json_integer(a, "ready"), 1);
	assert_int_equal(test_json_integer(a, "scheduled"), 1);
	assert_int_equal(test_json_integer(a, "claimed"), 0);
	assert_int_equal(test_json_integer(a, "blocked"), 0);
	assert_int_equal(test_json_integer(a, "failed"), 1);
	assert_true(json_is_false(json_object_get(a, "paused")));
	assert_true(json_is_real(json_object_get(a, "latency")));
	assert_true(json_is_true(json_object_get(json_array_get(queues, 1), "paused")));
	json_decref(queues);
	struct test_result table = test_cli(test, "queues");
	assert_contains(table.output, "QUEUE  STATUS    READY  SCHEDULED  CLAIMED");
	assert_contains(table.output, "\nb      paused        0          0        0");
}

TEST(test_processes)
{
	struct test_db *test = *state;
	int64_t worker = register_worker(test->db, "worker-1");

	put(test->db, "a", 0);
	(void)take_all(test, worker, 1);
	json_t *processes = test_json(test_cli(test, "processes", "--json"));
	assert_int_equal(json_array_size(processes), 1);
	const json_t *process = json_array_get(processes, 0);
	assert_int_equal(test_json_integer(process, "id"), worker);
	assert_string_equal(test_json_text(process, "kind"), "Worker");
	assert_string_equal(test_json_text(process, "name"), "worker-1");
	assert_int_equal(test_json_integer(process, "claimed"), 1);
	test_json_null(process, "supervisor_id");
	int64_t heartbeat;
	assert_ok(clock_parse(test_json_text(process, "last_heartbeat_at"), &heartbeat), NULL);
	json_decref(processes);
	assert_contains(test_cli(test, "processes").output, "worker-1");
}
