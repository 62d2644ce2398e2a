/* What a tick does with each answer of the database; settle is played by this test. */
#include <errno.h>
#include <signal.h>

#include "rig.h"
#include "worker/exec/exec.h"

#define CALLS 16

/* One call of settle as it was made, and the next answers to give. */
static struct {
	enum status answer;
	size_t offer; /* jobs that can be claimed */
	const char *class_name;
	bool lose;   /* mark outcomes lost */
	bool refuse; /* mark them refused by the database */
	int64_t next_id;
	size_t calls;
	size_t limits[CALLS];
	size_t outcomes[CALLS];
	int64_t settled; /* outcomes that were committed */

	enum status resolve_answer;
	bool committed; /* the uncertain commit was one */
	size_t resolves;
	size_t held;
	struct run *ends; /* meanwhile, as one that is stopped may */
	size_t lost;      /* which of those that are held has no claim any more; 0 = none */
} database;

static struct claim *make_claims(struct arena *arena, size_t count)
{
	struct claim *claims = arena_array(arena, count + 1, sizeof(*claims));

	for (size_t i = 0; i < count; i++) {
		claims[i].id = ++database.next_id;
		claims[i].job = (struct job){ .id = 1000 + claims[i].id,
					      .queue = "q",
					      .class_name = database.class_name,
					      .payload = "{\"arguments\":[]}" };
	}
	return claims;
}

enum status settle(struct db *db, struct arena *arena, struct settle_request *request,
		   struct claim **claims, size_t *count, struct error *error)
{
	size_t limit = request->claim->limit;

	(void)db;
	*count = 0;
	database.limits[database.calls % CALLS] = limit;
	database.outcomes[database.calls++ % CALLS] = request->outcome_count;
	if (database.answer != STATUS_OK)
		return error_set(error, database.answer, "as told");
	for (size_t i = 0; i < request->outcome_count; i++) {
		request->outcomes[i].refused = database.lose;
		request->outcomes[i].aside = database.refuse;
	}
	database.settled += database.refuse ? 0 : (int64_t)request->outcome_count;
	*count = database.offer < limit ? database.offer : limit;
	*claims = make_claims(arena, *count);
	database.offer -= *count;
	return STATUS_OK;
}

static struct rig rig;

/* Kills its command, and sees it end. */
static void let_end(struct run *run)
{
	assert_return_code(kill(run->exec->pid, SIGKILL), errno);
	while (!run->ended)
		(void)loop_wait(rig.context.loop, CLOCK_NEVER);
}

enum status settle_resolve(struct db *db, struct settle_request *request, struct claim_name held[],
			   size_t held_count, struct error *error)
{
	(void)db;
	database.resolves++;
	database.held = held_count;
	if (database.ends)
		let_end(database.ends);
	if (database.lost > 0)
		held[database.lost - 1].id = 0;
	if (database.resolve_answer != STATUS_OK)
		return error_set(error, database.resolve_answer, "as told");
	for (size_t i = 0; i < request->outcome_count && database.committed; i++)
		request->outcomes[i].claim.id = 0;
	return STATUS_OK;
}

/* driving it */

static struct worker *worker(void)
{
	return rig.context.state;
}

static int64_t wait; /* of the last tick */

static enum status tick(void)
{
	struct error error;

	return worker_role.tick(&rig.context, &wait, &error);
}

/* Ticks at once what is not due yet: the polling interval is an hour here. */
static void tick_ok(void)
{
	assert_int_equal(tick(), STATUS_OK);
}

static void wait_until_ended(void)
{
	while (pool_look(worker()->pool) != POOL_ENDED)
		clock_sleep(CLOCK_MILLISECOND);
}

static int setup(void **state)
{
	(void)state;
	memset(&database, 0, sizeof(database));
	database.class_name = "NoopJob";
	rig_open(&rig, 3);
	rig.options.polling_interval = CLOCK_HOUR;
	rig_module(&rig, "NoopJob", "probe");
	rig_module(&rig, "WaitJob", "probe");
	rig_start(&rig);
	return 0;
}

static int setup_commands(void **state)
{
	(void)state;
	memset(&database, 0, sizeof(database));
	database.class_name = "SleepJob";
	rig_open(&rig, 3);
	rig_script(&rig, "SleepJob", "exec sleep 1000");
	rig_start(&rig);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	/* No thread may be left inside a job when a test ends. */
	database.answer = STATUS_OK;
	worker_role.stop(&rig.context);
	while (!worker_role.idle(&rig.context)) {
		tick_ok();
		clock_sleep(CLOCK_MILLISECOND);
	}
	rig_close(&rig);
	return 0;
}

/* the cases */

