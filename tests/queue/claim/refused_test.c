/* Rows that are refused, or whose job is gone, are set aside; everything else goes on. */
#include "queue/manage/manage.h"
#include "tests/support/jobs/why.h"
#include "tests/support/limited.h"
#include "tests/support/torn.h"

#define BAD 2 /* the job that is refused */

static void forbid(struct test_db *test, const char *change, const char *table, const char *when)
{
	torn_forbid(test, change, table, when, NULL);
}

static int64_t set_aside(struct test_db *test)
{
	return test_query_int(test->url, "SELECT COUNT(*) FROM dray_pauses WHERE kind = 'refused'"
					 " AND name = '2' AND reason LIKE '%not this one%'");
}

/* As if its pause were over. */
static void let_time_pass(struct test_db *test)
{
	int64_t next;

	test_execute(test->db, "UPDATE dray_pauses SET ends_at = '2026-01-01 00:00:00'");
	(void)sweep_pauses(test, &next);
}

/* The outcome of the bad one cannot be stored. */
static const struct refused_outcome {
	enum outcome_kind kind;
	bool preserve;
	const char *change, *table, *when;
	enum job_state state;
} outcomes_refused[] = {
	{ OUTCOME_FINISHED, true, "UPDATE", "jobs", "NEW.id = 2", JOB_FINISHED },
	{ OUTCOME_FINISHED, false, "DELETE", "jobs", "OLD.id = 2", JOB_STATES },
	{ OUTCOME_FAILED, true, "INSERT", "failed_executions", "NEW.job_id = 2", JOB_FAILED },
	{ OUTCOME_RELEASED, true, "INSERT", "ready_executions", "NEW.job_id = 2", JOB_READY },
	{ OUTCOME_RELEASED, true, "DELETE", "claimed_executions", "OLD.job_id = 2", JOB_READY },
};

static void settle_refused(struct test_db *test, const struct refused_outcome *row)
{
	struct outcome outcomes[5] = { 0 };

	for (size_t i = 0; i < 5; i++)
		put(test->db, "a", 0);
	const struct claim *claims = take_all(test, register_worker(test->db, "w"), 5);
	const int64_t first = claims[0].job.id;
	for (size_t i = 0; i < 5; i++)
		outcomes[i] = (struct outcome){ .claim = claim_name(&claims[i]),
						.kind = row->kind,
						.error = test_failure };
	forbid(test, row->change, row->table, row->when);
	settle_outcomes(test, outcomes, 5, row->preserve);
	for (size_t i = 0; i < 5; i++) {
		bool bad = claims[i].job.id == BAD;
		assert_int_equal(outcomes[i].aside, bad);
		assert_false(outcomes[i].refused);
		assert_int_equal(state_of(test, claims[i].job.id), bad ? JOB_CLAIMED : row->state);
	}
	assert_int_equal(set_aside(test), 1);
	torn_allow(test, row->table);
	settle_outcomes(test, &outcomes[BAD - first], 1, row->preserve);
	assert_false(outcomes[BAD - first].aside);
	assert_int_equal(state_of(test, BAD), row->state);
	test_invariant(test->db);
}

#define OUTCOME_CASE(name, row)                                                                    \
	DB_CASE(name)                                                                              \
	{                                                                                          \
		settle_refused(test, &outcomes_refused[row]);                                      \
	}
OUTCOME_CASE(a_refused_finish_is_kept, 0)
OUTCOME_CASE(a_refused_deletion_is_kept, 1)
OUTCOME_CASE(a_refused_failure_is_kept, 2)
OUTCOME_CASE(a_refused_release_is_kept, 3)
OUTCOME_CASE(a_claim_that_cannot_be_deleted_is_kept, 4)

