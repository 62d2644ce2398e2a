/* dray enqueue, jobs and job on every database. */
#include <string.h>

#include "common/process.h"
#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"

static json_t *run_json(struct test_db *test, struct test_result result)
{
	(void)test;
	assert_code(result, 0);
	return test_json(result);
}

/* The job with this number as `dray job` prints it, to be released. */
static json_t *job_of(struct test_db *test, json_int_t id)
{
	return run_json(test, test_cli(test, "job", "--json",
				       arena_printf(test->arena, "%lld", (long long)id)));
}

/* Enqueues and gives the job back, to be released. */
static json_t *enqueued(struct test_db *test, struct test_result result)
{
	json_t *printed = run_json(test, result);
	json_t *job = job_of(test, test_json_integer(printed, "id"));

	assert_string_equal(test_json_text(job, "active_job_id"),
			    test_json_text(printed, "active_job_id"));
	assert_string_equal(test_json_text(job, "queue"), test_json_text(printed, "queue"));
	json_decref(printed);
	return job;
}

static void assert_arguments(const json_t *job, const char *expected)
{
	json_t *wanted = json_loads(expected, 0, NULL);

	assert_non_null(wanted);
	if (!json_equal(wanted, json_object_get(job, "arguments")))
		fail_msg("arguments are not %s", expected);
	json_decref(wanted);
}

TEST(test_enqueue_now)
{
	struct test_db *test = *state;
	json_t *job = enqueued(test, test_cli(test, "enqueue", "A", "x", "--json", "ö=", "1"));

	assert_string_equal(test_json_text(job, "class"), "A");
	assert_string_equal(test_json_text(job, "queue"), "default");
	assert_string_equal(test_json_text(job, "state"), "ready");
	assert_int_equal(test_json_integer(job, "priority"), 0);
	assert_arguments(job, "[\"x\", \"ö=\", \"1\"]");
	assert_true(json_is_null(json_object_get(json_object_get(job, "payload"), "priority")));
	test_json_null(job, "finished_at");
	test_json_null(job, "concurrency_key");
	test_json_null(job, "error");
	json_decref(job);
	test_invariant(test->db);
}

TEST(test_enqueue_named_arguments)
{
	struct test_db *test = *state;
	json_t *job = enqueued(test, test_cli(test, "enqueue", "--json", "A", "first", "to=ann",
					      "a_1=b=c", "--", "-x", "9=3", "empty="));

	assert_arguments(job, "[\"first\", \"-x\", \"9=3\", {\"to\": \"ann\", \"a_1\": \"b=c\","
			      "\"empty\": \"\", \"_aj_ruby2_keywords\": [\"to\", \"a_1\", "
			      "\"empty\"]}]");
	json_decref(job);
	struct test_result twice = test_cli(test, "enqueue", "A", "to=1", "to=2");
	assert_code(twice, EXIT_USAGE);
	assert_contains(twice.errors, "dray: argument \"to\" is given twice\n");
	assert_code(test_cli(test, "enqueue", "A", "_aj_symbol=1"), EXIT_USAGE);
	assert_code(test_cli(test, "enqueue", "A", "\xff"), EXIT_USAGE);
	assert_int_equal(rows_of(test, "jobs"), 1);
}

TEST(test_enqueue_json_arguments)
{
	struct test_db *test = *state;
	json_t *job = enqueued(test, test_cli(test, "enqueue", "--json", "A", "--json-args",
					      "[1, {\"a\": null}]"));

	assert_arguments(job, "[1, {\"a\": null}]");
	json_decref(job);
	job = enqueued(test,
		       test_cli(test, "enqueue", "--json", "A", "--json-args", "{\"k\": [2.5]}"));
	assert_arguments(job, "[{\"k\": [2.5], \"_aj_ruby2_keywords\": [\"k\"]}]");
	json_decref(job);
	job = enqueued(test, test_cli(test, "enqueue", "--json", "A", "--json-args", "[1, {}]",
				      "--json-keywords", " {\"k\": 2}"));
	assert_arguments(job, "[1, {}, {\"k\": 2, \"_aj_ruby2_keywords\": [\"k\"]}]");
	json_decref(job);
	job = enqueued(test,
		       test_cli(test, "enqueue", "--json", "A", "--json-keywords", "{\"k\": 2}"));
	assert_arguments(job, "[{\"k\": 2, \"_aj_ruby2_keywords\": [\"k\"]}]");
	json_decref(job);
	struct test_result result = test_cli(test, "enqueue", "A", "--json-args", "[1,");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "dray: arguments: line 1, column");
	assert_code(test_cli(test, "enqueue", "A", "--json-args", "7"), EXIT_USAGE);
	result = test_cli(test, "enqueue", "A", "--json-args", "{}", "--json-keywords", "{}");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "dray: arguments: an object already holds keywords");
	result = test_cli(test, "enqueue", "A", "--json-keywords", "[1]");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "dray: keywords: expected a JSON object");
	assert_code(test_cli(test, "enqueue", "A", "--json-keywords", "{\"a\":"), EXIT_USAGE);
	assert_int_equal(rows_of(test, "jobs"), 4);
}

