/* dray queues, stats, why, and a job's timeline on every database. */
#include "queue/settle/cancellations.h"
#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"
#include "tests/support/torn.h"

/* A worker's row as one that serves these queues writes it. */
static int64_t serve(struct test_db *test, const char *name, const char *queues)
{
	struct process_row row = { .kind = "Worker",
				   .name = name,
				   .pid = 4711,
				   .hostname = "host-1",
				   .metadata = arena_printf(test->arena,
							    "{\"queues\":\"%s\","
							    "\"thread_pool_size\":3}",
							    queues) };

	must(process_register, test->db, &row);
	return row.id;
}

/* The queue as `dray queues` prints it, which stays in *queues, to be released. */
static const json_t *queue_of(struct test_db *test, const char *name, json_t **queues)
{
	struct test_result result = test_cli(test, "queues", "--json");
	size_t i;
	json_t *queue;

	assert_code(result, 0);
	*queues = test_json(result);
	json_array_foreach(*queues, i, queue) if (strcmp(test_json_text(queue, "name"), name) ==
						  0) return queue;
	return NULL;
}

static void assert_workers(struct test_db *test, const char *name, json_int_t workers)
{
	json_t *queues;
	const json_t *queue = queue_of(test, name, &queues);

	assert_non_null(queue);
	assert_int_equal(test_json_integer(queue, "workers"), workers);
	json_decref(queues);
}

DB_CASE(test_workers_that_serve_a_queue)
{
	put(test->db, "mail", 0);
	put(test->db, "mailing", 0);
	put(test->db, "other", 0);
	assert_contains(test_cli(test, "queues").output, "unserved");
	serve(test, "worker-1", "mail,reports");
	serve(test, "worker-2", "x, mail*");
	assert_workers(test, "mail", 2);
	assert_workers(test, "mailing", 1);
	assert_workers(test, "other", 0);
	(void)serve(test, "worker-3", "*");
	assert_workers(test, "mail", 3);
	assert_workers(test, "other", 1);
	assert_null(strstr(test_cli(test, "queues").output, "unserved"));
	fall_silent(test, "worker-3", CLOCK_DAY);
	assert_workers(test, "other", 0);
	assert_contains(test_cli(test, "queues").output, "unserved");
}

DB_CASE(test_names_are_as_the_database_sees_them)
{
	bool folds = db_dialect_of(test->db) == DB_MYSQL;

	put(test->db, "Mail", 0);
	serve(test, "worker-1", "mail");
	assert_workers(test, "Mail", folds ? 1 : 0);
}

/* Moves the time at which a job was finished. */
static void finished_ago(struct test_db *test, int64_t id, int64_t ago)
{
	char when[CLOCK_TEXT_SIZE];

	clock_format(db_now(test->db) - ago, when);
	sql_execute(test->db,
		    "UPDATE solid_queue_jobs SET finished_at = '%s' "
		    "WHERE id = %lld",
		    when, (long long)id);
}

DB_CASE(test_throughput)
{
	json_t *queues;

	int64_t worker = register_worker(test->db, "finisher");
	for (size_t i = 0; i < 4; i++)
		put(test->db, "done", 0);
	finish_jobs(test, worker, 4);
	finished_ago(test, 1, 2 * CLOCK_HOUR);
	finished_ago(test, 2, 50 * CLOCK_MINUTE);
	finished_ago(test, 3, 20 * CLOCK_MINUTE);
	finished_ago(test, 4, CLOCK_MINUTE / 1000);
	assert_json(test_cli(test, "queues", "--json"), 0,
		    "[{'name': 'done', 'finished_hour': 3, 'estimated': false, 'ready': 0}]");
	const json_t *queue = queue_of(test, "done", &queues);
	assert_true(test_json_integer(queue, "finished_minute") <= 1);
	json_decref(queues);
	for (int64_t id = 2; id <= 4; id++)
		finished_ago(test, id, CLOCK_DAY);
	assert_json(test_cli(test, "queues", "--json"), 0, "[]");
}

