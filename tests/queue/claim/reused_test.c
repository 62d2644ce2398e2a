/* A claim's number that is given out again: the old holder changes nothing of the new. */
#include "tests/support/queue.h"

#include "db/operations.h"

static struct outcome outcome_of(const struct claim *claim, enum outcome_kind kind)
{
	return (struct outcome){ .claim = claim_name(claim),
				 .kind = kind,
				 .error = outcome_rules[kind].in_history ? test_failure : NULL };
}

/* The claim of a job that the server forgot, and then the one that got its number. */
static struct claim *reuse(struct test_db *test, int64_t before, int64_t after, struct claim *old)
{
	static const char *const later[] = { "later", NULL };
	size_t count;

	put(test->db, "a", 0);
	*old = *take_all(test, before, 1);
	forget_claim(test, old);
	put(test->db, "later", 0);
	struct claim *claim = take(test, after, later, 1, &count);
	assert_int_equal(count, 1);
	assert_int_equal(claim->id, old->id);
	assert_int_not_equal(claim->job.id, old->job.id);
	return claim;
}

static void try_ending(struct test_db *test, enum outcome_kind kind, bool preserve)
{
	struct claim old;
	const struct claim *now = reuse(test, register_worker(test->db, "old"),
					register_worker(test->db, "new"), &old);
	struct outcome outcome = outcome_of(&old, kind);
	char number[32];

	settle_outcomes(test, &outcome, 1, preserve);
	assert_true(outcome.refused);
	(void)snprintf(number, sizeof(number), "job %" PRId64, now->job.id);
	assert_contains(outcome.why, number);
	assert_states(test, now->job.id, JOB_CLAIMED, old.job.id, JOB_READY);
	test_invariant(test->db);
	outcome = outcome_of(now, kind);
	settle_outcomes(test, &outcome, 1, preserve);
	assert_false(outcome.refused);
	if (preserve)
		assert_int_equal(state_of(test, now->job.id), outcome_rules[kind].next);
	test_invariant(test->db);
	test_execute(test->db, "DELETE FROM solid_queue_jobs");
}

DB_CASE(it_does_not_end_for_another)
{
	for (enum outcome_kind kind = 0; kind < OUTCOMES; kind++)
		try_ending(test, kind, true);
	try_ending(test, OUTCOME_FINISHED, false);
}

/* One worker, both jobs in one trip, with one number. */
DB_CASE(both_runs_end_at_once)
{
	int64_t process = register_worker(test->db, "w");

	for (enum outcome_kind kind = 0; kind < OUTCOMES; kind++) {
		const bool again = outcome_rules[kind].next == JOB_READY;
		struct claim old;
		const struct claim *now = reuse(test, process, process, &old);
		struct outcome outcomes[] = { outcome_of(&old, kind), outcome_of(now, kind) };
		settle_outcomes(test, outcomes, 2, true);
		assert_true(outcomes[0].refused);
		assert_false(outcomes[1].refused);
		assert_int_equal(state_of(test, old.job.id), JOB_READY);
		assert_int_not_equal(state_of(test, now->job.id), JOB_CLAIMED);
		assert_true(settle_one(test->db, take_all(test, process, again ? 2 : 1),
				       OUTCOME_FINISHED));
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
	}
}

/* The same job, the same process, the same number: the time tells them apart. */
DB_CASE(the_same_job_claimed_again)
{
	int64_t process = register_worker(test->db, "w");
	int64_t id = put(test->db, "a", 0);
	const struct claim *old = take_all(test, process, 1);

	forget_claim(test, old);
	const struct claim *now = take_all(test, process, 1);
	assert_int_equal(now->id, old->id);
	assert_int_equal(now->job.id, old->job.id);
	struct outcome outcomes[] = { outcome_of(old, OUTCOME_FAILED) };
	settle_outcomes(test, outcomes, 1, true);
	assert_true(outcomes[0].refused);
	assert_wording("settle.claim_of_another_run", outcomes[0].why);
	assert_int_equal(state_of(test, id), JOB_CLAIMED);
	assert_true(settle_one(test->db, now, OUTCOME_FINISHED));
	test_invariant(test->db);
}