/* An answer that could be anybody's fault: it is the row's, since another one can be claimed. */
DB_CASE_ONLY(a_finish_that_is_not_permitted_is_kept, "postgresql")
{
	struct selector every = { .all = true };
	struct claim_request claim = { .selector = &every,
				       .process_id = register_worker(test->db, "w"),
				       .limit = 3 };
	struct outcome outcome = { .kind = OUTCOME_FINISHED };
	struct settle_request request = { .process_id = claim.process_id,
					  .outcomes = &outcome,
					  .outcome_count = 1,
					  .preserve_finished_jobs = true,
					  .claim = &claim };
	struct claim *claims;
	size_t count;

	put(test->db, "a", 0);
	outcome.claim = claim_name(take_all(test, claim.process_id, 1));
	sql_do(test, "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE "
		     "insufficient_privilege; END';CREATE TRIGGER no BEFORE UPDATE ON "
		     "solid_queue_jobs FOR EACH ROW EXECUTE FUNCTION no()");
	must_be(STATUS_FATAL, settle, test->db, test->arena, &request, &claims, &count);
	claim.limit = 3;
	put(test->db, "a", 0);
	must(settle, test->db, test->arena, &request, &claims, &count);
	assert_int_equal(count, 1);
	assert_true(outcome.aside);
}

/* All ways to claim, once more when its time has come, and at last when nothing is in its way. */
static void claim_refused(struct test_db *test, const char *const *queues)
{
	const int64_t process = register_worker(test->db, "w");
	size_t count;

	for (size_t i = 0; i < 4; i++)
		put(test->db, i == 3 ? "b" : "a", 0);
	forbid(test, "INSERT", "claimed_executions", "NEW.job_id = 2");
	(void)take(test, process, queues, 3, &count);
	assert_int_equal(count, 3);
	assert_int_equal(state_of(test, BAD), JOB_READY);
	assert_int_equal(set_aside(test), 1);
	put(test->db, "a", 0);
	(void)take(test, process, queues, 3, &count);
	assert_int_equal(count, 1);
	let_time_pass(test);
	assert_int_equal(set_aside(test), 0);
	put(test->db, "a", 0);
	(void)take(test, process, queues, 3, &count);
	assert_int_equal(count, 1);
	assert_int_equal(set_aside(test), 1);
	torn_allow(test, "claimed_executions");
	let_time_pass(test);
	assert_int_equal(take(test, process, queues, 3, &count)->job.id, BAD);
	assert_int_equal(count, 1);
	test_invariant(test->db);
}

#define CLAIM_CASE(name, ...)                                                                      \
	DB_CASE(name)                                                                              \
	{                                                                                          \
		claim_refused(test, (const char *const[]){ __VA_ARGS__, NULL });                   \
	}
CLAIM_CASE(a_refused_claim_of_all_queues, "*")
CLAIM_CASE(a_refused_claim_of_a_list, "b", "a")
CLAIM_CASE(a_refused_claim_of_a_prefix, "a*", "b")

DB_CASE(a_refused_claim_of_one_queue)
{
	static const char *const a[] = { "a", NULL };
	const int64_t process = register_worker(test->db, "w");
	size_t count;

	for (size_t i = 0; i < 3; i++)
		put(test->db, "a", 0);
	forbid(test, "INSERT", "claimed_executions", "NEW.job_id = 2");
	(void)take(test, process, a, 3, &count);
	assert_int_equal(count, 2);
	assert_int_equal(set_aside(test), 1);
}