/* WO12 */
CASE_WITH(with_idle_threads_it_waits_for_the_next_poll, setup, teardown)
{
	tick_ok();
	assert_int_equal(database.limits[0], 3);
	assert_true(wait > 59 * CLOCK_MINUTE && wait <= CLOCK_HOUR);
	tick_ok(); /* woken early: no further query */
	assert_int_equal(database.calls, 1);
}

/* WO11: and without idle threads until a run ends, or may be slow (slow_look). */
CASE_WITH(without_idle_threads_it_waits_for_its_runs, setup, teardown)
{
	database.class_name = "WaitJob";
	database.offer = 5;
	tick_ok();
	assert_int_equal(runs_busy(&worker()->runs), 3);
	while (pool_look(worker()->pool) == POOL_BACKLOG)
		clock_sleep(CLOCK_MILLISECOND);
	tick_ok();
	worker()->kill_at = CLOCK_NEVER;
	tick_ok();
	assert_true(wait == CLOCK_NEVER);
	assert_int_equal(database.calls, 1);
}

CASE_WITH(what_ended_is_settled_and_its_threads_claimed_for, setup, teardown)
{
	database.offer = 2;
	tick_ok();
	while (database.settled < 2) {
		wait_until_ended();
		tick_ok();
	}
	assert_int_equal(database.settled, 2);
	assert_int_equal(database.limits[database.calls - 1], 3);
	assert_true(worker_role.idle(&rig.context));
}

CASE_WITH(an_unknown_class_is_settled_at_once, setup, teardown)
{
	database.class_name = "NobodyJob";
	database.offer = 1;
	tick_ok();
	assert_int_equal(wait, 0);
	tick_ok();
	assert_int_equal(database.settled, 1);
	assert_true(worker_role.idle(&rig.context));
}

static void claim_one_and_let_it_end(void)
{
	database.offer = 1;
	tick_ok();
	wait_until_ended();
}

static void end_one_that_is_refused(void)
{
	claim_one_and_let_it_end();
	database.refuse = true;
	tick_ok();
	database.refuse = false;
}

/* They are kept, and offered again in a minute, or when the worker leaves. */
CASE_WITH(outcomes_that_the_database_refuses_hold_no_thread, setup, teardown)
{
	for (size_t i = 0; i < 5; i++) {
		end_one_that_is_refused();
		assert_int_equal(database.limits[database.calls - 2], 3);
		assert_int_equal(database.outcomes[database.calls - 1], 1);
	}
	assert_int_equal(worker()->aside_count, 5);
	assert_int_equal(runs_held(&worker()->runs, worker()->holders, worker()->held), 5);
	assert_int_equal(database.settled, 0);
	tick_ok();
	assert_true(wait > 50 * CLOCK_SECOND && wait <= CLOCK_MINUTE);
	worker_role.stop(&rig.context);
	assert_true(worker_role.idle(&rig.context));
	tick_ok();
	assert_int_equal(database.settled, 5);
	assert_int_equal(runs_busy(&worker()->runs), 0);
}

/* It has all the time that it needs: else the job would run again. When it stops it has not. */
CASE_WITH(one_that_leaves_waits_for_refused_outcomes, setup, teardown)
{
	end_one_that_is_refused();
	assert_true(worker_role.idle(&rig.context));
	rig.context.leaving = true;
	tick_ok();
	assert_false(worker_role.idle(&rig.context));
	assert_int_equal(worker_role.runs(&rig.context), 0);
	assert_true(wait > 50 * CLOCK_SECOND && wait <= CLOCK_MINUTE);
	rig.context.stopping = true;
	assert_true(worker_role.idle(&rig.context));
	rig.context.stopping = false;
	worker()->offer_at = 1; /* as if the minute were over */
	for (size_t i = 0; i < worker()->runs.count; i++)
		if (worker()->runs.all[i].offer_at != 0)
			worker()->runs.all[i].offer_at = 1;
	tick_ok();
	assert_int_equal(database.settled, 1);
	assert_true(worker_role.idle(&rig.context));
}

/* BS6: what cannot be settled is kept, and settled when it can be. */
CASE_WITH(an_outage_keeps_outcomes, setup, teardown)
{
	const enum status outages[] = { STATUS_DOWN, STATUS_RETRY, STATUS_FATAL, STATUS_CONFLICT };
	claim_one_and_let_it_end();
	for (size_t i = 0; i < sizeof(outages) / sizeof(outages[0]); i++) {
		database.answer = outages[i];
		assert_int_equal(tick(), outages[i]);
		assert_int_equal(database.outcomes[database.calls - 1], 1);
		assert_false(worker_role.idle(&rig.context));
	}
	assert_int_equal(database.settled, 0);
	database.answer = STATUS_OK;
	tick_ok();
	assert_int_equal(database.settled, 1);
	assert_true(worker_role.idle(&rig.context));
	assert_int_equal(database.resolves, 0);
}

