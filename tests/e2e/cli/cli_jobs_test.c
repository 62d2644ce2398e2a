/* dray enqueue, jobs and job on every database. */
#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"

/* The job with this number as `dray job` prints it, to be released. */
static json_t *job_of(struct test_db *test, json_int_t id)
{
	struct test_result result =
		test_cli(test, "job", "--json", arena_printf(test->arena, "%lld", (long long)id));

	assert_code(result, 0);
	return test_json(result);
}

/* Enqueues and gives the job back, to be released. */
static json_t *enqueued(struct test_db *test, struct test_result result)
{
	assert_code(result, 0);
	json_t *printed = test_json(result);
	json_t *job = job_of(test, test_json_integer(printed, "id"));

	assert_string_equal(test_json_text(job, "active_job_id"),
			    test_json_text(printed, "active_job_id"));
	assert_string_equal(test_json_text(job, "queue"), test_json_text(printed, "queue"));
	json_decref(printed);
	return job;
}

/* Enqueued with exactly these arguments. */
static void assert_enqueued(struct test_db *test, struct test_result result, const char *arguments)
{
	json_t *job = enqueued(test, result);
	json_t *wanted = json_loads(arguments, 0, NULL);

	assert_non_null(wanted);
	if (!json_equal(wanted, json_object_get(job, "arguments")))
		fail_msg("arguments are not %s", arguments);
	json_decref(wanted);
	json_decref(job);
}

DB_CASE(test_enqueue_now)
{
	assert_enqueued(test, test_cli(test, "enqueue", "A", "x", "--json", "ö=", "1"),
			"[\"x\", \"ö=\", \"1\"]");
	assert_json(test_cli(test, "job", "1", "--json"), 0,
		    "{'class': 'A', 'queue': 'default', 'state': 'ready', 'priority': 0, "
		    "'payload': {'priority': null}, 'finished_at': null, 'concurrency_key': null, "
		    "'error': null}");
	test_invariant(test->db);
}

DB_CASE(test_enqueue_named_arguments)
{
	assert_enqueued(test,
			test_cli(test, "enqueue", "--json", "A", "first", "to=ann", "a_1=b=c", "--",
				 "-x", "9=3", "SGVsbG8="),
			"[\"first\", \"-x\", \"9=3\", \"SGVsbG8=\", {\"to\": \"ann\", "
			"\"a_1\": \"b=c\", \"_aj_ruby2_keywords\": [\"to\", \"a_1\"]}]");
	assert_enqueued(test, test_cli(test, "enqueue", "--json", "A", "--named", "to=", "x"),
			"[\"x\", {\"to\": \"\", \"_aj_ruby2_keywords\": [\"to\"]}]");
	assert_enqueued(test, test_cli(test, "enqueue", "--json", "A", "--text", "to=ann"),
			"[\"to=ann\"]");
}

DB_CASE(test_enqueue_json_arguments)
{
	assert_enqueued(
		test, test_cli(test, "enqueue", "--json", "A", "--json-args", "[1, {\"a\": null}]"),
		"[1, {\"a\": null}]");
	assert_enqueued(test,
			test_cli(test, "enqueue", "--json", "A", "--json-args", "{\"k\": [2.5]}"),
			"[{\"k\": [2.5], \"_aj_ruby2_keywords\": [\"k\"]}]");
	assert_enqueued(test,
			test_cli(test, "enqueue", "--json", "A", "--json-args", "[1, {}]",
				 "--json-keywords", " {\"k\": 2}"),
			"[1, {}, {\"k\": 2, \"_aj_ruby2_keywords\": [\"k\"]}]");
	assert_enqueued(test,
			test_cli(test, "enqueue", "--json", "A", "--json-keywords", "{\"k\": 2}"),
			"[{\"k\": 2, \"_aj_ruby2_keywords\": [\"k\"]}]");
}

