/* What `dray jobs` chooses, in which order, and what it refuses, on every database. */
#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"

/*
 * 1: failed, of class A on queue a; 2: the same of class B on b; 3: ready, on a; 4: scheduled;
 * 5: blocked by 3; enqueued an hour after one another, the first at 2026-01-01 00:00.
 */
static void put_jobs(struct test_db *test)
{
	int64_t worker = register_worker(test->db, "worker-1");
	const struct new_job jobs[] = {
		{ .class_name = "A", .queue = "a", .arguments = "[\"100%_Mail\"]" },
		{ .class_name = "B", .queue = "b", .arguments = "[\"100 or more mails\"]" },
		{ .class_name = "A", .queue = "a", .concurrency_key = "k/1" },
		{ .class_name = "A", .queue = "a", .delay = CLOCK_HOUR },
		{ .class_name = "A", .queue = "a", .concurrency_key = "k/1" },
	};

	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(put_job(test->db, &jobs[i]), i + 1);
		if (i != 1)
			continue;
		struct claim *claims = take_all(test, worker, 2);
		assert_true(settle_one(test->db, &claims[0], OUTCOME_FAILED));
		assert_true(settle_one(test->db, &claims[1], OUTCOME_FAILED));
	}
	test_execute(test->db, "UPDATE solid_queue_failed_executions SET error = "
			       "'{\"message\":\"Timeout\"}' WHERE job_id = 2");
	for (int i = 0; i < 5; i++)
		sql_execute(test->db,
			    "UPDATE solid_queue_jobs SET created_at = "
			    "'2026-01-01 0%d:00:00' WHERE id = %d",
			    i, i + 1);
}

/* The numbers that are printed, in their order: "3 1 ". */
static const char *numbers(struct test_db *test, struct test_result result)
{
	const char *text = "";
	size_t i;
	json_t *job;

	assert_code(result, 0);
	json_t *jobs = test_json(result);
	json_array_foreach(jobs, i, job) text =
		arena_printf(test->arena, "%s%lld ", text, (long long)test_json_integer(job, "id"));
	json_decref(jobs);
	return text;
}

#define assert_jobs(test, expected, ...)                                                           \
	assert_string_equal(numbers((test), test_cli((test), "jobs", "--json", __VA_ARGS__)),      \
			    expected)

DB_CASE(test_filters)
{
	put_jobs(test);
	assert_jobs(test, "5 4 3 2 1 ", "--newest");
	assert_jobs(test, "2 1 ", "--state", "failed");
	assert_jobs(test, "1 ", "--state", "failed", "--queue", "a");
	assert_jobs(test, "2 ", "--class", "B");
	assert_jobs(test, "5 3 ", "--key", "k/1");
	assert_jobs(test, "5 ", "--key", "k/1", "--state", "blocked");
	assert_jobs(test, "3 2 ", "--since", "2026-01-01T01:00Z", "--until", "2026-01-01T03:00Z");
	assert_jobs(test, "4 ", "--state", "scheduled", "--since", "2026-01-01T03:00Z");
	assert_jobs(test, "", "--state", "ready", "--until", "2026-01-01T02:00Z");
	assert_jobs(test, "3 2 ", "--after", "1", "--before", "4");
	assert_jobs(test, "", "--queue", "nowhere");
}

DB_CASE(test_text)
{
	put_jobs(test);
	assert_jobs(test, "2 1 ", "--text", "MAIL");
	assert_jobs(test, "1 ", "--text", "%_");
	assert_jobs(test, "1 ", "--text", "100%", "--state", "failed");
	assert_jobs(test, "2 ", "--text", "timeOUT");
	assert_jobs(test, "2 ", "--text", "timeout", "--state", "failed", "--oldest");
	assert_jobs(test, "", "--text", "timeout", "--state", "failed", "--queue", "a");
	assert_jobs(test, "", "--text", "timeout", "--state", "ready");
	assert_jobs(test, "", "--text", "!");
}

/* A page begins where the last one ended, either way, with a state and without. */
DB_CASE(test_pages)
{
	put_jobs(test);
	assert_jobs(test, "5 4 ", "--limit", "2");
	assert_jobs(test, "3 2 ", "--limit", "2", "--before", "4");
	assert_jobs(test, "1 2 ", "--limit", "2", "--oldest");
	assert_jobs(test, "3 4 ", "--limit", "2", "--oldest", "--after", "2");
	assert_jobs(test, "1 ", "--state", "failed", "--oldest", "--limit", "1");
	assert_jobs(test, "2 ", "--state", "failed", "--oldest", "--limit", "1", "--after", "1");
	assert_jobs(test, "3 ", "--state", "ready", "--oldest");
	assert_jobs(test, "4 ", "--state", "scheduled", "--oldest");
	assert_jobs(test, "5 ", "--state", "blocked", "--oldest");
	assert_jobs(test, "", "--state", "claimed", "--oldest");
	assert_jobs(test, "", "--state", "finished", "--oldest");
}

DB_CASE_ON_EMPTY(test_wrong_filters)
{
	static const char *const wrong[][5] = {
		{ "--state", "redy" },
		{ "--since", "soon" },
		{ "--until", "1969-12-31" },
		{ "--after", "x" },
		{ "--before", "0" },
		{ "--queue", "" },
		{ "--class", "\xff" },
		{ "--limit", "0" },
		{ "--limit", "10001" },
		{ "--after", "7", "--before", "7" },
		{ "--since", "2026-01-02", "--until", "2026-01-01" },
	};
	struct text said = { 0 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_refused(&said, test_cli(test, "jobs", wrong[i][0], wrong[i][1], wrong[i][2],
					       wrong[i][3]));
	test_said("filter.refused", &said);
}
