/* Cancelling jobs that run, as the tables have it: the note, and every end of a run. */
#include <unistd.h>

#include "common/log/log.h"
#include "queue/manage/manage.h"
#include "queue/settle/cancellations.h"
#include "queue/settle/settle.h"
#include "tests/support/limited.h"
#include "tests/support/sites/command.h"
#include "tests/support/sites/rails.h"

/* A job that runs, and was cancelled. */
static struct claim *cancelled(struct test_db *test, int64_t process)
{
	(void)put(test->db, "a", 0);
	struct claim *claim = take_all(test, process, 1);

	must(job_cancel, test->db, claim->job.id, "a mistake");
	assert_int_equal(state_of(test, claim->job.id), JOB_CLAIMED);
	return claim;
}

static int64_t notes(struct test_db *test)
{
	return sql_number(test, "SELECT count(*) FROM dray_cancellations");
}

static void assert_cancelled(struct test_db *test, int64_t id)
{
	assert_int_equal(state_of(test, id), JOB_FINISHED);
	assert_contains(sql_text(test,
				 "SELECT error FROM dray_attempts WHERE outcome = 'cancelled' AND "
				 "job_id = %" PRId64,
				 id),
			": a mistake\"");
	assert_int_equal(notes(test), 0);
	test_invariant(test->db);
}

/* The heartbeat of a process tells that there is something to read, and of what. */
DB_CASE(the_heartbeat_tells)
{
	struct process_row row = { .id = register_ours(test, "w"),
				   .name = "w",
				   .metadata = TEST_OURS };
	struct process_row other = { .id = register_ours(test, "x"),
				     .name = "x",
				     .metadata = TEST_OURS };
	struct cancellation *list;
	size_t count;

	must(process_heartbeat, test->db, &row);
	assert_false(row.told);
	const struct claim *claim = cancelled(test, row.id);
	must(process_heartbeat, test->db, &other);
	assert_false(other.told);
	must(process_heartbeat, test->db, &row);
	assert_true(row.told);
	must(cancellations_read, test->db, test->arena, row.id, &list, &count);
	assert_int_equal(count, 1);
	assert_int_equal(list[0].claim, claim->id);
	assert_int_equal(list[0].job, claim->job.id);
	assert_true(list[0].held);
	assert_contains(list[0].text, ": a mistake");
	row.id += 1000;
	must_be(STATUS_NONE, process_heartbeat, test->db, &row);
}

/* The first note of a run stays, and the second one who cancels it learns of it. */
DB_CASE(a_run_is_cancelled_once)
{
	const struct claim *claim = cancelled(test, register_ours(test, "w"));
	const int64_t ids[] = { put(test->db, "a", 0), claim->job.id };
	struct action action = { .db = test->db, .arena = test->arena, .kind = ACTION_CANCEL };
	char by[CANCEL_BY];

	must(job_cancel, test->db, claim->job.id, "another");
	assert_string_equal(sql_text(test, "SELECT reason FROM dray_cancellations"), "a mistake\n");
	cancel_by(by);
	must(action_ids, &action, ids, 2);
	assert_int_equal(action.done, 1);
	assert_int_equal(action.stopping, 0);
	assert_int_equal(action.refused_count, 0);
	assert_int_equal(action.known_count, 1);
	assert_int_equal(action.known[0].id, claim->job.id);
	assert_string_equal(action.known[0].by, by);
	assert_true(action.known[0].since > 0 && action.known[0].since < db_now(test->db));
}

DB_CASE(a_stopped_run_ends_so)
{
	const struct claim *claim = cancelled(test, register_ours(test, "w"));

	assert_true(settle_one(test->db, claim, OUTCOME_CANCELLED));
	assert_int_equal(state_of(test, claim->job.id), JOB_FINISHED);
	assert_string_equal(sql_text(test,
				     "SELECT outcome FROM dray_attempts WHERE job_id = %" PRId64
				     " ORDER BY id",
				     claim->job.id),
			    "cancelled\n");
	assert_int_equal(notes(test), 0);
}