/* Rows without their job, in front of others: they are deleted. */
DB_CASE(rows_without_a_job_hold_up_nothing)
{
	const int64_t process = register_worker(test->db, "w");
	size_t count;

	declare(test, "Limited", 1, LIMIT_BLOCK);
	for (size_t i = 0; i < 3; i++)
		put(test->db, "a", 0); /* 1 to 3 */
	for (size_t i = 0; i < 3; i++)
		put_for_later(test->db, "Test", NULL); /* 4 to 6 */
	for (size_t i = 0; i < 3; i++)
		put_limited(test, "Limited", "k"); /* 7 to 9 */
	make_due(test);
	torn_unguard(test);
	test_execute(test->db, "DELETE FROM solid_queue_jobs WHERE id IN (1, 4, 8)");
	db_disconnect(test->db); /* foreign keys count again */
	assert_int_equal(dispatch_due(test, 10), db_dialect_of(test->db) == DB_POSTGRESQL ? 2 : 3);
	(void)dispatch_due(test, 10);
	assert_int_equal(rows_of(test, "scheduled_executions"), 0);
	struct claim *claims = take_some(test, process, 10, &count);
	assert_int_equal(count, 5);
	assert_int_equal(rows_of(test, "ready_executions"), 0);
	for (size_t i = 0; i < count; i++)
		assert_true(settle_one(test->db, &claims[i], OUTCOME_FINISHED));
	assert_int_equal(state_of(test, 9), JOB_READY);
	assert_int_equal(rows_of(test, "blocked_executions"), 1);
}

/* What ends a limited job is not refused because of the job that would get its slot. */
DB_CASE(a_refused_admission_holds_up_nothing)
{
	const int64_t process = register_worker(test->db, "w");

	declare(test, "Limited", 1, LIMIT_BLOCK);
	for (size_t i = 0; i < 3; i++)
		put_limited(test, "Limited", "k");
	forbid(test, "INSERT", "ready_executions", "NEW.job_id = 2");
	finish_claims(test, take_all(test, process, 1), 1);
	assert_states(test, 1, JOB_FINISHED, BAD, JOB_SCHEDULED, 3, JOB_READY);
	assert_int_equal(set_aside(test), 1);
	torn_allow(test, "ready_executions");
	finish_claims(test, take_all(test, process, 1), 1);
	make_due(test);
	let_time_pass(test);
	(void)dispatch_due(test, 10);
	assert_int_equal(state_of(test, BAD), JOB_READY);
	assert_slots_add_up(test);
}

/* A claim without a slot that can neither run nor wait goes back, and the others run. */
DB_CASE(a_job_that_cannot_be_blocked_holds_up_nothing)
{
	struct selector every = { .all = true };
	struct claim_request claim = { .selector = &every,
				       .process_id = register_worker(test->db, "w"),
				       .limit = 10 };
	struct settle_request request = { .process_id = claim.process_id, .claim = &claim };
	struct claim *claims;
	size_t count;

	put_blocked(test, 1, 2);
	torn_remove(test, BAD);
	torn_add(test, "ready", BAD, 0);
	forbid(test, "INSERT", "blocked_executions", "NEW.job_id = 2");
	must_be(STATUS_UNCERTAIN, settle, test->db, test->arena, &request, &claims, &count);
	must(settle_resolve, test->db, &request, NULL, 0);
	assert_int_equal(set_aside(test), 1);
	assert_int_equal(take_all(test, claim.process_id, 1)->job.id, 1);
	assert_int_equal(state_of(test, BAD), JOB_READY);
}

/* What a person does to many jobs is done to the others, and said of the one. */
DB_CASE(a_refused_action_is_told)
{
	struct action action = { .db = test->db, .arena = test->arena, .kind = ACTION_DISCARD };
	const int64_t ids[] = { 1, BAD, 3 };

	for (size_t i = 0; i < 3; i++)
		put(test->db, "a", 0);
	forbid(test, "DELETE", "jobs", "OLD.id = 2");
	must(action_ids, &action, ids, 3);
	assert_int_equal(action.done, 2);
	assert_int_equal(action.refused_count, 1);
	assert_int_equal(action.refused[0].id, BAD);
	assert_contains(action.refused[0].reason, "not this one");
	must_be(STATUS_INVALID, job_discard, test->db, BAD);
}