CASE_WITH(an_uncertain_commit_that_was_one, setup, teardown)
{
	claim_one_and_let_it_end();
	database.answer = STATUS_UNCERTAIN;
	database.committed = true;
	tick_ok();
	assert_int_equal(database.resolves, 1);
	assert_true(worker_role.idle(&rig.context));
	database.answer = STATUS_OK;
	worker()->next_poll = 0;
	tick_ok();
	assert_int_equal(database.settled, 0); /* not a second time */
}

CASE_WITH(an_uncertain_commit_that_was_none, setup, teardown)
{
	claim_one_and_let_it_end();
	database.answer = STATUS_UNCERTAIN;
	tick_ok();
	assert_int_equal(database.resolves, 1);
	assert_int_equal(wait, 0); /* what remains is settled at once */
	database.answer = STATUS_OK;
	tick_ok();
	assert_int_equal(database.settled, 1);
	assert_true(worker_role.idle(&rig.context));
}

/* The database cannot be asked either: nothing is settled or claimed before it was. */
CASE_WITH(resolving_comes_before_anything_else, setup, teardown)
{
	claim_one_and_let_it_end();
	database.answer = STATUS_UNCERTAIN;
	database.resolve_answer = STATUS_DOWN;
	assert_int_equal(tick(), STATUS_DOWN);
	database.answer = STATUS_OK;
	assert_int_equal(tick(), STATUS_DOWN);
	assert_int_equal(database.settled, 0);
	assert_int_equal(database.resolves, 2);
	database.resolve_answer = STATUS_OK;
	tick_ok();
	assert_int_equal(database.resolves, 3);
	assert_int_equal(database.settled, 1);
}

/* As what is stopped may: the runs behind it are not taken for another. */
CASE_WITH(a_run_may_end_while_the_database_is_asked, setup_commands, teardown)
{
	database.offer = 2;
	tick_ok();
	struct run *first = runs_next_held(&worker()->runs, NULL);
	struct run *second = runs_next_held(&worker()->runs, first);
	worker()->uncertain = true;
	database.ends = first;
	database.lost = 1;
	tick_ok();
	assert_true(first->gone);
	assert_false(second->gone);
	let_end(second);
}

/* A commit may still become visible after we looked; so there are more looks, ever later. */
CASE_WITH(an_uncertain_commit_is_looked_at_again, setup, teardown)
{
	int64_t pause = 0;

	database.answer = STATUS_UNCERTAIN;
	tick_ok();
	database.answer = STATUS_OK;
	worker()->recheck_at = CLOCK_NEVER;
	tick_ok();
	assert_int_equal(database.resolves, 1);
	for (unsigned looks = 2; looks <= 5; looks++) {
		assert_true(worker()->recheck_wait > pause);
		pause = worker()->recheck_wait;
		worker()->recheck_at = CLOCK_NEVER;
		tick_ok();
		assert_int_equal(database.resolves, looks - 1);
		worker()->recheck_at = 1;
		tick_ok();
		assert_int_equal(database.resolves, looks);
	}
	assert_int_equal(worker()->recheck_at, 0);
}

CASE_WITH(runs_that_go_on_are_held, setup, teardown)
{
	database.class_name = "WaitJob";
	database.offer = 2;
	tick_ok();
	database.answer = STATUS_UNCERTAIN;
	worker()->next_poll = 0;
	tick_ok();
	assert_int_equal(database.held, 2);
	assert_int_equal(runs_busy(&worker()->runs), 2);
}

CASE_WITH(lost_outcomes_free_their_runs, setup, teardown)
{
	claim_one_and_let_it_end();
	database.lose = true;
	tick_ok();
	assert_true(worker_role.idle(&rig.context));
}

CASE_WITH(stopping_claims_nothing, setup, teardown)
{
	claim_one_and_let_it_end();
	worker_role.stop(&rig.context);
	database.offer = 3;
	tick_ok();
	assert_int_equal(database.settled, 1);
	assert_int_equal(database.limits[database.calls - 1], 0);
	assert_int_equal(wait, 0); /* idle: the runner may leave */
	assert_true(worker_role.idle(&rig.context));
}

/* Short of something: nothing is claimed for a while, but what ended is settled. */
CASE_WITH(resting_claims_nothing, setup, teardown)
{
	claim_one_and_let_it_end();
	worker_rest(worker(), "a test");
	tick_ok();
	assert_int_equal(database.settled, 1);
	assert_int_equal(database.limits[database.calls - 1], 0);
}

GROUP(rig_quiet, NULL);
