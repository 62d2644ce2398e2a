/* Throughput of more jobs than are counted; ready jobs that no worker knows. */
#include "queue/look/survey.h"

#include "tests/support/queue.h"
#include "tests/support/torn.h"

static struct survey survey_of(struct test_db *test)
{
	const struct prune patience = { .threshold = CLOCK_MINUTE,
					.other_threshold = CLOCK_MINUTE };
	struct survey survey;

	must(survey_read, test->db, test->arena, &patience, &survey);
	return survey;
}

/* Makes `doublings` times twice as many finished jobs of one. */
static void multiply(struct test_db *test, int doublings)
{
	for (int i = 0; i < doublings; i++)
		sql_do(test, "INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, "
			     "priority, scheduled_at, finished_at, created_at, updated_at) "
			     "SELECT queue_name, class_name, arguments, priority, scheduled_at, "
			     "finished_at, created_at, updated_at FROM solid_queue_jobs");
}

static void finish(struct test_db *test, const char *queue)
{
	put(test->db, queue, 0);
	struct claim *claim = take_all(test, register_worker(test->db, queue), 1);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
}

/* Half of the last 20,000 are of either queue, all within what is counted of the hour. */
DB_CASE(many_are_estimated)
{
	char when[CLOCK_TEXT_SIZE];

	finish(test, "a");
	finish(test, "b");
	clock_format(db_now(test->db) - 6 * CLOCK_MINUTE, when);
	sql_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = '%s'", when);
	multiply(test, 10);
	struct survey survey = survey_of(test);
	assert_false(survey.estimated);
	assert_int_equal(survey.total.hour, 2048);
	assert_int_equal(survey.total.minute, 0);
	assert_int_equal(survey.count, 2);
	assert_int_equal(survey.queues[0].throughput.hour, 1024);
	multiply(test, 4); /* 32,768 in the last six minutes or, by the time it takes, a few more */
	survey = survey_of(test);
	assert_true(survey.estimated);
	assert_true(survey.total.hour > 20000);
	assert_true(survey.total.hour <= 200000);
}

/* Written by hand: "never", infinity, zeros. */
DB_CASE(what_is_no_time_of_the_last_hour_is_not_counted)
{
	finish(test, "a");
	assert_int_equal(survey_of(test).total.hour, 1);
	torn_set_odd_time(test, "solid_queue_jobs", "finished_at", 0);
	assert_int_equal(survey_of(test).total.hour, 0);
}

/* Rows whose job is gone, with foreign keys off: that of a claim or a failure has no queue. */
DB_CASE(rows_without_a_job_are_in_no_queue)
{
	const int64_t process = register_worker(test->db, "w");

	put(test->db, "a", 0);
	torn_unguard(test);
	torn_add(test, "claimed", 914, process);
	torn_add(test, "failed", 915, process);
	struct survey survey = survey_of(test);
	assert_int_equal(survey.count, 1);
	assert_string_equal(survey.queues[0].row.name, "a");
	test_execute(test->db, "DELETE FROM solid_queue_failed_executions");
	test_execute(test->db, "DELETE FROM solid_queue_claimed_executions");
}

static int64_t put_later(struct test_db *test, const char *queue)
{
	return put_job(test->db,
		       &(struct new_job){ .class_name = "A", .queue = queue, .delay = CLOCK_HOUR });
}

/* The queue's jobs for later, and those of them that wait for a retry: "2 1". */
static void assert_waiting(struct test_db *test, const char *name, int64_t delayed,
			   int64_t retrying)
{
	struct survey survey = survey_of(test);
	const struct survey_queue *queue = survey_find(test->db, &survey, name);

	assert_non_null(queue);
	assert_int_equal(survey_delayed(queue), delayed);
	assert_int_equal(queue->retrying, retrying);
}

static void assert_retrying(struct test_db *test)
{
	assert_waiting(test, "a", 1, 2);
	assert_waiting(test, "b", 2, 0);
}

/* However many attempts there are beside the scheduled jobs. */
DB_CASE(retries_are_apart_from_what_is_delayed)
{
	(void)put_later(test, "a");
	(void)put_later(test, "b");
	put_attempt(test, put_later(test, "a"), "retried");
	int64_t snoozed = put_later(test, "b");
	put_attempt(test, snoozed, "retried");
	put_attempt(test, snoozed, "snoozed");
	int64_t twice = put_later(test, "a");
	put_attempt(test, twice, "retried");
	assert_retrying(test); /* four attempts of five jobs */
	put_attempt(test, twice, "interrupted");
	put_attempt(test, twice, "retried");
	assert_retrying(test);
	int64_t ready = put(test->db, "b", 0);
	for (int i = 0; i < 5; i++)
		put_attempt(test, ready, "retried");
	assert_retrying(test);
	make_due(test);
	assert_int_equal(dispatch_due(test, 10), 5);
	assert_waiting(test, "a", 0, 0);
}

/* Jobs of classes that none of its workers knows, "A 2 B 1"; whether it has no worker. */
static const char *unserved(struct test_db *test, const char *queue, bool *whole)
{
	struct survey survey = survey_of(test);
	const char *text = "";

	must(survey_unknown, test->db, test->arena, &survey);
	const struct survey_queue *found = survey_find(test->db, &survey, queue);
	assert_non_null(found);
	for (size_t i = 0; i < found->unserved.count; i++)
		text = arena_printf(test->arena, "%s%s %" PRId64 " ", text,
				    found->unserved.list[i].class_name,
				    found->unserved.list[i].jobs);
	*whole = survey_unserved(found);
	return text;
}

static void assert_unserved(struct test_db *test, const char *expected, bool whole)
{
	bool found;

	assert_string_equal(unserved(test, "q", &found), expected);
	assert_int_equal(found, whole);
}

DB_CASE(jobs_of_classes_that_no_worker_knows)
{
	put_job(test->db, &(struct new_job){ .class_name = "A", .queue = "q" });
	put_job(test->db, &(struct new_job){ .class_name = "A", .queue = "q" });
	put_job(test->db, &(struct new_job){ .class_name = "B", .queue = "q" });
	assert_unserved(test, "", true); /* no worker at all */
	register_process(test->db, "Worker", "w1", "{\"queues\":\"q\",\"classes\":[\"X\"]}");
	assert_unserved(test, "A 2 B 1 ", false);
	torn_unguard(test); /* a row without a job has no class */
	sql_execute(test->db, "DELETE FROM solid_queue_jobs WHERE id = %" PRId64,
		    put_job(test->db, &(struct new_job){ .class_name = "C", .queue = "q" }));
	assert_unserved(test, "A 2 B 1 ", false);
	register_process(test->db, "Worker", "w2",
			 "{\"queues\":\"r,*\",\"classes\":[\"B\",\"X\"]}");
	assert_unserved(test, "A 2 ", false);
	register_process(test->db, "Worker", "w3", "{\"queues\":\"r\",\"classes\":[\"A\"]}");
	assert_unserved(test, "A 2 ", false);
	pause_queue(test, "q");
	assert_unserved(test, "", false);
	resume_queue(test, "q");
	/* Of other software, or one that fails what it does not know: both take every class. */
	register_process(test->db, "Worker", "rails", "{\"queues\":\"*\"}");
	assert_unserved(test, "", false);
	test_execute(test->db,
		     "UPDATE solid_queue_processes SET metadata = '{\"queues\":\"q\","
		     "\"classes\":[],\"unknown_classes\":\"fail\"}' WHERE name = 'rails'");
	assert_unserved(test, "", false);
}
