/* Writers on all nodes of a Galera cluster: what was confirmed is there, once. */
#include <inttypes.h>
#include <pthread.h>

#include "common/text/text.h"
#include "db/driver.h"
#include "db/schema/schema.h"
#include "queue/enqueue/enqueue.h"
#include "tests/galera/cluster.h"
#include "tests/support/query.h"
#include "tests/support/test.h"

#define NOTHING_RAN 77
#define WRITERS     6
#define ROUNDS      200

/* Every round on a connection of its own, as each `dray enqueue` has: it prepares everything. */
struct writer {
	pthread_t thread;
	const char *url;
	unsigned confirmed;
	bool failed;
	struct error error;
	struct enqueued jobs[ROUNDS];
};

static struct cluster cluster;
static struct arena *arena;

/* All writers want the slot of the same key in the same round. */
static void *enqueue_all(void *context)
{
	struct writer *writer = context;
	char key[32];
	const struct new_job job = { .class_name = "Job", .concurrency_key = key };

	for (unsigned round = 0; round < ROUNDS && !writer->failed; round++) {
		struct db *db = NULL;
		(void)snprintf(key, sizeof(key), "Job/%u", round);
		enum status status = db_open(&db, writer->url, NULL, &writer->error);
		if (status == STATUS_OK)
			status = enqueue(db, &job, 1, &writer->jobs[round], &writer->error);
		if (status == STATUS_OK)
			writer->confirmed++;
		else
			writer->failed = true;
		db_close(db);
	}
	return NULL;
}

/* Two on every node; the number of what they had confirmed. */
static unsigned run_writers(struct writer writers[])
{
	unsigned confirmed = 0;

	for (unsigned i = 0; i < WRITERS; i++) {
		writers[i] = (struct writer){ .url = cluster_url(&cluster, i % NODES, "jobs") };
		assert_int_equal(pthread_create(&writers[i].thread, NULL, enqueue_all, &writers[i]),
				 0);
	}
	for (unsigned i = 0; i < WRITERS; i++)
		assert_int_equal(pthread_join(writers[i].thread, NULL), 0);
	for (unsigned i = 0; i < WRITERS; i++) {
		if (writers[i].failed)
			fail_msg("writer %u: %s: %s", i, status_name(writers[i].error.status),
				 writers[i].error.text);
		confirmed += writers[i].confirmed;
	}
	return confirmed;
}

/* On every node, once what the others have written has arrived. */
static int64_t number_on(unsigned node, const char *sql)
{
	return test_query_int(cluster_url(&cluster, node, "jobs"),
			      arena_printf(arena, "SET STATEMENT wsrep_sync_wait = 1 FOR %s", sql));
}

static int64_t aborts(void)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < NODES; i++)
		sum += number_on(i, "SELECT variable_value FROM information_schema.global_status "
				    "WHERE variable_name = 'wsrep_local_bf_aborts'");
	return sum;
}

static const char *count_of_jobs_of(const struct writer *writer)
{
	struct text sql = { 0 };

	text_add(&sql, "SELECT count(*) FROM solid_queue_jobs WHERE active_job_id IN (''");
	for (unsigned i = 0; i < ROUNDS; i++)
		text_printf(&sql, ", '%s'", writer->jobs[i].active_job_id);
	text_add(&sql, ")");
	const char *copy = arena_strdup(arena, text_string(&sql));
	text_free(&sql);
	return copy;
}

static void every_confirmed_job_is_there_once(void **state)
{
	static struct writer writers[WRITERS];

	(void)state;
	unsigned confirmed = run_writers(writers);
	print_message("%u jobs confirmed, %" PRId64 " transactions given up\n", confirmed,
		      aborts());
	assert_int_equal(confirmed, WRITERS * ROUNDS);
	assert_true(aborts() > 0); /* or nothing was tested */
	for (unsigned i = 0; i < NODES; i++) {
		assert_int_equal(number_on(i, "SELECT count(*) FROM solid_queue_jobs"), confirmed);
		assert_int_equal(
			number_on(i, "SELECT count(DISTINCT active_job_id) FROM solid_queue_jobs"),
			confirmed);
		assert_int_equal(
			number_on(i, "SELECT (SELECT count(*) FROM solid_queue_ready_executions) + "
				     "(SELECT count(*) FROM solid_queue_blocked_executions)"),
			confirmed);
	}
	for (unsigned i = 0; i < WRITERS; i++)
		assert_int_equal(number_on(0, count_of_jobs_of(&writers[i])), ROUNDS);
}

static int set_up(void **state)
{
	struct error error = { 0 };
	struct db *db;
	size_t applied;

	(void)state;
	arena = arena_new();
	cluster_open(&cluster, arena);
	assert_ok(db_open(&db, cluster_url(&cluster, 0, "mysql"), NULL, &error), &error);
	assert_ok(db_execute(db, "CREATE DATABASE jobs", &error), &error);
	db_close(db);
	assert_ok(db_open(&db, cluster_url(&cluster, 0, "jobs"), NULL, &error), &error);
	assert_ok(schema_migrate(db, arena, &applied, &error), &error);
	db_close(db);
	for (unsigned i = 0; i < NODES; i++)
		(void)number_on(i, "SELECT count(*) FROM solid_queue_jobs");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	cluster_close(&cluster);
	arena_free(arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_confirmed_job_is_there_once),
	};
	const char *backends = getenv("DRAY_TEST_BACKENDS");

	if (backends && !strstr(backends, "mariadb")) {
		print_message("galera: MariaDB was not asked for\n");
		return NOTHING_RAN;
	}
	int64_t begun = clock_monotonic();
	int failed = test_group(tests, set_up, tear_down);
	print_message("mariadb  galera  %s  %.1f s \n", failed == 0 ? "ok" : "FAILED",
		      (double)(clock_monotonic() - begun) / (double)CLOCK_SECOND);
	return failed;
}