/* What ended before it was told stays as it ended; a job that would run again does not. */
DB_CASE(every_end_that_comes_first)
{
	int64_t process = register_ours(test, "w");

	for (enum outcome_kind kind = 0; kind < OUTCOMES; kind++) {
		const struct claim *claim = cancelled(test, process);
		const enum job_state next = outcome_rules[kind].next;
		struct outcome outcome = { .claim = claim_name(claim),
					   .kind = kind,
					   .error = test_failure,
					   .attempt = 1,
					   .wait = CLOCK_HOUR };
		settle_outcomes(test, &outcome, 1, true);
		assert_false(outcome.refused);
		if (next == JOB_READY || next == JOB_SCHEDULED)
			assert_cancelled(test, claim->job.id);
		else
			assert_int_equal(state_of(test, claim->job.id), next);
		test_execute(test->db, "DELETE FROM dray_cancellations");
	}
}

/* A note of an earlier run says nothing of a later one. */
DB_CASE(a_note_is_of_one_run)
{
	int64_t process = register_ours(test, "w");
	const struct claim *claim = cancelled(test, process);
	int64_t id = claim->job.id;

	assert_true(settle_one(test->db, claim, OUTCOME_FAILED));
	assert_int_equal(notes(test), 1);
	must(job_retry, test->db, id);
	assert_false(
		settle_one(test->db, claim, OUTCOME_RETRIED)); /* of a worker that was frozen */
	assert_int_equal(state_of(test, id), JOB_READY);
	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_RELEASED));
	assert_int_equal(state_of(test, id), JOB_READY);
	claim = take_all(test, process, 1);
	must(job_cancel, test->db, id, "a mistake");
	assert_true(settle_one(test->db, claim, OUTCOME_INTERRUPTED));
	assert_cancelled(test, id);
}

/* What its worker reads of it then; the next run is none of its business. */
DB_CASE(a_note_without_its_run_is_forgotten)
{
	int64_t process = register_ours(test, "w");
	const struct claim *claim = cancelled(test, process);
	const struct claim *other = cancelled(test, process);
	struct cancellation *list;
	size_t count;

	assert_true(settle_one(test->db, claim, OUTCOME_FAILED));
	must(job_retry, test->db, claim->job.id);
	must(cancellations_read, test->db, test->arena, process, &list, &count);
	assert_int_equal(count, 2);
	must(cancellations_forget, test->db, test->arena, list, count);
	assert_int_equal(state_of(test, claim->job.id), JOB_READY);
	claim = take_all(test, process, 1);
	must(cancellations_read, test->db, test->arena, process, &list, &count);
	assert_int_equal(count, 1);
	assert_int_equal(list[0].claim, other->id);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
}

/* It is of no use when its process is gone; that of a run which is left to others is. */
DB_CASE(a_note_goes_with_its_process)
{
	for (int dead = 0; dead < 2; dead++) {
		int64_t process = register_ours(test, "w");
		int64_t released;

		assert_true(settle_one(test->db, cancelled(test, process), OUTCOME_FINISHED));
		const struct claim *other = cancelled(test, register_ours(test, "v"));
		sql_execute(test->db, "UPDATE dray_cancellations SET process_id = %" PRId64,
			    process);
		assert_int_equal(notes(test), 2);
		if (dead)
			(void)bury(test, "w", &test_policy);
		else
			must(process_deregister, test->db, process, &released);
		assert_int_equal(notes(test), 1);
		assert_true(settle_one(test->db, other, OUTCOME_INTERRUPTED));
		assert_cancelled(test, other->job.id);
	}
}

/* The worker asks for the reason after a commit of which it does not know whether it took place. */
DB_CASE(an_unknown_end_was_the_cancellation)
{
	int64_t process = register_ours(test, "w");

	for (enum outcome_kind kind = 0; kind < OUTCOMES; kind++) {
		const struct claim *claim = cancelled(test, process);
		struct outcome outcome = { .claim = claim_name(claim), .kind = kind };

		assert_true(settle_one(test->db, claim, kind));
		const char *why = claim_why_unsettled(test->db, test->arena, &outcome);
		assert_int_equal(outcome.told, outcome_runs_again(kind));
		if (outcome.told)
			assert_contains(why, ": a mistake");
		else
			assert_null(why);
	}
}

/* The ways in which a job waits again although it was cancelled, which its worker does not know. */
static void settle_as(struct test_db *test, const struct claim *claim, enum outcome_kind kind)
{
	struct outcome outcome = { .claim = claim_name(claim),
				   .kind = kind,
				   .error = test_failure,
				   .attempt = 1,
				   .wait = CLOCK_HOUR,
				   .limited = true };
	struct settle_request request = { .process_id = claim->job.process_id,
					  .outcomes = &outcome,
					  .outcome_count = 1,
					  .preserve_finished_jobs = true,
					  .batches = true };

	settle_only(test, &request);
	assert_true(outcome.told);
	assert_false(outcome.refused);
}

