/* Every kind of wrong rows: found, named and mended; no job is lost, nothing else is touched. */
#include "db/operations.h"
#include "tests/support/limited.h"
#include "tests/support/torn.h"

/* One job in each state; returns the claim of the one that is claimed. */
static struct claim *put_one_of_each(struct test_db *test, int64_t ids[JOB_STATES])
{
	int64_t worker = register_worker(test->db, "w");

	ids[JOB_FINISHED] = put(test->db, "a", 0);
	assert_true(settle_one(test->db, take_all(test, worker, 1), OUTCOME_FINISHED));
	ids[JOB_FAILED] = put(test->db, "a", 0);
	assert_true(settle_one(test->db, take_all(test, worker, 1), OUTCOME_FAILED));
	ids[JOB_CLAIMED] = put(test->db, "a", 0);
	struct claim *claim = take_all(test, worker, 1);
	ids[JOB_BLOCKED] = put(test->db, "a", 0);
	torn_remove(test, ids[JOB_BLOCKED]);
	torn_add(test, "blocked", ids[JOB_BLOCKED], 0);
	ids[JOB_READY] = put(test->db, "a", 0);
	ids[JOB_SCHEDULED] = put_for_later(test->db, "A", NULL);
	return claim;
}

static void assert_all_in_place(struct test_db *test, const int64_t ids[JOB_STATES])
{
	for (int state = 0; state < JOB_STATES; state++)
		assert_int_equal(state_of(test, ids[state]), state);
}

DB_CASE(health_is_left_alone)
{
	int64_t ids[JOB_STATES];
	struct claim *claim = put_one_of_each(test, ids);
	struct doctor doctor = torn_examine(test, true);

	assert_false(doctor_found(&doctor));
	assert_all_in_place(test, ids);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
}

/* What had been wrong when it was seen may be well when it is mended: every script looks again. */
DB_CASE(mending_the_healthy_changes_nothing)
{
	struct error error = { 0 };
	int64_t ids[JOB_STATES + 1];

	put_one_of_each(test, ids);
	ids[JOB_STATES] = 4711; /* deleted meanwhile */
	const struct db_value jobs = P_IDS(ids, JOB_STATES + 1);
	const struct db_value now = P_TIME(db_now(test->db));
	const struct db_call mends[] = { DB_CALL(mend_strays, .jobs = jobs),
					 DB_CALL(mend_nowhere, .jobs = jobs, .now = now),
					 DB_CALL(mend_twice, .jobs = jobs) };
	for (size_t i = 0; i < sizeof(mends) / sizeof(mends[0]); i++) {
		enum status status = db_query(test->db, test->arena, mends[i], NULL, &error);
		assert_ok(status == STATUS_NONE ? STATUS_OK : status, &error);
		assert_all_in_place(test, ids);
		test_invariant(test->db);
	}
}

DB_CASE(executions_without_a_job)
{
	int64_t ids[JOB_STATES];

	put_one_of_each(test, ids);
	torn_unguard(test);
	torn_execute(test, "DELETE FROM solid_queue_jobs WHERE finished_at IS NULL", 0);
	torn_mend(test, AILMENT_MISSING_JOB, JOB_STATES - 1, ids[JOB_FAILED]);
	for (size_t i = 0; i < TORN_TABLES; i++)
		assert_int_equal(
			rows_of(test, arena_printf(test->arena, "%s_executions", torn_tables[i])),
			0);
}

/* Rows that came without their sequence; the others' counters follow by themselves. */
DB_CASE(sequences_behind_their_tables)
{
	bool sequences = db_dialect_of(test->db) == DB_POSTGRESQL;
	int64_t numbers[] = { 40, 4000000 };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		put(test->db, "a", 0);
		torn_execute(test,
			     "INSERT INTO solid_queue_jobs (id, queue_name, class_name, created_at,"
			     " updated_at, finished_at) VALUES (#, 'a', 'T', '2026-01-01',"
			     " '2026-01-01', '2026-01-01')",
			     numbers[i]);
		if (sequences)
			torn_mend(test, AILMENT_SEQUENCE, 1,
				  sql_number(test,
					     "SELECT 'solid_queue_jobs_id_seq'::regclass::oid"));
		torn_assert_well(test);
		assert_int_equal(put(test->db, "a", 0), numbers[i] + 1);
	}
	torn_execute(test,
		     "INSERT INTO dray_attempts (id, job_id, attempt, claim_id, began_at, ended_at,"
		     " outcome) SELECT #, min(id), 1, 1, '2026-01-01', '2026-01-01', 'failed' FROM"
		     " solid_queue_jobs",
		     90);
	if (sequences)
		torn_mend(test, AILMENT_SEQUENCE, 1,
			  sql_number(test, "SELECT 'dray_attempts_id_seq'::regclass::oid"));
}

