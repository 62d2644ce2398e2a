/* dray queues on every database: what is said beside the sizes. */
#include <string.h>

#include "tests/support/cli.h"
#include "tests/support/queue.h"

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

static void test_workers_that_serve_a_queue(void **state)
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

static void test_names_are_as_the_database_sees_them(void **state)
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

static void test_throughput(void **state)
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

int main(void)
{
	static const struct test_case cases[] = {
		TEST(test_workers_that_serve_a_queue),
		TEST(test_names_are_as_the_database_sees_them),
		TEST(test_throughput),
	};

	return test_run_backends("cli_look", cases, sizeof(cases) / sizeof(cases[0]));
}