TEST(test_enqueue_later)
{
	struct test_db *test = *state;
	json_t *job = enqueued(test, test_cli(test, "enqueue", "--json", "A", "--at",
					      "2999-12-24T18:00:00+01:00", "--priority", "-7",
					      "--queue", "slow", "--concurrency-key", "k/1"));

	assert_string_equal(test_json_text(job, "state"), "scheduled");
	assert_string_equal(test_json_text(job, "scheduled_at"), "2999-12-24T17:00:00.000000000Z");
	assert_string_equal(test_json_text(job, "queue"), "slow");
	assert_string_equal(test_json_text(job, "concurrency_key"), "k/1");
	assert_int_equal(test_json_integer(job, "priority"), -7);
	json_decref(job);
	job = enqueued(test, test_cli(test, "enqueue", "--json", "A", "--in", "1h30m"));
	int64_t created;
	int64_t scheduled;
	assert_ok(clock_parse(test_json_text(job, "created_at"), &created), NULL);
	assert_ok(clock_parse(test_json_text(job, "scheduled_at"), &scheduled), NULL);
	assert_int_equal(scheduled - created, 90 * CLOCK_MINUTE);
	json_decref(job);
	job = enqueued(test, test_cli(test, "enqueue", "--json", "A", "--at", "1999-01-01"));
	assert_string_equal(test_json_text(job, "state"), "ready");
	json_decref(job);
	test_invariant(test->db);
}

TEST(test_enqueue_says_so)
{
	struct test_db *test = *state;
	struct test_result result = test_cli(test, "enqueue", "A");

	assert_code(result, 0);
	assert_contains(result.output, "enqueued job 1 (");
	assert_contains(result.output, ") on queue default\n");
	assert_string_equal(result.errors, "dray: warning: class A is not in jobs.yml\n");
	result = test_cli(test, "enqueue", "A", "--quiet");
	assert_code(result, 0);
	assert_string_equal(result.output, "");
	assert_string_equal(result.errors, "");
	struct test_result refused = test_cli(test, "enqueue", "A", "--queue", "");
	assert_code(refused, EXIT_USAGE);
	assert_contains(refused.errors, "dray: the queue is missing\n");
	assert_int_equal(rows_of(test, "jobs"), 2);
}

/* Five jobs: 1 and 2 ready on a and b, 3 scheduled, 4 failed, 5 claimed. */
static void five_jobs(struct test_db *test)
{
	int64_t worker = register_worker(test->db, "worker-1");
	struct claim *claims;

	const struct new_job jobs[] = {
		{ .class_name = "Early", .queue = "a" },
		{ .class_name = "Bad", .queue = "b", .arguments = "[1]" },
	};
	put_job(test->db, &jobs[1]);
	put_job(test->db, &jobs[1]);
	claims = take_all(test, worker, 2);
	assert_true(settle_one(test->db, &claims[0], OUTCOME_FAILED));
	assert_true(settle_one(test->db, &claims[1], OUTCOME_FINISHED));
	put_job(test->db, &jobs[0]);
	const struct new_job later = { .class_name = "Late", .queue = "a", .delay = CLOCK_HOUR };
	put_job(test->db, &later);
}