DB_CASE(finished_jobs_stay_finished)
{
	int64_t ids[JOB_STATES];
	struct claim *claim = put_one_of_each(test, ids);

	torn_execute(test, "UPDATE solid_queue_jobs SET finished_at = created_at", 0);
	torn_mend(test, AILMENT_FINISHED, JOB_STATES - 1, ids[JOB_FAILED]);
	for (int i = 0; i < JOB_STATES; i++)
		assert_int_equal(state_of(test, ids[i]), JOB_FINISHED);
	assert_false(settle_one(test->db, claim, OUTCOME_FAILED));
	test_invariant(test->db);
}

/* A claim whose process is gone, of a job that is finished: it must not run again. */
DB_CASE(a_finished_job_is_not_lost)
{
	int64_t id = put(test->db, "a", 0);

	take_all(test, register_worker(test->db, "w"), 1);
	torn_execute(test, "UPDATE solid_queue_jobs SET finished_at = created_at", 0);
	torn_execute(test, "DELETE FROM solid_queue_processes", 0);
	torn_examine(test, true);
	assert_int_equal(state_of(test, id), JOB_FINISHED);
	test_invariant(test->db);
}

DB_CASE(silent_processes)
{
	int64_t dead = register_worker(test->db, "dead");
	int64_t id = put(test->db, "a", 0);

	take_all(test, dead, 1);
	int64_t kept = put(test->db, "a", 0);
	take_all(test, register_worker(test->db, "alive"), 1);
	int64_t other = register_process(test->db, "Worker", "other", NULL);
	fall_silent(test, "dead", TORN_ALIVE);
	fall_silent(test, "alive", TORN_ALIVE - 30 * CLOCK_MINUTE);
	fall_silent(test, "other", TORN_OTHERS - 30 * CLOCK_MINUTE);
	torn_mend(test, AILMENT_SILENT, 1, dead);
	assert_states(test, id, JOB_READY, kept, JOB_CLAIMED);
	fall_silent(test, "other", TORN_OTHERS);
	torn_mend(test, AILMENT_SILENT, 1, other);
}

/* One that still beats is about to leave by itself: that is nothing wrong. */
DB_CASE(processes_without_a_supervisor)
{
	int64_t supervisor = register_process(test->db, "Supervisor(fork)", "s", NULL);
	struct process_row worker = { .kind = "Worker",
				      .name = "w",
				      .pid = 2,
				      .hostname = "h",
				      .supervisor_id = supervisor };

	must(process_register, test->db, &worker);
	int64_t id = put(test->db, "a", 0);
	take_all(test, worker.id, 1);
	torn_execute(test, "DELETE FROM solid_queue_processes WHERE id = #", supervisor);
	struct doctor doctor = torn_examine(test, true);
	assert_false(doctor_found(&doctor));
	fall_silent(test, "w", TORN_OTHERS);
	torn_mend(test, AILMENT_NO_SUPERVISOR, 1, worker.id);
	assert_int_equal(state_of(test, id), JOB_READY);
}

DB_CASE(claims_without_a_process)
{
	int64_t first = put(test->db, "a", 0);
	int64_t second = put(test->db, "a", 0);

	struct claim *claims = take_all(test, register_worker(test->db, "w"), 2);
	torn_execute(test, "DELETE FROM solid_queue_processes", 0);
	torn_execute(test,
		     "UPDATE solid_queue_claimed_executions SET process_id = NULL WHERE job_id = #",
		     second);
	torn_mend(test, AILMENT_NO_PROCESS, 2, first);
	assert_states(test, first, JOB_READY, second, JOB_READY);
	struct job job = find_job(test, first);
	assert_int_equal(job.losses, 1);
	assert_false(settle_one(test->db, &claims[0], OUTCOME_FINISHED));
}

DB_CASE(jobs_in_no_table)
{
	static const struct new_job jobs[] = {
		{ .class_name = "Now", .queue = "q", .has_priority = true, .priority = 7 },
		{ .class_name = "Later", .delay = CLOCK_HOUR },
		{ .class_name = "Limited", .concurrency_key = "k" },
		{ .class_name = "Timeless" },
	};
	struct enqueued results[4];

	must(enqueue, test->db, jobs, 4, results);
	for (size_t i = 0; i < 4; i++)
		torn_remove(test, results[i].id);
	torn_execute(test, "DELETE FROM dray_slots WHERE job_id = #", results[2].id);
	test_execute(test->db, "UPDATE solid_queue_semaphores SET value = 1");
	torn_execute(test, "UPDATE solid_queue_jobs SET scheduled_at = NULL WHERE id = #",
		     results[3].id);
	torn_mend(test, AILMENT_NOWHERE, 4, results[0].id);
	assert_states(test, results[0].id, JOB_READY, results[1].id, JOB_SCHEDULED);
	assert_states(test, results[2].id, JOB_SCHEDULED, results[3].id, JOB_READY);
	assert_int_equal(dispatch_due(test, 10),
			 1); /* the limited one is due, the later one is not */
	assert_int_equal(state_of(test, results[1].id), JOB_SCHEDULED);
	struct job job = find_job(test, results[0].id);
	assert_string_equal(job.queue, "q");
	assert_number(test, 7,
		      "SELECT priority FROM solid_queue_ready_executions WHERE queue_name = 'q'");
}