DB_CASE(test_wrong_arguments)
{
	static const char *const wrong[][4] = {
		{ "to=1", "to=2" },
		{ "_aj_symbol=1" },
		{ "\xff" },
		{ "--json-args", "[1," },
		{ "--json-args", "7" },
		{ "--json-args", "{}", "--json-keywords", "{}" },
		{ "--json-keywords", "[1]" },
		{ "--json-keywords", "{\"a\":" },
		{ "--queue", "" },
		{ "--named", "--text" },
	};
	struct text said = { 0 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_refused(&said, test_cli(test, "enqueue", "-q", "A", wrong[i][0], wrong[i][1],
					       wrong[i][2], wrong[i][3]));
	test_said("enqueue.refused", &said);
	assert_int_equal(rows_of(test, "jobs"), 0);
}

DB_CASE(test_enqueue_with_a_timeout)
{
	struct text said = { 0 };

	assert_code(test_cli(test, "enqueue", "A", "--timeout", "1m30s"), 0);
	assert_json(test_cli(test, "job", "1", "--json"), 0, "{'timeout': 90.0}");
	assert_contains(test_cli(test, "job", "1").output, "1m 30s");
	assert_code(test_cli(test, "enqueue", "A"), 0);
	assert_json(test_cli(test, "job", "2", "--json"), 0, "{'timeout': null}");
	assert_refused(&said, test_cli(test, "enqueue", "-q", "A", "--timeout", "0"));
	assert_refused(&said, test_cli(test, "enqueue", "-q", "A", "--timeout", "soon"));
	assert_refused(&said, test_cli(test, "enqueue", "-q", "A", "--timeout", "366d"));
	assert_code(test_cli(test, "enqueue", "A", "--timeout", "365d"), 0);
	test_said("enqueue.timeout", &said);
}

DB_CASE(test_enqueue_later)
{
	assert_code(test_cli(test, "enqueue", "A", "--at", "2999-12-24T18:00:00+01:00",
			     "--priority", "-7", "--queue", "slow", "--concurrency-key", "k/1"),
		    0);
	assert_json(test_cli(test, "job", "1", "--json"), 0,
		    "{'state': 'scheduled', 'scheduled_at': '2999-12-24T17:00:00.000000000Z', "
		    "'queue': 'slow', 'concurrency_key': 'k/1', 'priority': -7}");
	json_t *job = enqueued(test, test_cli(test, "enqueue", "--json", "A", "--in", "1h30m"));
	int64_t created;
	int64_t scheduled;
	assert_ok(clock_parse(test_json_text(job, "created_at"), &created), NULL);
	assert_ok(clock_parse(test_json_text(job, "scheduled_at"), &scheduled), NULL);
	assert_int_equal(scheduled - created, 90 * CLOCK_MINUTE);
	json_decref(job);
	assert_code(test_cli(test, "enqueue", "A", "--at", "1999-01-01"), 0);
	assert_json(test_cli(test, "job", "3", "--json"), 0, "{'state': 'ready'}");
	test_invariant(test->db);
}

DB_CASE(test_enqueue_says_so)
{
	assert_told("enqueue.done", 0, test_cli(test, "enqueue", "A"));
	struct test_result result = test_cli(test, "enqueue", "A", "--quiet");
	assert_code(result, 0);
	assert_string_equal(result.output, "");
	assert_string_equal(result.errors, "");
	assert_int_equal(rows_of(test, "jobs"), 2);
}

/* 1: failed, 2: ready, 3: scheduled. */
static void put_jobs(struct test_db *test)
{
	int64_t worker = register_worker(test->db, "worker-1");

	put(test->db, "b", 0);
	assert_true(settle_one(test->db, take_all(test, worker, 1), OUTCOME_FAILED));
	put(test->db, "a", 0);
	put_for_later(test->db, "Late", "a");
}

DB_CASE(test_jobs_table)
{
	put_jobs(test);
	assert_told("jobs.table", 0, test_cli(test, "jobs"));
	assert_contains(test_cli(test, "jobs", "--color").output, "\033[31mfailed\033[0m");
}

DB_CASE(test_job_shows_everything)
{
	put_jobs(test);
	assert_json(test_cli(test, "job", "1", "--json"), 0,
		    "{'state': 'failed', 'error': {'exception_class': 'TestError', 'message': "
		    "'no'}, 'payload': {'job_class': 'Test'}}");
	json_t *job = job_of(test, 1);
	const char *id = test_json_text(job, "active_job_id");
	assert_ok(clock_parse(test_json_text(job, "since"), &(int64_t){ 0 }), NULL);
	struct test_result text = test_cli(test, "job", id);
	assert_code(text, 0);
	assert_contains(text.output, "job                  1\n");
	assert_contains(text.output, "state                failed\n");
	assert_contains(text.output, "\narguments\n[]\n");
	assert_contains(text.output, "\nerror\nTestError: no\n  a:1\n");
	json_decref(job);
	assert_told("job.none", EXIT_ERROR, test_cli(test, "job", "999"));
	assert_code(test_cli(test, "job", "01a1fc66-9d0b-7c3b-9f55-8a1b2c3d4e5f"), EXIT_ERROR);
}

/* Of what workers tell of themselves; what has ended, or another one runs, is not shown. */
DB_CASE(test_jobs_that_are_slow)
{
	const int64_t ended = put(test->db, "default", 0);
	const int64_t slow = put(test->db, "default", 0);
	const char *metadata =
		arena_printf(test->arena, "{\"slow_jobs\":[%" PRId64 ",%" PRId64 "]}", ended, slow);
	int64_t other = register_worker(test->db, "worker-other");
	int64_t worker = register_process(test->db, "Worker", "worker-slow", metadata);

	finish_claims(test, take_some(test, other, 1, &(size_t){ 0 }), 1);
	(void)take_all(test, worker, 1);
	(void)put(test->db, "default", 0);
	(void)take_all(test, other, 1);
	assert_json(test_cli(test, "jobs", "--slow", "--json"), 0,
		    arena_printf(test->arena, "[{'id': %" PRId64 ", 'state': 'claimed'}]", slow));
	assert_code(test_cli(test, "jobs", "--slow", "--class", "Test"), 2);
	test_invariant(test->db);
}

/* Each keeps its value and, where 17 digits have it, its text: stored, listed and shown. */
DB_CASE(test_enqueue_fractions)
{
	static const char arguments[] = "[0.1,12345.678901234567,0.3,99999999999999999999]";

	assert_code(test_cli(test, "enqueue", "A", "--json-args", arguments), 0);
	assert_query(test, "1\n",
		     arena_printf(test->arena,
				  "SELECT count(*) FROM solid_queue_jobs "
				  "WHERE arguments LIKE '%%%s%%'",
				  arguments));
	assert_contains(test_cli(test, "jobs").output, arguments);
	assert_contains(test_cli(test, "jobs", "--json").output, " 12345.678901234567,\n");
}