static void assert_ids(struct test_db *test, struct test_result result, const char *expected)
{
	json_t *jobs = run_json(test, result);
	char ids[200] = "";
	size_t index;
	json_t *job;

	json_array_foreach(jobs, index, job)(void)
		snprintf(ids + strlen(ids), sizeof(ids) - strlen(ids), "%s%lld",
			 index > 0 ? " " : "", (long long)test_json_integer(job, "id"));
	assert_string_equal(ids, expected);
	json_decref(jobs);
}

TEST(test_jobs_filters)
{
	struct test_db *test = *state;

	five_jobs(test);
	assert_ids(test, test_cli(test, "jobs", "--json"), "4 3 2 1");
	assert_ids(test, test_cli(test, "jobs", "--json", "--queue", "a"), "4 3");
	assert_ids(test, test_cli(test, "jobs", "--json", "--class", "Bad"), "2 1");
	assert_ids(test, test_cli(test, "jobs", "--json", "--state", "failed"), "1");
	assert_ids(test, test_cli(test, "jobs", "--json", "--state", "finished"), "2");
	assert_ids(test, test_cli(test, "jobs", "--json", "--state", "ready"), "3");
	assert_ids(test, test_cli(test, "jobs", "--json", "--state", "scheduled"), "4");
	assert_ids(test, test_cli(test, "jobs", "--json", "--state", "blocked"), "");
	assert_ids(test, test_cli(test, "jobs", "--json", "--limit", "2"), "4 3");
	assert_ids(test, test_cli(test, "jobs", "--json", "--limit", "2", "--before", "3"), "2 1");
	assert_ids(test, test_cli(test, "jobs", "--json", "--queue", "nobody's"), "");
}

TEST(test_jobs_table)
{
	struct test_db *test = *state;

	five_jobs(test);
	struct test_result result = test_cli(test, "jobs");
	assert_code(result, 0);
	assert_contains(result.output, "ID  STATE      QUEUE  PRIORITY  SINCE ");
	assert_contains(result.output, " 4  scheduled  a             0  20");
	assert_contains(result.output, "  Bad    TestError: no\n");
	assert_null(strchr(result.output, '\033'));
	assert_string_equal(result.errors, "");
	assert_contains(test_cli(test, "jobs", "--color").output, "\033[31mfailed\033[0m");
}

TEST(test_job_shows_everything)
{
	struct test_db *test = *state;

	five_jobs(test);
	json_t *job = job_of(test, 1);
	json_t *error = json_object_get(job, "error");
	assert_string_equal(test_json_text(job, "state"), "failed");
	assert_string_equal(test_json_text(error, "exception_class"), "TestError");
	assert_string_equal(test_json_text(error, "message"), "no");
	assert_string_equal(test_json_text(json_object_get(job, "payload"), "job_class"), "Bad");
	const char *id = test_json_text(job, "active_job_id");
	assert_ok(clock_parse(test_json_text(job, "since"), &(int64_t){ 0 }), NULL);
	struct test_result text = test_cli(test, "job", id);
	assert_code(text, 0);
	assert_contains(text.output, "job                  1\n");
	assert_contains(text.output, "state                failed\n");
	assert_contains(text.output, "\npayload\n{\n  \"job_class\": \"Bad\",\n");
	assert_contains(text.output, "\nerror\n{\n  \"exception_class\": \"TestError\",\n");
	json_decref(job);
	struct test_result nothing = test_cli(test, "job", "999");
	assert_code(nothing, EXIT_ERROR);
	assert_string_equal(nothing.errors, "dray: job 999: no such job\n");
	assert_code(test_cli(test, "job", "01a1fc66-9d0b-7c3b-9f55-8a1b2c3d4e5f"), EXIT_ERROR);
}

/* What a terminal would obey, and what would break the line. */
TEST(test_jobs_print_no_control_characters)
{
	struct test_db *test = *state;
	const struct new_job job = { .class_name = "A\033[2J\nB", .queue = "q\xc2\x9b" };

	put_job(test->db, &job);
	struct test_result result = test_cli(test, "jobs");
	assert_code(result, 0);
	assert_contains(result.output, "A?[2J B");
	assert_null(strchr(result.output, '\033'));
	assert_null(strstr(result.output, "\xc2\x9b"));
	json_t *jobs = run_json(test, test_cli(test, "jobs", "--json"));
	assert_string_equal(test_json_text(json_array_get(jobs, 0), "class"), job.class_name);
	json_decref(jobs);
}