/* Which of these tables the job stays in: the first of them in the order of `tables`. */
static void several(struct test_db *test, unsigned set, int64_t process)
{
	int64_t id = put(test->db, "a", 0);
	const char *expected = NULL;

	torn_remove(test, id);
	for (size_t i = 0; i < TORN_TABLES; i++) {
		if (!(set & 1U << i))
			continue;
		expected = expected ? expected : torn_tables[i];
		torn_add(test, torn_tables[i], id, process);
	}
	torn_mend(test, AILMENT_SEVERAL_TABLES, 1, id);
	for (size_t i = 0; i < TORN_TABLES; i++)
		if (torn_is_in(test, torn_tables[i], id) != (strcmp(torn_tables[i], expected) == 0))
			fail_msg("set %u: expected %s, %s is wrong", set, expected, torn_tables[i]);
}

DB_CASE(jobs_in_several_tables)
{
	int64_t process = register_worker(test->db, "w");

	for (unsigned set = 0; set < 1U << TORN_TABLES; set++)
		if ((set & (set - 1)) != 0)
			several(test, set, process);
}

/* Each mend may leave what the next one mends: all in one go. */
DB_CASE(a_claim_without_a_process_that_is_ready_too)
{
	int64_t id = put(test->db, "a", 0);

	torn_add(test, "claimed", id, 4711);
	torn_add(test, "scheduled", id, 0);
	torn_examine(test, true);
	torn_assert_well(test);
	assert_int_equal(state_of(test, id), JOB_READY);
	test_invariant(test->db);
}

/* More than a look takes in, with healthy jobs before, between and after them. */
DB_CASE(more_than_one_look)
{
	enum { JOBS = 2300 };

	put_copies(test, &(struct new_job){ .class_name = "Many" }, JOBS);
	int64_t first = sql_number(test, "SELECT min(id) FROM solid_queue_jobs");
	torn_execute(test,
		     "DELETE FROM solid_queue_ready_executions WHERE job_id % 2 = 0 AND job_id > #",
		     first + 1);
	torn_execute(test,
		     "INSERT INTO solid_queue_scheduled_executions"
		     " (job_id, queue_name, priority, scheduled_at, created_at)"
		     " SELECT id, queue_name, priority, created_at, created_at"
		     " FROM solid_queue_jobs WHERE id % 2 = 1 AND id > #",
		     first + 1999);
	struct doctor doctor = torn_examine(test, true);
	int64_t nowhere = doctor.found[AILMENT_NOWHERE].count;
	assert_true(nowhere >= JOBS / 2 - 1);
	assert_int_equal(doctor.found[AILMENT_SEVERAL_TABLES].count, 150);
	assert_true(doctor.found[AILMENT_NOWHERE].examples[DOCTOR_EXAMPLES - 1] <= first + 12);
	torn_assert_well(test);
	assert_int_equal(rows_of(test, "ready_executions"), JOBS);
	torn_execute(test, "UPDATE solid_queue_jobs SET finished_at = created_at", 0);
	torn_mend(test, AILMENT_FINISHED, JOBS, first);
}

/* The job vanished with its slot, and another waits for it. */
DB_CASE(slots_that_nobody_holds)
{
	declare(test, "Limited", 1, LIMIT_BLOCK);
	int64_t gone = put_limited(test, "Limited", "k");
	int64_t next = put_limited(test, "Limited", "k");
	torn_execute(test, "DELETE FROM solid_queue_jobs WHERE id = #", gone);
	torn_mend(test, AILMENT_SLOT, 1, gone);
	assert_int_equal(state_of(test, next), JOB_READY);
	assert_int_equal(value_of(test, "k"), 0);
}

/* Solid Queue has deleted a claim and died before it gave the slot back; or gave it back twice. */
DB_CASE(semaphores_that_count_wrong)
{
	static const int wrong[] = { 0, 5 };

	declare(test, "Limited", 2, LIMIT_BLOCK);
	put_limited(test, "Limited", "k");
	int64_t semaphore = sql_number(test, "SELECT max(id) FROM solid_queue_semaphores");
	for (size_t i = 0; i < 2; i++) {
		torn_execute(test, "UPDATE solid_queue_semaphores SET value = #", wrong[i]);
		torn_mend(test, AILMENT_VALUE, 1, semaphore);
		assert_int_equal(value_of(test, "k"), 1);
	}
}

DB_CASE_ON_EMPTY(every_kind_is_explained)
{
	for (int i = 0; i < AILMENTS; i++) {
		const struct ailment_text *text = ailment_text((enum ailment)i);
		assert_true(strlen(text->name) > 0 && strlen(text->title) > 0);
		assert_true(strlen(text->meaning) > 0 && strlen(text->mend) > 0);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(text->name, ailment_text((enum ailment)k)->name);
	}
}
