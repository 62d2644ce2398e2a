/*
 * What passes by itself, or looks as if the database were away, is a row's fault where it does not
 * pass and the server goes on serving: a row that another session holds, a trigger that says so.
 */
#include "tests/support/queue.h"
#include "tests/support/torn.h"

/* Five jobs, and one attempt in place of ten seconds of them. Returns the first. */
static int64_t begin(struct test_db *test)
{
	const int64_t first = put(test->db, "a", 0);

	for (size_t i = 1; i < 5; i++)
		put(test->db, "a", 0);
	test_wait_shortly(test->db);
	(void)db_set_retry_for(test->db, 1);
	return first;
}

static int64_t set_aside(struct test_db *test)
{
	return test_query_int(test->url, "SELECT COUNT(*) FROM dray_pauses WHERE kind = 'refused'");
}

static void let_time_pass(struct test_db *test)
{
	int64_t next;

	test_execute(test->db, "UPDATE dray_pauses SET ends_at = '2026-01-01 00:00:00'");
	(void)sweep_pauses(test, &next);
}

static struct db *hold(struct test_db *test, const char *what)
{
	struct db *other = test_db_open(test->url);

	test_begin(other);
	test_execute(other, what);
	return other;
}

static void let_go(struct db *other)
{
	test_execute(other, "ROLLBACK");
	db_close(other);
}

/* What a trigger says of one row. */
#define CODES 6
static const char *const codes[][CODES] = {
	[DB_POSTGRESQL] = { "40001", "57014", "55P03", "25006", "57P01", "08006" },
	[DB_MYSQL] = { "1213", "1205", "1317", "1290", "1053", "2006" },
};

static void forbid(struct test_db *test, const char *change, const char *table, const char *column,
		   int64_t bad, size_t code)
{
	torn_forbid(test, change, table,
		    arena_printf(test->arena, "NEW.%s = %" PRId64, column, bad),
		    codes[db_dialect_of(test->db)][code]);
}

static void take_outcomes(struct test_db *test, int64_t process, struct outcome outcomes[5])
{
	const struct claim *claims = take_all(test, process, 5);

	for (size_t i = 0; i < 5; i++)
		outcomes[i] = (struct outcome){ .claim = claim_name(&claims[i]),
						.kind = OUTCOME_FINISHED };
}

/* All finish but the second one, which is kept and set aside. */
static void assert_kept(struct test_db *test, struct outcome outcomes[5])
{
	settle_outcomes(test, outcomes, 5, true);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(outcomes[i].aside, i == 1);
		assert_int_equal(state_of(test, outcomes[i].claim.job_id),
				 i == 1 ? JOB_CLAIMED : JOB_FINISHED);
	}
	assert_int_equal(set_aside(test), 1);
}

static void assert_settled(struct test_db *test, struct outcome *outcome)
{
	settle_outcomes(test, outcome, 1, true);
	assert_false(outcome->aside);
	assert_int_equal(state_of(test, outcome->claim.job_id), JOB_FINISHED);
	test_execute(test->db, "DELETE FROM dray_pauses");
}

DB_CASE(a_finish_that_a_trigger_refuses_as_if_it_could_pass)
{
	const int64_t process = register_worker(test->db, "w");
	struct outcome outcomes[5];

	for (size_t i = 0; i < CODES; i++) {
		const int64_t first = begin(test);
		take_outcomes(test, process, outcomes);
		forbid(test, "UPDATE", "jobs", "id", first + 1, i);
		assert_kept(test, outcomes);
		torn_allow(test, "jobs");
		assert_settled(test, &outcomes[1]);
	}
	test_invariant(test->db);
}

/* Another session holds its row, also where there is no other outcome. */
DB_CASE(a_finish_of_a_row_that_is_locked)
{
	const int64_t process = register_worker(test->db, "w");
	const int64_t first = begin(test);
	struct outcome outcomes[5];

	take_outcomes(test, process, outcomes);
	struct db *other = hold(test, arena_printf(test->arena,
						   "SELECT id FROM solid_queue_jobs WHERE "
						   "id = %" PRId64 " FOR UPDATE",
						   first + 1));
	assert_kept(test, outcomes);
	settle_outcomes(test, &outcomes[1], 1, true);
	assert_true(outcomes[1].aside);
	const struct doctor doctor = torn_examine(test, false);
	assert_int_equal(doctor.found[AILMENT_REFUSED].examples[0], first + 1);
	let_go(other);
	assert_settled(test, &outcomes[1]);
}

/* In front of others. */
DB_CASE(a_claim_of_a_row_that_is_locked)
{
	static const char *const any[] = { "*", NULL };
	const int64_t process = register_worker(test->db, "w");
	const int64_t first = begin(test);
	size_t count;
	struct db *other = hold(test, arena_printf(test->arena,
						   "SELECT id FROM solid_queue_jobs WHERE "
						   "id = %" PRId64 " FOR UPDATE",
						   first));

	finish_claims(test, take(test, process, any, 10, &count), 4);
	assert_int_equal(count, 4);
	assert_int_equal(set_aside(test), 1);
	let_go(other);
	let_time_pass(test);
	assert_int_equal(take_all(test, process, 1)->job.id, first);
}

/*
 * Where a connection was given up, the server may hold the rows of its claim for a moment more:
 * they are passed over, as what others hold is, and claimed or refused later.
 */