DB_CASE(a_refused_dispatch_holds_up_nothing)
{
	struct dispatching how = { 0 };
	int64_t moved;

	for (size_t i = 0; i < 4; i++)
		put_for_later(test->db, "Test", NULL);
	make_due(test);
	forbid(test, "INSERT", "ready_executions", "NEW.job_id = 2");
	must(dispatch, test->db, &how, 10, &moved);
	assert_int_equal(rows_of(test, "ready_executions"), 3);
	assert_int_equal(state_of(test, BAD), JOB_SCHEDULED);
	assert_int_equal(set_aside(test), 1);
	must(dispatch, test->db, &how, 10, &moved);
	assert_int_equal(moved, 0);
	torn_allow(test, "ready_executions");
	const struct doctor doctor = torn_examine(test, true);
	assert_int_equal(doctor.found[AILMENT_REFUSED].count, 1);
	assert_int_equal(doctor.found[AILMENT_REFUSED].examples[0], BAD);
	assert_contains(doctor.found[AILMENT_REFUSED].details[0], "not this one");
	assert_int_equal(set_aside(test), 0);
	must(dispatch, test->db, &how, 10, &moved);
	assert_int_equal(state_of(test, BAD), JOB_READY);
}

/* Its process leaves, or dies: the others' jobs are given back, its own when that is possible. */
static void end_process(struct test_db *test, bool dies)
{
	const int64_t process = register_worker(test->db, "w");
	int64_t released = 0;

	for (size_t i = 0; i < 3; i++)
		put(test->db, "a", 0);
	take_all(test, process, 3);
	forbid(test, "INSERT", "ready_executions", "NEW.job_id = 2");
	if (dies)
		assert_int_equal(bury(test, "w", &test_policy).processes, 1);
	else
		must(process_deregister, test->db, process, &released);
	assert_int_equal(rows_of(test, "processes"), 0);
	assert_int_equal(released + lose_orphans(test, &test_policy).released, 2);
	assert_int_equal(state_of(test, BAD), JOB_CLAIMED);
	assert_int_equal(set_aside(test), 1);
	assert_int_equal(lose_orphans(test, &test_policy).released, 0);
	torn_allow(test, "ready_executions");
	let_time_pass(test);
	assert_int_equal(lose_orphans(test, &test_policy).released, 1);
	assert_int_equal(state_of(test, BAD), JOB_READY);
	test_invariant(test->db);
}

DB_CASE(a_refused_release_keeps_no_process)
{
	end_process(test, false);
}

DB_CASE(a_refused_loss_keeps_no_process)
{
	end_process(test, true);
}

static void take_two(struct test_db *test, int64_t process)
{
	for (size_t i = 0; i < 2; i++)
		put(test->db, "a", 0);
	take_all(test, process, 2);
}

/* Claims whose jobs are gone are dropped, and are nobody's loss: the others' are counted. */
DB_CASE(a_claim_without_a_job_is_no_loss)
{
	const int64_t leaves = register_worker(test->db, "leaves");
	int64_t released;

	take_two(test, leaves); /* 1 and 2, and so on */
	take_two(test, register_worker(test->db, "dies"));
	take_two(test, register_worker(test->db, "vanishes"));
	torn_unguard(test);
	test_execute(test->db, "DELETE FROM solid_queue_jobs WHERE id IN (1, 3, 5)");
	db_disconnect(test->db); /* foreign keys count again */
	must(process_deregister, test->db, leaves, &released);
	assert_int_equal(released, 1);
	assert_int_equal(bury(test, "dies", &test_policy).released, 1);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	assert_int_equal(lose_orphans(test, &test_policy).released, 1);
	assert_int_equal(rows_of(test, "claimed_executions"), 0);
	assert_int_equal(rows_of(test, "ready_executions"), 3);
	assert_int_equal(set_aside(test), 0);
	test_invariant(test->db);
}