/* What runs is not known by its number: the claim that has it now is nobody's run. */
DB_CASE(resolving_sees_through_it)
{
	int64_t process = register_worker(test->db, "w");
	struct settle_request nothing = { .process_id = process };
	struct claim old;
	const struct claim *now = reuse(test, process, process, &old);
	struct claim_name held = claim_name(&old);

	must(settle_resolve, test->db, &nothing, &held, 1);
	assert_int_equal(held.id, 0);
	assert_int_equal(state_of(test, now->job.id), JOB_READY);
	test_invariant(test->db);

	struct claim *claims = take_all(test, process, 2);
	struct outcome outcome = outcome_of(&old, OUTCOME_FINISHED);
	struct settle_request ended = { .process_id = process,
					.outcomes = &outcome,
					.outcome_count = 1 };
	struct claim_name both[] = { claim_name(&claims[0]), claim_name(&claims[1]) };
	must(settle_resolve, test->db, &ended, both, 2);
	assert_int_equal(outcome.claim.id, 0);
	assert_int_equal(both[0].id, claims[0].id);
	assert_int_equal(both[1].id, claims[1].id);
	assert_int_equal(rows_of(test, "claimed_executions"), 2);
}

/* An orphan that somebody looked at, and its number at a living worker's claim since. */
DB_CASE(losing_sees_through_it)
{
	struct error error = { 0 };
	struct claim old;
	const struct claim *now = reuse(test, register_worker(test->db, "old"),
					register_worker(test->db, "new"), &old);
	const struct claim_name seen = claim_name(&old);
	struct db_list run = { .arena = test->arena };
	struct db_rows rows = { 0 };

	DB_ADD(&run, run_row, .id = P_INT(seen.id), .job_id = P_INT(seen.job_id),
	       .process_id = P_INT(seen.process_id), .created_at = P_TIME(seen.claimed_at),
	       .attempt = P_INT(1), .began_at = P_TIME(seen.claimed_at),
	       .ended_at = P_TIME(seen.claimed_at), .error = P_TEXT("{}"),
	       .outcome = P_TEXT("lost"));
	enum status status =
		db_query(test->db, test->arena,
			 DB_CALL(lose, .claims = P_ROWS(claim_list(test->arena, &seen, 1)),
				 .failures = P_ROWS(&run), .keep = P_INT(20),
				 .now = P_TIME(db_now(test->db))),
			 &rows, &error);

	assert_true(status == STATUS_OK || status == STATUS_NONE);
	assert_int_equal(state_of(test, now->job.id), JOB_CLAIMED);
	assert_true(settle_one(test->db, now, OUTCOME_FINISHED));
	test_invariant(test->db);
}

/* Other software writes times in forms of its own, and may leave the process out. */
DB_CASE(others_claims_are_still_found)
{
	static const char *const times[] = { "2026-01-01 00:00:00", "2026-01-01 00:00:00.5",
					     "2026-01-01 00:00:00.123456",
					     "2026-01-01 00:00:00.123000" };

	for (size_t i = 0; i < 4; i++) {
		const char *process = i % 2 == 0 ? "NULL" : "4242";
		int64_t id = put(test->db, "a", 0);
		test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
		sql_execute(test->db,
			    "INSERT INTO solid_queue_claimed_executions (job_id, process_id, "
			    "created_at) VALUES (%" PRId64 ", %s, '%s')",
			    id, process, times[i]);
	}
	assert_int_equal(lose_orphans(test, &test_policy).released, 4);
	assert_int_equal(rows_of(test, "ready_executions"), 4);
	test_invariant(test->db);
}

/* What jobs are given sorts as the claims came and names them. */
DB_CASE_ONLY(tokens, "sqlite")
{
	struct claim_name name = { .id = 7, .job_id = 8, .process_id = 9, .claimed_at = 1000000 };
	char first[CLAIM_TOKEN_SIZE], second[CLAIM_TOKEN_SIZE];

	claim_token(&name, first);
	assert_string_equal(first, "0000000001000000-7-8-9");
	name.claimed_at = 1795370920123456;
	name.id = 6;
	claim_token(&name, second);
	assert_string_equal(second, "1795370920123456-6-8-9");
	assert_true(strcmp(first, second) < 0);
	name = (struct claim_name){ INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX };
	claim_token(&name, first);
	assert_true(strlen(first) < CLAIM_TOKEN_SIZE - 1);
}