/* The events of a job's timeline in order, "enqueued due ready"; *detail is the last one's. */
static const char *events_of(struct test_db *test, int64_t id, const char **detail)
{
	struct test_result result =
		test_cli(test, "job", "--json", arena_printf(test->arena, "%lld", (long long)id));
	const char *events = "";
	size_t i;
	json_t *event;

	assert_code(result, 0);
	json_t *job = test_json(result);
	json_array_foreach(json_object_get(job, "timeline"), i, event)
	{
		events = arena_printf(test->arena, "%s%s%s", events, i > 0 ? " " : "",
				      test_json_text(event, "event"));
		*detail = arena_strdup(test->arena, test_json_text(event, "detail"));
		(void)test_json_text(event, "at");
	}
	json_decref(job);
	return events;
}

DB_CASE(test_timeline)
{
	int64_t waiting = put(test->db, "a", 7);
	int64_t scheduled = put_for_later(test->db, "A", "a");
	const char *detail = "";

	assert_string_equal(events_of(test, waiting, &detail), "enqueued ready");
	assert_string_equal(events_of(test, scheduled, &detail), "enqueued due");
	struct claim *claim = take_all(test, serve(test, "worker-9", "*"), 1);
	assert_string_equal(events_of(test, waiting, &detail), "enqueued claimed");
	assert_string_equal(detail, "by worker-9 on host host-1, pid 4711");
	struct test_result text = test_cli(test, "job", "1");
	assert_contains(text.output, "\nTIMELINE ");
	assert_contains(text.output, "on queue a with priority 7\n");
	assert_true(settle_one(test->db, claim, OUTCOME_FAILED));
	assert_string_equal(events_of(test, waiting, &detail), "enqueued failed");
	assert_contains(detail, ": ");
}

DB_CASE(test_timeline_of_losses_and_attempts)
{
	const char *detail = "";

	put(test->db, "a", 0);
	(void)take_all(test, serve(test, "worker-9", "*"), 1);
	(void)bury(test, "worker-9", &test_policy);
	assert_string_equal(events_of(test, 1, &detail), "enqueued lost ready");
	struct claim *claim = take_all(test, serve(test, "worker-10", "*"), 1);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	assert_string_equal(events_of(test, 1, &detail), "enqueued lost finished");
	assert_contains(detail, "the log says more");
	put(test->db, "a", 0);
	test_execute(test->db, "UPDATE solid_queue_jobs SET active_job_id = 'same', arguments = "
			       "'{\"executions\":1,\"arguments\":[]}'");
	assert_string_equal(events_of(test, 2, &detail), "attempt enqueued ready");
	assert_contains(test_cli(test, "job", "2").output, "after 1 execution by Active Job");
}

/* What the history tells of an earlier failure is not how the job failed last. */
DB_CASE(test_timeline_of_a_loss_after_a_failure)
{
	const char *detail = "";

	put(test->db, "a", 0);
	struct claim *claim = take_all(test, serve(test, "worker-9", "*"), 1);
	assert_true(settle_one(test->db, claim, OUTCOME_FAILED));
	must(job_retry, test->db, 1);
	assert_string_equal(events_of(test, 1, &detail), "enqueued failed retried ready");
	(void)take_all(test, claim->job.process_id, 1);
	(void)bury(test, "worker-9", &fail_all);
	assert_string_equal(events_of(test, 1, &detail), "enqueued failed retried failed");
	assert_contains(detail, "ProcessExitError");
}

