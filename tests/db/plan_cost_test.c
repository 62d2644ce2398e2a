/* What an operation looks at (pages, rows, steps) does not grow with the tables, by any plan. */
#include "tests/support/plan/plan.h"

/* These work on as many rows however many there are. */
static const struct {
	const char *name;
	bool rare; /* asked by people, in connections that do not live to have old plans */
} operations[] = {
	{ "claim", false },
	{ "claim_eligible", false },
	{ "claim_queue", false },
	{ "claim_window", false },
	{ "claimable_queues", false },
	{ "clear_finished", false },
	{ "discard", true },
	{ "dispatch", false },
	{ "due", false },
	{ "enqueue", false },
	{ "fail", false },
	{ "finish", false },
	{ "finish_and_delete", false },
	{ "first_eligible", false },
	{ "found", false },
	{ "job", true },
	{ "job_by_active_job_id", true },
	{ "process_heartbeat", false },
	{ "release", false },
	{ "retry", true },
	{ "waiting", false },
	{ "waiting_in", false },
	{ "window_end", false },
};

#define OPERATIONS (sizeof(operations) / sizeof(operations[0]))

static void measure(struct plan_session *session, int64_t costs[OPERATIONS])
{
	for (size_t i = 0; i < OPERATIONS; i++)
		costs[i] = plan_cost(session, operations[i].name);
}

/* An index grows by a level now and then; a scan grows with the rows, here ten times. */
static void compare(struct plan_session *session, const int64_t before[OPERATIONS],
		    const char *when, bool rare)
{
	int64_t after[OPERATIONS];
	unsigned problems = 0;

	measure(session, after);
	for (size_t i = 0; i < OPERATIONS; i++) {
		if (after[i] <= 2 * before[i] + 30 || (operations[i].rare && !rare))
			continue;
		print_error("%s %s: %lld, before %lld\n", operations[i].name, when,
			    (long long)after[i], (long long)before[i]);
		problems++;
	}
	assert_int_equal(problems, 0);
}

/* All queues and many that are empty. */
static void pause_a_hundred(struct test_db *test)
{
	for (unsigned i = 0; i < 100; i++)
		sql_execute(test->db,
			    "INSERT INTO solid_queue_pauses (queue_name, created_at) VALUES "
			    "('queue_%02u', '2026-01-01 00:00:00')",
			    i);
}

/* Asked once a second, and a hop for each queue that is paused; but not for each of its jobs. */
DB_CASE(pauses_are_hopped_over)
{
	struct plan_session session;

	plan_begin(test);
	pause_a_hundred(test);
	plan_analyze(test);
	plan_fill(test, 8000);
	plan_open(&session, test);
	int64_t few = plan_cost(&session, "window_end_paused");
	plan_fill(test, 32000);
	assert_true(plan_cost(&session, "window_end_paused") <= 2 * few + 30);
	plan_close(&session);
}

DB_CASE(costs_do_not_grow_with_the_jobs)
{
	struct plan_session session;
	int64_t few[OPERATIONS];

	plan_begin(test);
	plan_analyze(test);    /* says that there are no jobs */
	plan_fill(test, 2000); /* the indexes have the levels that they have later */
	plan_open(&session, test);
	measure(&session, few);
	plan_fill(test, 20000);
	compare(&session, few, "with plans and statistics of before", false);
	plan_close(&session);
	plan_analyze(test);
	plan_open(&session, test);
	compare(&session, few, "with new plans and statistics", true);
	plan_close(&session);
}

DB_CASE(costs_do_not_grow_with_the_pauses)
{
	struct plan_session session;
	int64_t without[OPERATIONS];

	plan_begin(test);
	plan_fill(test, 10000);
	plan_open(&session, test);
	measure(&session, without);
	pause_a_hundred(test);
	compare(&session, without, "with a hundred queues paused", true);
	plan_analyze(test);
	compare(&session, without, "with a hundred queues paused and statistics", true);
	plan_close(&session);
}
