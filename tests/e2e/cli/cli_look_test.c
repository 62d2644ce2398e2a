/* dray queues, stats, why, and a job's timeline on every database. */
#include <string.h>

#include "common/process.h"
#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"

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
	struct error error = { 0 };

	assert_ok(process_register(test->db, &row, &error), &error);
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

TEST(test_workers_that_serve_a_queue)
{
	struct test_db *test = *state;

	put(test->db, "mail", 0);
	put(test->db, "mailing", 0);
	put(test->db, "other", 0);
	assert_contains(test_cli(test, "queues").output, "unserved");
	serve(test, "worker-1", "mail,reports");
	serve(test, "worker-2", "x, mail*");
	assert_workers(test, "mail", 2);
	assert_workers(test, "mailing", 1);
	assert_workers(test, "other", 0);
	int64_t all = serve(test, "worker-3", "*");
	assert_workers(test, "mail", 3);
	assert_workers(test, "other", 1);
	assert_null(strstr(test_cli(test, "queues").output, "unserved"));
	test_execute(test->db, arena_printf(test->arena,
					    "UPDATE solid_queue_processes SET last_heartbeat_at = "
					    "'2026-01-01 00:00:00' WHERE id = %lld",
					    (long long)all));
	assert_workers(test, "other", 0);
	assert_contains(test_cli(test, "queues").output, "unserved");
}

TEST(test_names_are_as_the_database_sees_them)
{
	struct test_db *test = *state;
	bool folds = db_dialect_of(test->db) == DB_MYSQL;

	put(test->db, "Mail", 0);
	serve(test, "worker-1", "mail");
	assert_workers(test, "Mail", folds ? 1 : 0);
}

static void finish_some(struct test_db *test, const char *queue, size_t count)
{
	int64_t worker = register_worker(test->db, "finisher");

	for (size_t i = 0; i < count; i++)
		put(test->db, queue, 0);
	struct claim *claims = take_all(test, worker, count);
	for (size_t i = 0; i < count; i++)
		assert_true(settle_one(test->db, &claims[i], OUTCOME_FINISHED));
}

/* Moves the time at which a job was finished. */
static void finished_ago(struct test_db *test, int64_t id, int64_t ago)
{
	char when[CLOCK_TEXT_SIZE];

	clock_format(db_now(test->db) - ago, when);
	test_execute(test->db, arena_printf(test->arena,
					    "UPDATE solid_queue_jobs SET finished_at = '%s' "
					    "WHERE id = %lld",
					    when, (long long)id));
}

TEST(test_throughput)
{
	struct test_db *test = *state;
	json_t *queues;

	finish_some(test, "done", 4);
	finished_ago(test, 1, 2 * CLOCK_HOUR);
	finished_ago(test, 2, 50 * CLOCK_MINUTE);
	finished_ago(test, 3, 20 * CLOCK_MINUTE);
	finished_ago(test, 4, CLOCK_MINUTE / 1000);
	const json_t *queue = queue_of(test, "done", &queues);
	assert_non_null(queue);
	assert_int_equal(test_json_integer(queue, "finished_hour"), 3);
	assert_true(test_json_integer(queue, "finished_minute") <= 1);
	assert_true(json_is_false(json_object_get(queue, "estimated")));
	assert_int_equal(test_json_integer(queue, "ready"), 0);
	json_decref(queues);
	for (int64_t id = 2; id <= 4; id++)
		finished_ago(test, id, CLOCK_DAY);
	assert_null(queue_of(test, "done", &queues));
	json_decref(queues);
}

/* The events of a job's timeline in their order, "enqueued due ready"; *detail is the last one's.
 */
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