/* One that cannot be given back neither, beside another one that the database refuses. */
DB_CASE(a_claim_without_a_job_beside_one_that_is_refused)
{
	const int64_t process = register_worker(test->db, "w");
	int64_t released;

	for (size_t i = 0; i < 3; i++)
		put(test->db, "a", 0);
	take_all(test, process, 3);
	forbid(test, "INSERT", "ready_executions", "NEW.job_id = 2");
	torn_unguard(test);
	test_execute(test->db, "DELETE FROM solid_queue_jobs WHERE id = 1");
	db_disconnect(test->db);
	must(process_deregister, test->db, process, &released);
	assert_int_equal(released, 1);
	assert_false(torn_is_in(test, "claimed", 1));
	assert_int_equal(state_of(test, BAD), JOB_CLAIMED);
	torn_allow(test, "ready_executions");
	let_time_pass(test);
	assert_int_equal(lose_orphans(test, &test_policy).released, 1);
}

static struct job_clear clear_all(struct test_db *test)
{
	struct job_clear clear = { .db = test->db,
				   .before = db_now(test->db) + CLOCK_HOUR,
				   .batch = 4,
				   .arena = test->arena };
	bool more = true;

	while (more)
		must(job_clear_next, &clear, &more);
	return clear;
}

/* What cannot be deleted does not keep the others, and is set aside as what cannot be changed. */
DB_CASE(a_refused_clearing_holds_up_nothing)
{
	const int64_t process = register_worker(test->db, "w");
	struct why_look look;

	for (size_t i = 0; i < 7; i++)
		put(test->db, "a", 0);
	struct claim *claims = take_all(test, process, 7);
	for (size_t i = 0; i < 7; i++)
		assert_true(settle_one(test->db, &claims[i], OUTCOME_FINISHED));
	forbid(test, "DELETE", "jobs", "OLD.id = 2");
	struct job_clear clear = clear_all(test);
	assert_int_equal(clear.deleted, 6);
	assert_int_equal(clear.refused, 1);
	assert_int_equal(rows_of(test, "jobs"), 1);
	assert_int_equal(set_aside(test), 1);
	clear = clear_all(test);
	assert_int_equal(clear.deleted + clear.refused, 0);
	why_look(test, BAD, &test_policy, &look);
	assert_string_equal(look.why.reasons[0].kind, "refused");
	assert_contains(look.why.text, "not this one");
	/* Its pause ends, and it is refused again. */
	let_time_pass(test);
	assert_int_equal(clear_all(test).refused, 1);
	torn_allow(test, "jobs");
	const struct doctor doctor = torn_examine(test, true);
	assert_int_equal(doctor.found[AILMENT_REFUSED].count, 1);
	assert_int_equal(doctor.found[AILMENT_REFUSED].examples[0], BAD);
	assert_int_equal(clear_all(test).deleted, 1);
	assert_int_equal(rows_of(test, "jobs"), 0);
}

/* A trigger may also keep it without a word. */
DB_CASE_ONLY(a_deletion_that_is_ignored_holds_up_nothing, "sqlite postgresql")
{
	const int64_t process = register_worker(test->db, "w");

	for (size_t i = 0; i < 7; i++)
		put(test->db, "a", 0);
	struct claim *claims = take_all(test, process, 7);
	for (size_t i = 0; i < 7; i++)
		assert_true(settle_one(test->db, &claims[i], OUTCOME_FINISHED));
	test_execute(test->db,
		     db_dialect_of(test->db) == DB_SQLITE
			     ? "CREATE TRIGGER no BEFORE DELETE ON solid_queue_jobs WHEN OLD.id < 5"
			       " BEGIN SELECT RAISE(IGNORE); END"
			     : "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS "
			       "'BEGIN RETURN NULL; END';"
			       "CREATE TRIGGER no BEFORE DELETE ON solid_queue_jobs FOR EACH ROW"
			       " WHEN (OLD.id < 5) EXECUTE FUNCTION no()");
	struct job_clear clear = clear_all(test);
	assert_int_equal(clear.deleted, 3);
	assert_int_equal(clear.refused, 4);
	assert_int_equal(test_query_int(test->url, "SELECT COUNT(*) FROM dray_pauses"), 4);
}
