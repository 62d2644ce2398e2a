/* People cancel while workers claim and settle: each job comes to one end, none gets away. */
#include <stdatomic.h>

#include "queue/manage/manage.h"
#include "tests/support/limited.h"

#define JOBS     60
#define PATIENCE (40 * CLOCK_SECOND)

struct shared {
	atomic_int finished, failed; /* by workers */
};

struct race {
	struct test_db *test;
	struct shared *shared;
	int64_t first; /* number of the first job */
	bool waiting;  /* only jobs that wait are to be cancelled */
};

static int64_t unfinished(const struct test_db *test)
{
	return test_query_int(test->url, "SELECT count(*) FROM solid_queue_jobs j LEFT JOIN "
					 "solid_queue_failed_executions f ON f.job_id = j.id WHERE "
					 "j.finished_at IS NULL AND f.id IS NULL");
}

/* One after the other, so that the workers come to each of them, too; what has ended is refused. */
static void cancel_some(struct test_db *own, int64_t first, unsigned *at)
{
	for (int i = 0; i < 3; i++) {
		struct error error = { 0 };
		const enum status status = job_cancel(own->db, first + *at, "a race", &error);
		assert_true(status == STATUS_OK || status == STATUS_INVALID);
		*at = (*at + 7) % JOBS;
	}
}

/* Some that wait, while they do. */
static void cancel_waiting(struct test_db *own, int64_t first, unsigned *at)
{
	static const enum job_state states[] = { JOB_READY, JOB_SCHEDULED };

	for (int i = 0; i < 2; i++) {
		struct action action = { .db = own->db,
					 .arena = own->arena,
					 .kind = ACTION_CANCEL };
		struct job_filter filter = { .has_state = true,
					     .state = states[i],
					     .after = first + *at - 1,
					     .before = first + *at + 3 };
		struct error error = { 0 };
		const enum status status = action_next(&action, &filter, &error);
		assert_true(status == STATUS_OK || status == STATUS_NONE);
	}
	*at = (*at + 3) % JOBS;
}

/* Ends each claim in the way that its job's number says. */
static void work(struct test_db *own, int64_t process, struct shared *shared)
{
	static const enum outcome_kind kinds[] = { OUTCOME_FINISHED, OUTCOME_FAILED,
						   OUTCOME_RETRIED, OUTCOME_INTERRUPTED,
						   OUTCOME_RELEASED };
	size_t count;
	struct claim *claims = take(own, process, (const char *const[]){ "*", NULL }, 5, &count);

	clock_sleep(2 * CLOCK_MILLISECOND);
	for (size_t i = 0; i < count; i++) {
		const enum outcome_kind kind =
			kinds[(size_t)claims[i].job.id % (sizeof(kinds) / sizeof(kinds[0]))];
		assert_true(settle_one(own->db, &claims[i], kind));
		atomic_fetch_add(&shared->finished, kind == OUTCOME_FINISHED);
		atomic_fetch_add(&shared->failed, kind == OUTCOME_FAILED);
	}
}

static int cancel_or_work(unsigned index, void *data)
{
	const struct race *race = data;
	const int64_t deadline = clock_monotonic() + PATIENCE;
	unsigned at = index * JOBS / 2;
	struct test_db own = own_open(race->test);
	int64_t process = index < 2 ? 0 : register_ours(&own, index == 2 ? "w" : "v");
	while (unfinished(&own) > 0 && clock_monotonic() < deadline) {
		if (process == 0)
			(race->waiting ? cancel_waiting : cancel_some)(&own, race->first, &at);
		else
			work(&own, process, race->shared);
		arena_clear(own.arena);
	}
	own_close(&own);
	return 0;
}

static void assert_one_end(struct test_db *test, const struct shared *shared)
{
	const int64_t cancelled =
		sql_number(test, "SELECT count(*) FROM dray_attempts WHERE outcome = 'cancelled'");

	assert_int_equal(unfinished(test), 0);
	assert_int_equal(rows_of(test, "claimed_executions"), 0);
	assert_int_equal(rows_of(test, "failed_executions"), atomic_load(&shared->failed));
	assert_int_equal(cancelled + atomic_load(&shared->finished) + atomic_load(&shared->failed),
			 JOBS);
	assert_number(test, cancelled,
		      "SELECT count(DISTINCT a.job_id) FROM dray_attempts a JOIN "
		      "solid_queue_jobs j ON j.id = a.job_id WHERE a.outcome = 'cancelled' AND "
		      "j.finished_at IS NOT NULL");
	test_invariant(test->db);
}

DB_CASE(each_comes_to_one_end)
{
	struct race race = { .test = test, .shared = test_share(sizeof(struct shared)) };

	put_copies(test, &(struct new_job){ .class_name = "Either" }, JOBS);
	race.first = sql_number(test, "SELECT min(id) FROM solid_queue_jobs");
	test_in_children(&(struct test_function){ cancel_or_work, &race }, 4);
	assert_one_end(test, race.shared);
}

/* Who chose jobs that wait has not chosen their runs. */
DB_CASE(what_was_claimed_meanwhile_goes_on)
{
	struct race race = { .test = test,
			     .shared = test_share(sizeof(struct shared)),
			     .waiting = true };

	put_copies(test, &(struct new_job){ .class_name = "Either" }, JOBS);
	race.first = sql_number(test, "SELECT min(id) FROM solid_queue_jobs");
	test_in_children(&(struct test_function){ cancel_or_work, &race }, 4);
	assert_one_end(test, race.shared);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_cancellations"), 0);
	assert_count(test, 0,
		     "dray_attempts WHERE outcome = 'cancelled' AND claim_id IS NOT NULL AND "
		     "claim_id > 0");
}
