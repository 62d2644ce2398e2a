/* Clients on several threads: each its own, in parallel; one in two threads at once is refused. */
#include <pthread.h>

#include "include/dray.h"
#include "tests/support/queue.h"

#define THREADS 4
#define EACH    20

struct producer {
	pthread_t thread;
	const char *url;
	struct dray_client *client; /* one to be used, instead of opening one */
	enum dray_status status;
	struct dray_error error;
};

/* One by one, then all at once. */
static enum dray_status produce_with(struct dray_client *client, struct dray_error *error)
{
	struct dray_new_job jobs[EACH];
	enum dray_status status = DRAY_STATUS_OK;

	for (size_t i = 0; i < EACH; i++)
		jobs[i] = (struct dray_new_job)DRAY_NEW_JOB(.class_name = "Threaded",
							    .arguments = "[1, 2, 3]");
	for (size_t i = 0; i < EACH && status == DRAY_STATUS_OK; i++)
		status = dray_enqueue(client, &jobs[i], error);
	return status == DRAY_STATUS_OK ? dray_enqueue_all(client, jobs, EACH, error) : status;
}

static void *produce(void *data)
{
	struct producer *producer = data;
	struct dray_client *client;

	producer->status = dray_open(producer->url, NULL, &client, &producer->error);
	if (producer->status != DRAY_STATUS_OK)
		return NULL;
	producer->status = produce_with(client, &producer->error);
	dray_close(client);
	return NULL;
}

DB_CASE(threads_with_clients_of_their_own)
{
	struct producer producers[THREADS] = { 0 };

	for (size_t i = 0; i < THREADS; i++) {
		producers[i].url = test->url;
		assert_int_equal(pthread_create(&producers[i].thread, NULL, produce, &producers[i]),
				 0);
	}
	for (size_t i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(producers[i].thread, NULL), 0);
		if (producers[i].status != DRAY_STATUS_OK)
			fail_msg("thread %zu: %s", i, producers[i].error.text);
	}
	assert_int_equal(rows_of(test, "jobs"), 2 * THREADS * EACH);
	test_invariant(test->db);
}

/* Again when refused: the first caller has the client. */
static void *enqueue_one(void *data)
{
	struct producer *producer = data;
	struct dray_new_job job = DRAY_NEW_JOB(.class_name = "Handed");

	do
		producer->status = dray_enqueue(producer->client, &job, &producer->error);
	while (producer->status == DRAY_STATUS_MISUSE);
	return NULL;
}

static void start_with(struct producer *producer, struct test_db *test)
{
	*producer = (struct producer){ .url = test->url };
	assert_int_equal(dray_open(test->url, NULL, &producer->client, &producer->error),
			 DRAY_STATUS_OK);
}

DB_CASE(a_client_may_be_handed_to_another_thread)
{
	struct producer producer;

	start_with(&producer, test);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(pthread_create(&producer.thread, NULL, enqueue_one, &producer), 0);
		assert_int_equal(pthread_join(producer.thread, NULL), 0);
		assert_int_equal(producer.status, DRAY_STATUS_OK);
	}
	dray_close(producer.client);
	assert_int_equal(rows_of(test, "jobs"), 2);
}

/* The thread waits for the database, which reading does not. */
DB_CASE_ONLY(two_threads_at_once_are_refused, "sqlite")
{
	struct dray_job_info info = DRAY_JOB_INFO();
	struct producer producer;
	int64_t end = clock_monotonic() + CLOCK_MINUTE;
	bool refused;

	start_with(&producer, test);
	test_execute(test->db, "BEGIN IMMEDIATE");
	assert_int_equal(pthread_create(&producer.thread, NULL, enqueue_one, &producer), 0);
	do
		refused = dray_find(producer.client, 1, &info, NULL) == DRAY_STATUS_MISUSE;
	while (!refused && test_look_again(end));
	test_execute(test->db, "COMMIT");
	assert_int_equal(pthread_join(producer.thread, NULL), 0);
	assert_true(refused);
	assert_int_equal(producer.status, DRAY_STATUS_OK);
	dray_close(producer.client);
}