TEST(test_timeline)
{
	struct test_db *test = *state;
	const struct new_job later = { .class_name = "A", .queue = "a", .delay = CLOCK_HOUR };
	int64_t waiting = put(test->db, "a", 7);
	int64_t scheduled = put_job(test->db, &later);
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

TEST(test_timeline_of_losses_and_attempts)
{
	struct test_db *test = *state;
	struct burial burial = { .name = "worker-9", .pid = 4711, .how = "It was ended." };
	struct loss_result result;
	struct error error = { 0 };
	const char *detail = "";

	put(test->db, "a", 0);
	(void)take_all(test, serve(test, "worker-9", "*"), 1);
	assert_ok(process_bury(test->db, &burial, &test_policy, &result, &error), &error);
	assert_string_equal(events_of(test, 1, &detail), "enqueued lost ready");
	struct claim *claim = take_all(test, serve(test, "worker-10", "*"), 1);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	assert_string_equal(events_of(test, 1, &detail), "enqueued lost finished");
	put(test->db, "a", 0);
	test_execute(test->db, "UPDATE solid_queue_jobs SET active_job_id = 'same', arguments = "
			       "'{\"executions\":1,\"arguments\":[]}'");
	assert_string_equal(events_of(test, 2, &detail), "attempt enqueued ready");
	assert_contains(test_cli(test, "job", "2").output, "after 1 execution by Active Job");
}

/* Those that ended badly stand below the living, with how, for an hour. */
TEST(test_the_gone)
{
	struct test_db *test = *state;
	struct burial burial = { .name = "worker-9", .pid = 4711, .how = "It was ended." };
	struct loss_result result;
	struct error error = { 0 };

	put(test->db, "a", 0);
	(void)serve(test, "worker-8", "*");
	(void)take_all(test, serve(test, "worker-9", "*"), 1);
	assert_null(
		strstr(test_cli(test, "processes").output, "Ended unexpectedly in the last hour"));
	assert_ok(process_bury(test->db, &burial, &test_policy, &result, &error), &error);
	struct test_result shown = test_cli(test, "processes");
	const char *gone = strstr(shown.output, "\nEnded unexpectedly in the last hour");
	assert_non_null(gone);
	assert_null(strstr(gone, "worker-8"));
	assert_contains(gone, "worker-9  host-1  4711");
	assert_contains(gone, "It was ended.\n");
	json_t *list = test_json(test_cli(test, "processes", "--json"));
	assert_int_equal(json_array_size(list), 2);
	const json_t *living = json_array_get(list, 0);
	assert_string_equal(test_json_text(living, "name"), "worker-8");
	assert_true(json_is_null(json_object_get(living, "gone_at")));
	const json_t *dead = json_array_get(list, 1);
	assert_string_equal(test_json_text(dead, "name"), "worker-9");
	assert_string_equal(test_json_text(dead, "hostname"), "host-1");
	assert_string_equal(test_json_text(dead, "how"), "It was ended.");
	assert_int_equal(test_json_integer(dead, "released"), 1);
	assert_int_equal(test_json_integer(dead, "failed"), 0);
	assert_true(json_is_string(json_object_get(dead, "gone_at")));
	json_decref(list);
	test_execute(test->db, "UPDATE dray_gone SET gone_at = '2026-01-01 00:00:00'");
	assert_null(strstr(test_cli(test, "processes").output, "worker-9"));
}

TEST(test_timeline_of_slots)
{
	struct test_db *test = *state;
	const struct new_job limited = { .class_name = "A", .queue = "a", .concurrency_key = "k" };
	const char *detail = "";

	put_job(test->db, &limited);
	put_job(test->db, &limited);
	assert_string_equal(events_of(test, 1, &detail), "enqueued slot ready");
	assert_string_equal(events_of(test, 2, &detail), "enqueued blocked");
	assert_string_equal(detail, "it waits for the key k");
}

TEST(test_why)
{
	struct test_db *test = *state;

	put(test->db, "mail", 0);
	assert_code(test_cli(test, "pause", "mail", "--reason", "it\nmoves"), 0);
	struct test_result text = test_cli(test, "why", "1");
	assert_code(text, 0);
	assert_contains(text.output, "Job 1 (Test on queue mail) is ready, but not running. Its ");
	assert_contains(text.output, "because: \"it moves\". No worker serves the queue mail.\n");
	struct test_result result = test_cli(test, "why", "--json", "1");
	assert_code(result, 0);
	json_t *why = test_json(result);
	const json_t *reasons = json_object_get(why, "reasons");
	const json_t *paused = json_array_get(reasons, 0);
	assert_int_equal(test_json_integer(why, "id"), 1);
	assert_string_equal(test_json_text(why, "state"), "ready");
	assert_true(json_is_false(json_object_get(why, "running")));
	assert_contains(test_json_text(why, "text"), "No worker serves");
	assert_int_equal(json_array_size(reasons), 2);
	assert_string_equal(test_json_text(paused, "kind"), "queue_paused");
	assert_string_equal(test_json_text(paused, "reason"), "it\nmoves");
	assert_true(json_is_string(json_object_get(paused, "since")));
	test_json_null(paused, "until");
	json_decref(why);
	result = test_cli(test, "why", "99");
	assert_string_equal(result.errors, "dray: job 99: no such job\n");
	assert_code(test_cli(test, "why", "x"), EXIT_USAGE);
	assert_code(test_cli(test, "why"), EXIT_USAGE);
}

static void fill_for_stats(struct test_db *test)
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
}

TEST(test_stats)
{
	struct test_db *test = *state;

	assert_code(test_cli(test, "stats"), 0);
	fill_for_stats(test);
	struct test_result result = test_cli(test, "stats", "--json");
	assert_code(result, 0);
	json_t *stats = test_json(result);
	assert_int_equal(test_json_integer(stats, "ready"), 1);
	assert_int_equal(test_json_integer(stats, "blocked"), 2);
	assert_int_equal(test_json_integer(stats, "failed"), 1);
	assert_int_equal(test_json_integer(stats, "finished_hour"), 1);
	assert_int_equal(test_json_integer(stats, "unserved_queues"), 1);
	assert_string_equal(test_json_text(stats, "oldest_queue"), "a");
	const json_t *worker = json_array_get(json_object_get(stats, "processes"), 0);
	assert_string_equal(test_json_text(worker, "kind"), "Worker");
	assert_int_equal(test_json_integer(worker, "alive"), 1);
	assert_int_equal(test_json_integer(worker, "threads"), 3);
	const json_t *failure = json_array_get(json_object_get(stats, "failures"), 0);
	assert_string_equal(test_json_text(failure, "class"), "Test");
	assert_int_equal(test_json_integer(failure, "count"), 1);
	const json_t *key = json_array_get(json_object_get(stats, "keys"), 0);
	assert_string_equal(test_json_text(key, "key"), "k");
	assert_int_equal(test_json_integer(key, "waiting"), 2);
	assert_true(json_is_string(json_object_get(key, "since")));
	json_decref(stats);
	assert_contains(test_cli(test, "stats").output, "\nFAILED CLASS  JOBS  LAST");
}
