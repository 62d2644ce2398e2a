/* Many jobs on their last chance run one after the other; what is behind them runs meanwhile. */
#include "tests/support/sites/site.h"

#define HELD   8 /* as many as the worker has threads */
#define OTHERS 50

static const char held_class[] =
	"  Held: {command: [sh, -c, 'until test -e go.$1; do sleep 0.02; done', -, \"{0}\"]}\n"
	"  Other: {command: [\"true\"]}\n";

static void release(struct site *site, int number)
{
	site_write(site, arena_printf(site->arena, "go.%d", number), "");
}

/* They run until they are released; all that may be lost is lost. */
static void put_held(struct site *site, int64_t held[])
{
	for (int i = 0; i < HELD; i++) {
		held[i] = site_enqueue(site, "Held", arena_printf(site->arena, "%d", i));
		sql_execute(site->db,
			    "INSERT INTO dray_losses (job_id, losses, last_lost_at) "
			    "VALUES (%lld, 3, '2026-01-01 00:00:00')",
			    (long long)held[i]);
	}
}

static int64_t claim_of(struct site *site, int64_t job)
{
	site_await(site, job, JOB_CLAIMED);
	return site_int(site, arena_printf(site->arena,
					   "SELECT id FROM solid_queue_claimed_executions "
					   "WHERE job_id = %lld",
					   (long long)job));
}

SITE_CASE(all_others_run_beside_one)
{
	int64_t held[HELD];

	site_queue_yml(site, "workers:\n  - {threads: 8, polling_interval: 0.02}\n");
	site_jobs_yml(site, held_class);
	put_held(site, held);
	site_enqueue_many(site, "Other", "default", OTHERS);
	site_start(site, 2);
	site_await_jobs(site, JOB_FINISHED, OTHERS);
	assert_int_equal(site_state(site, held[0]), JOB_CLAIMED);
	for (int i = 1; i < HELD; i++)
		assert_int_equal(site_state(site, held[i]), JOB_READY);
	site_await_log(site, "\"worker.last_chance\"", 1);
	const char *why = site_dray(site, "why", "--json", site_number(site, held[HELD - 1]));
	assert_contains(why, "\"last_chance\"");
	assert_contains(why, arena_printf(site->arena, "(such as job %lld)", (long long)held[0]));
	for (int i = 0; i < HELD - 1; i++) {
		(void)claim_of(site, held[i]);
		assert_int_equal(site_state(site, held[i + 1]), JOB_READY);
		release(site, i);
	}
	/* Each was claimed once, and those that came with the first once more. MySQL hands out
	 * numbers in advance. */
	assert_in_range(claim_of(site, held[HELD - 1]), OTHERS + HELD, 2 * (OTHERS + HELD + HELD));
	release(site, HELD - 1);
	site_await_jobs(site, JOB_FINISHED, OTHERS + HELD);
	assert_int_equal(site_logged(site, "\"worker.last_chance\""), 1);
}