/* However the jobs are chosen, and however often; also after failures that only Rails knows of. */
DB_CASE(test_timeline_of_retries_by_hand)
{
	const char *detail = "";
	char by[CANCEL_BY];

	cancel_by(by);
	for (int64_t id = 1; id <= 3; id++)
		put(test->db, "a", 0);
	const int64_t worker = serve(test, "worker-9", "*");
	const struct claim *claims = take_all(test, worker, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(settle_one(test->db, &claims[i], OUTCOME_FAILED));
	must(job_retry, test->db, 1);
	assert_code(test_cli(test, "retry", "2"), 0);
	assert_code(test_cli(test, "retry", "--queue", "a", "--yes"), 0);
	for (int64_t id = 1; id <= 3; id++)
		assert_string_equal(events_of(test, id, &detail), "enqueued failed retried ready");
	assert_int_equal(test_count_text(test_cli(test, "job", "3").output,
					 arena_printf(test->arena, "by %s", by)),
			 1);
	claims = take_all(test, worker, 3);
	assert_true(settle_one(test->db, &claims[0], OUTCOME_FAILED));
	test_execute(test->db, "DELETE FROM dray_attempts");
	assert_code(test_cli(test, "retry", "1"), 0);
	assert_string_equal(events_of(test, 1, &detail), "enqueued retried ready");
}

/* However many keep_attempts keeps. */
DB_CASE(test_timeline_of_many_runs)
{
	const char *detail = "";

	put(test->db, "a", 0);
	for (int i = 0; i < 100; i++)
		put_attempt(test, 1, "retried");
	assert_int_equal(test_count_text(events_of(test, 1, &detail), "retried"), 100);
	assert_int_equal(test_count_text(test_cli(test, "job", "1").output, "attempt 1"), 100);
}

/* What was cut short was retried by nobody. */
DB_CASE(test_timeline_of_an_interruption)
{
	const char *detail = "";

	put(test->db, "a", 0);
	struct claim *claim = take_all(test, serve(test, "worker-9", "*"), 1);
	assert_true(settle_one(test->db, claim, OUTCOME_INTERRUPTED));
	assert_string_equal(events_of(test, 1, &detail), "enqueued interrupted ready");
	claim = take_all(test, claim->job.process_id, 1);
	assert_true(settle_one(test->db, claim, OUTCOME_FAILED));
	must(job_retry, test->db, 1);
	assert_string_equal(events_of(test, 1, &detail), "enqueued failed retried ready");
}

/* Those that ended badly stand below the living, with how, for an hour. */
DB_CASE(test_the_gone)
{
	struct burial burial = { .name = "worker-9", .pid = 4711, .how = "It was ended." };
	struct loss_result result;

	put(test->db, "a", 0);
	(void)serve(test, "worker-8", "*");
	(void)take_all(test, serve(test, "worker-9", "*"), 1);
	must(process_bury, test->db, &burial, &test_policy, &result);
	assert_wording("processes.gone", test_cli(test, "processes").output);
	assert_json(test_cli(test, "processes", "--json"), 0,
		    "[{'name': 'worker-8', 'gone_at': null, 'metadata': {'thread_pool_size': 3}}, "
		    "{'name': 'worker-9', 'hostname': "
		    "'host-1', 'how': 'It was ended.', 'released': 1, 'failed': 0, 'gone_at': "
		    "'...'}]");
	test_execute(test->db, "UPDATE dray_gone SET gone_at = '2026-01-01 00:00:00'");
	assert_json(test_cli(test, "processes", "--json"), 0, "[{'name': 'worker-8'}]");
}

DB_CASE(test_timeline_of_slots)
{
	const struct new_job limited = { .class_name = "A", .queue = "a", .concurrency_key = "k" };
	const char *detail = "";

	put_job(test->db, &limited);
	put_job(test->db, &limited);
	assert_string_equal(events_of(test, 1, &detail), "enqueued slot ready");
	assert_string_equal(events_of(test, 2, &detail), "enqueued blocked");
	assert_string_equal(detail, "it waits for the key k");
}

DB_CASE(test_why)
{
	put(test->db, "mail", 0);
	assert_code(test_cli(test, "pause", "mail", "--reason", "it\nmoves"), 0);
	assert_wording("why.paused_and_unserved", test_cli(test, "why", "1").output);
	assert_json(
		test_cli(test, "why", "--json", "1"), 0,
		"{'id': 1, 'state': 'ready', 'running': false, "
		"'reasons': [{'kind': 'queue_paused', 'reason': 'it\\nmoves', 'since': '...', "
		"'until': null}, {'kind': 'unserved'}], 'text': 'Job 1 ...it\\nmoves...No worker "
		"serves the queue mail.'}");
	assert_told("why.none", EXIT_ERROR, test_cli(test, "why", "99"));
	struct text said = { 0 };
	assert_refused(&said, test_cli(test, "why", "x"));
	assert_refused(&said, test_cli(test, "why"));
	assert_refused(&said, test_cli(test, "why", "a\nb\x1b[31m"));
	test_said("why.refused", &said);
}

/* A job whose row is gone: both commands say what is left of it, and when that goes. */
DB_CASE(test_what_is_left_of_a_job)
{
	static const char *const commands[] = { "why", "job" };
	int64_t worker = serve(test, "worker-1", "x");

	put(test->db, "a", 0);
	(void)take_all(test, worker, 1);
	put(test->db, "a", 0);
	put_for_later(test->db, "A", "a");
	torn_unguard(test);
	for (int64_t job = 4; job < 6; job++)
		torn_add(test, job == 4 ? "failed" : "blocked", job, 0);
	torn_add(test, "claimed", 6, 99);
	test_execute(test->db, "DELETE FROM solid_queue_jobs");
	for (size_t i = 0; i < 2; i++) {
		assert_json(test_cli(test, commands[i], "--json", "1"), 0,
			    "{'id': 1, 'state': 'missing', 'running': true, 'reasons': [{'kind': "
			    "'missing', 'state': 'claimed', 'since': '...', 'text': "
			    "'...worker-1...'}], 'text': '...'}");
		assert_json(test_cli(test, commands[i], "--json", "2"), 0,
			    "{'state': 'missing', 'running': false, 'reasons': [{'state': "
			    "'ready', 'text': '...queue a...'}]}");
		assert_json(test_cli(test, commands[i], "--json", "3"), 0,
			    "{'reasons': [{'state': 'scheduled'}]}");
		assert_json(test_cli(test, commands[i], "--json", "4"), 0,
			    "{'reasons': [{'state': 'failed'}]}");
		assert_json(test_cli(test, commands[i], "--json", "5"), 0,
			    "{'reasons': [{'state': 'blocked'}]}");
		assert_json(test_cli(test, commands[i], "--json", "6"), 0,
			    "{'running': false, 'reasons': [{'state': 'claimed', 'text': "
			    "'...99...'}]}");
		assert_code(test_cli(test, commands[i], "7"), EXIT_ERROR);
	}
}

/* Returns the worker. */
static int64_t fill_for_stats(struct test_db *test)
{
	const struct new_job limited = { .class_name = "A", .queue = "a", .concurrency_key = "k" };
	int64_t worker = serve(test, "worker-1", "x");

	put(test->db, "bad", 0);
	put(test->db, "good", 0);
	struct claim *claims = take_all(test, worker, 2);
	assert_true(settle_one(test->db, &claims[0], OUTCOME_FAILED));
	assert_true(settle_one(test->db, &claims[1], OUTCOME_FINISHED));
	for (int i = 0; i < 3; i++)
		put_job(test->db, &limited);
	return worker;
}

DB_CASE(test_stats)
{
	assert_code(test_cli(test, "stats"), 0);
	int64_t worker = fill_for_stats(test);
	assert_json(test_cli(test, "stats", "--json"), 0,
		    "{'ready': 1, 'blocked': 2, 'failed': 1, 'finished_hour': 1, "
		    "'unserved_queues': 1, 'oldest_queue': 'a', 'processes': [{'kind': 'Worker', "
		    "'alive': 1, 'threads': 3}], 'failures': [{'class': 'Test', 'count': 1}], "
		    "'keys': [{'key': 'k', 'waiting': 2, 'since': '...'}]}");
	assert_wording("stats.shown", test_cli(test, "stats").output);
	(void)take_all(test, worker, 1);
	assert_json(test_cli(test, "stats", "--json"), 0,
		    "{'processes': [{'threads': 3, 'busy': 1, 'leaving': 0, 'ending': 0}]}");
	/* One that is leaving has no free threads, and its jobs are no fullness of the others'. */
	sql_do(test, "UPDATE solid_queue_processes SET metadata = "
		     "'{\"queues\":\"x\",\"thread_pool_size\":3,\"leaving_since\":\"2026-01-01T00:"
		     "00:00Z\"}'");
	assert_json(test_cli(test, "stats", "--json"), 0,
		    "{'processes': [{'kind': 'Worker', 'alive': 1, 'threads': 0, 'busy': 0, "
		    "'leaving': 1, 'ending': 1}]}");
	assert_contains(test_cli(test, "top", "--once").output, "Worker 1 (1 leaving with 1 job)");
}