static void put_back(struct test_db *test, const struct claim *claim)
{
	const struct claim_name name = claim_name(claim);
	int64_t released;

	must(claims_give_back, test->db, &name, 1, &released);
	assert_int_equal(released, 0);
}

static void deregister(struct test_db *test, const struct claim *claim)
{
	int64_t released;

	must(process_deregister, test->db, claim->job.process_id, &released);
	assert_int_equal(released, 0);
}

static void die(struct test_db *test, const struct claim *claim)
{
	(void)claim;
	(void)bury(test, "w", &test_policy);
}

static void vanish(struct test_db *test, const struct claim *claim)
{
	(void)claim;
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	(void)lose_orphans(test, &test_policy);
}

static void end_in_way(struct test_db *test, const struct claim *claim, int way)
{
	static void (*const others[])(struct test_db *,
				      const struct claim *) = { put_back, deregister, die, vanish };

	if (way < OUTCOMES)
		settle_as(test, claim, (enum outcome_kind)way);
	else
		others[way - OUTCOMES](test, claim);
}

/* Who ends it without its worker says so. */
static void assert_end_is_logged(struct test_db *test, const struct claim *claim, int way)
{
	const int log = test_memory_file("log", NULL);

	log_configure(&(struct log_options){ LOG_INFO, LOG_FORMAT_JSON, log });
	end_in_way(test, claim, way);
	log_configure(&(struct log_options){ LOG_INFO, LOG_AUTO, STDERR_FILENO });
	const char *lines = test_memory_read(test->arena, log);
	if (way < OUTCOMES)
		assert_null(strstr(lines, "\"job.cancelled\""));
	else
		assert_contains(lines,
				arena_printf(test->arena,
					     "\"job\":%" PRId64 ",\"message\":\"cancelled by ",
					     claim->job.id));
	(void)close(log);
}

/* Its slot goes to the next job, and its batch does not wait for it. */
DB_CASE(a_cancelled_run_leaves_slot_and_batch)
{
	test_rails_batches(test);
	test_execute(test->db, "INSERT INTO solid_queue_batches (created_at, updated_at) VALUES "
			       "('2026-01-01 00:00:00', '2026-01-01 00:00:00')");
	declare(test, "Limited", 1, LIMIT_BLOCK);
	for (int way = 0; way < OUTCOMES + 4; way++) {
		if (way < OUTCOMES && !outcome_runs_again((enum outcome_kind)way))
			continue;
		int64_t id = put_limited(test, "Limited", "k");
		int64_t next = put_limited(test, "Limited", "k");
		sql_do(test, "INSERT INTO solid_queue_batch_executions (job_id, batch_id, "
			     "created_at) SELECT j.id, b.id, '2026-01-01 00:00:00' FROM "
			     "solid_queue_jobs j CROSS JOIN solid_queue_batches b WHERE "
			     "j.finished_at IS NULL");
		const struct claim *claim = take_all(test, register_ours(test, "w"), 1);
		must(job_cancel, test->db, id, "a mistake");
		assert_end_is_logged(test, claim, way);
		assert_cancelled(test, id);
		assert_int_equal(state_of(test, next), JOB_READY);
		assert_int_equal(rows_of(test, "batch_executions"), 1);
		assert_slots_add_up(test);
		must(job_discard, test->db, next);
		test_execute(test->db, "DELETE FROM solid_queue_processes");
	}
}

/* What other software runs, or an earlier dray, is not promised to stop. */
DB_CASE(others_run_on)
{
	static const char *const metadata[] = { NULL, "{\"software\":\"dray 0\"}" };

	for (size_t i = 0; i < 2; i++) {
		int64_t process = register_process(test->db, "Worker", i ? "w" : "v", metadata[i]);
		int64_t id = put(test->db, "a", 0);

		(void)take_all(test, process, 1);
		if (i == 0)
			must_say("cancel.other", STATUS_INVALID, job_cancel, test->db, id, NULL);
		else
			must_be(STATUS_INVALID, job_cancel, test->db, id, NULL);
		assert_int_equal(notes(test), 0);
		assert_int_equal(state_of(test, id), JOB_CLAIMED);
	}
}