static void claim_all_but_one(struct test_db *test, int64_t process, size_t all)
{
	size_t claimed = 0;

	while (claimed + 1 < all || set_aside(test) == 0) {
		size_t count;
		struct claim *claims = take_some(test, process, 10, &count);

		finish_claims(test, claims, count);
		claimed += count;
	}
	assert_int_equal(claimed, all - 1);
}

DB_CASE(a_claim_that_a_trigger_refuses_as_if_it_could_pass)
{
	const int64_t process = register_worker(test->db, "w");

	for (size_t i = 0; i < CODES; i += CODES - 1) {
		const int64_t first = begin(test);
		forbid(test, "INSERT", "claimed_executions", "job_id", first + 1, i);
		claim_all_but_one(test, process, 5);
		assert_int_equal(set_aside(test), 1);
		torn_allow(test, "claimed_executions");
		let_time_pass(test);
		finish_claims(test, take_all(test, process, 1), 1);
	}
	test_invariant(test->db);
}

DB_CASE(a_dispatch_that_a_trigger_refuses_as_if_it_could_pass)
{
	(void)db_set_retry_for(test->db, 1);
	for (size_t i = 0; i < CODES; i += CODES - 1) {
		struct dispatching how = { 0 };
		int64_t moved;
		const int64_t first = put_for_later(test->db, "Test", NULL);
		put_for_later(test->db, "Test", NULL);
		make_due(test);
		forbid(test, "INSERT", "ready_executions", "job_id", first, i);
		must(dispatch, test->db, &how, 10, &moved);
		assert_int_equal(state_of(test, first), JOB_SCHEDULED);
		assert_int_equal(state_of(test, first + 1), JOB_READY);
		torn_allow(test, "ready_executions");
		test_execute(test->db, "DELETE FROM dray_pauses");
		must(dispatch, test->db, &how, 10, &moved);
		assert_int_equal(state_of(test, first), JOB_READY);
	}
}

DB_CASE(a_loss_that_a_trigger_refuses_as_if_it_could_pass)
{
	for (size_t i = 0; i < CODES; i += CODES - 1) {
		const int64_t process = register_worker(test->db, "w");
		const int64_t first = begin(test);
		take_all(test, process, 5);
		forbid(test, "INSERT", "ready_executions", "job_id", first + 1, i);
		assert_int_equal(bury(test, "w", &test_policy).processes, 1);
		assert_int_equal(lose_orphans(test, &test_policy).released, 4);
		assert_int_equal(state_of(test, first + 1), JOB_CLAIMED);
		torn_allow(test, "ready_executions");
		let_time_pass(test);
		assert_int_equal(lose_orphans(test, &test_policy).released, 1);
		finish_claims(test, take_all(test, register_worker(test->db, "x"), 5), 5);
		test_execute(test->db, "DELETE FROM solid_queue_processes");
	}
}

/* What refuses every row, and the note of it, is an outage as before. */
static void assert_no_row(struct test_db *test, enum status expected, struct outcome outcomes[5])
{
	struct settle_request request = { .process_id = outcomes[0].claim.process_id,
					  .outcomes = outcomes,
					  .outcome_count = 5,
					  .preserve_finished_jobs = true };
	struct claim *claims;
	size_t count;

	must_be(expected, settle, test->db, test->arena, &request, &claims, &count);
	for (size_t i = 0; i < 5; i++)
		assert_false(outcomes[i].aside);
	assert_int_equal(set_aside(test), 0);
}

/* Were it a row's, the others would be done. */
DB_CASE(a_full_disk_is_no_row)
{
	struct outcome outcomes[5];
	const int64_t first = begin(test);

	take_outcomes(test, register_worker(test->db, "w"), outcomes);
	torn_forbid(test, "UPDATE", "jobs",
		    arena_printf(test->arena, "NEW.id = %" PRId64, first + 1),
		    db_dialect_of(test->db) == DB_POSTGRESQL ? "53100" : "1114");
	assert_no_row(test, STATUS_RETRY, outcomes);
	torn_allow(test, "jobs");
	settle_outcomes(test, outcomes, 5, true);
	for (size_t i = 0; i < 5; i++)
		assert_false(outcomes[i].aside);
}

static void only_read(struct test_db *test, const char *change)
{
	test_execute(test->db, arena_printf(test->arena,
					    "DO 'BEGIN EXECUTE ''ALTER DATABASE '' || "
					    "quote_ident(current_database()) || '' %s''; END'",
					    change));
}

DB_CASE_ONLY(a_server_that_only_reads_is_no_row, "postgresql")
{
	struct outcome outcomes[5];

	(void)begin(test);
	take_outcomes(test, register_worker(test->db, "w"), outcomes);
	only_read(test, "SET default_transaction_read_only = on");
	db_disconnect(test->db);
	assert_no_row(test, STATUS_DOWN, outcomes);
	test_execute(test->db, "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE");
	only_read(test, "RESET default_transaction_read_only");
}

DB_CASE_ONLY(a_table_that_is_locked_is_no_row, "postgresql")
{
	struct outcome outcomes[5];

	(void)begin(test);
	take_outcomes(test, register_worker(test->db, "w"), outcomes);
	struct db *other = hold(test, "LOCK TABLE solid_queue_jobs");
	assert_no_row(test, STATUS_RETRY, outcomes);
	let_go(other);
	settle_outcomes(test, outcomes, 5, true);
	assert_false(outcomes[0].aside);
}
