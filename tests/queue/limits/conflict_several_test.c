/* on_conflict: cancel_running where jobs have several keys. */
#include "tests/support/limited.h"
#include "tests/support/sites/rails.h"

/* Slots of all their keys are given back, and their batches do not wait for them. */
DB_CASE(further_keys_and_batches)
{
	static const int slots[] = { 1, 1, 0 };

	test_rails_batches(test);
	declare_several(test, "Limited", slots, LIMIT_CANCEL);
	int64_t first = put_several(test, "Limited", (const char *const[]){ "k", "l", NULL });
	test_rails_batch(test);
	int64_t second = put_several(test, "Limited", (const char *const[]){ "k", "m", NULL });
	assert_cancelled_by(test, first, second);
	assert_int_equal(state_of(test, second), JOB_READY);
	assert_int_equal(value_of(test, "l"), 1);
	assert_int_equal(rows_of(test, "batch_executions"), 0);
	int64_t third = put_several(test, "Limited", (const char *const[]){ "n", "m", NULL });
	assert_cancelled_by(test, second, third);
	assert_int_equal(state_of(test, third), JOB_READY);
	assert_slots_add_up(test);
}

#define MANY 450 /* more than are decided on in one transaction */

DB_CASE(who_is_not_decided_on_cancels_nobody)
{
	static const int slots[] = { MANY, MANY, 0 };
	static const char *const keys[] = { "k", "l", NULL };
	struct new_job *jobs = arena_array(test->arena, MANY, sizeof(*jobs));
	struct enqueued *results = arena_array(test->arena, MANY, sizeof(*results));

	declare_several(test, "Limited", slots, LIMIT_CANCEL);
	for (size_t i = 0; i < MANY; i++)
		jobs[i] = several_job("Limited", keys);
	must(enqueue, test->db, jobs, MANY, results);
	assert_rows(test, MANY, 0, 0);
	assert_slots_add_up(test);
}

static int64_t put_keys(struct test_db *test, const char *first, const char *second,
			const char *third)
{
	return put_several(test, "Limited", (const char *const[]){ first, second, third, NULL });
}

static const char *note(struct test_db *test, int64_t id, int64_t by)
{
	return arena_printf(test->arena, "%" PRId64 " a newer job job %" PRId64 "\n", id, by);
}

/* What is full of its keys is emptied at once, and nothing else. */
DB_CASE(every_full_key_is_emptied)
{
	static const int slots[] = { 1, 1, 2, 0 };

	declare_several(test, "Limited", slots, LIMIT_CANCEL);
	int64_t process = register_ours(test, "w");
	int64_t first = put_keys(test, "a", "b", "c");
	int64_t second = put_keys(test, "d", "e", "f");
	int64_t third = put_keys(test, "g", "h", "c");
	int64_t free = put_keys(test, "i", "j", "k");
	const struct claim *claims = take_all(test, process, 4);
	int64_t waits = put_keys(test, "l", "e", "m");
	assert_states(test, waits, JOB_BLOCKED, free, JOB_CLAIMED);
	int64_t newer = put_keys(test, "a", "e", "k");

	assert_cancelled_by(test, waits, newer);
	assert_string_equal(cancel_notes(test),
			    arena_printf(test->arena, "%s%s", note(test, first, newer),
					 note(test, second, waits)));
	int64_t newest = put_keys(test, "a", "n", "c");
	assert_cancelled_by(test, newer, newest);
	assert_contains(cancel_notes(test), note(test, third, newest));
	for (size_t i = 0; i < 3; i++)
		assert_true(settle_one(test->db, &claims[i], OUTCOME_INTERRUPTED));
	assert_states(test, first, JOB_FINISHED, second, JOB_FINISHED, third, JOB_FINISHED, newest,
		      JOB_READY);
	assert_slots_add_up(test);
}

/* A further limit that does not cancel is waited for. */
DB_CASE(a_further_key_that_blocks_is_not_emptied)
{
	static const struct limit limits[] = {
		{ .slots = 1, .duration = CLOCK_HOUR, .on_conflict = LIMIT_CANCEL },
		{ .slots = 1, .duration = CLOCK_HOUR, .on_conflict = LIMIT_BLOCK },
	};

	declare_limits(test, "Limited", limits, 2);
	int64_t first = put_several(test, "Limited", (const char *const[]){ "a", "b", NULL });
	int64_t second = put_several(test, "Limited", (const char *const[]){ "c", "d", NULL });
	int64_t newer = put_several(test, "Limited", (const char *const[]){ "a", "d", NULL });

	assert_cancelled_by(test, first, newer);
	assert_states(test, second, JOB_READY, newer, JOB_BLOCKED);
	assert_slots_add_up(test);
}

/* A slot of `key` is held by a job that runs. */
static void hold(struct test_db *test, int64_t process, const char *key)
{
	(void)put_keys(test, arena_printf(test->arena, "x%s", key), key, NULL);
	(void)take_all(test, process, 1);
}

#define CROWD 150 /* the last but one is not among those that an admission looks at */

/* A new job that a newer one of the same call ends empties nothing. */
DB_CASE(who_is_ended_at_once_empties_nothing)
{
	static const int slots[] = { 1, 1, 0 };
	const char *keys[CROWD][3] = { 0 };
	struct new_job jobs[CROWD];
	struct enqueued results[CROWD];

	declare_several(test, "Limited", slots, LIMIT_CANCEL);
	hold(test, register_ours(test, "w"), arena_printf(test->arena, "f%d", CROWD - 2));
	for (size_t i = 0; i < CROWD; i++) {
		keys[i][0] = "k";
		keys[i][1] = arena_printf(test->arena, "f%zu", i);
		jobs[i] = several_job("Limited", keys[i]);
	}
	jobs[CROWD - 1].has_priority = true;
	jobs[CROWD - 1].priority = -10;
	must(enqueue, test->db, jobs, CROWD, results);
	assert_int_equal(state_of(test, results[CROWD - 1].id), JOB_READY);
	assert_cancelled_by(test, results[CROWD - 2].id, results[CROWD - 1].id);
	assert_string_equal(cancel_notes(test), "");
	assert_slots_add_up(test);
}

/* Also where the newer one waits for another key first. */
DB_CASE(who_is_ended_for_a_further_key_empties_nothing)
{
	static const int slots[] = { 1, 1, 0 };
	const struct new_job jobs[] = {
		several_job("Limited", (const char *const[]){ "k", "l", NULL }),
		several_job("Limited", (const char *const[]){ "m", "k", NULL }),
	};
	struct enqueued results[2];
	int64_t process = register_ours(test, "w");

	declare_several(test, "Limited", slots, LIMIT_CANCEL);
	hold(test, process, "l");
	hold(test, process, "k");
	hold(test, process, "m");
	must(enqueue, test->db, jobs, 2, results);
	assert_cancelled_by(test, results[0].id, results[1].id);
	assert_int_equal(state_of(test, results[1].id), JOB_BLOCKED);
	assert_null(strstr(cancel_notes(test),
			   arena_printf(test->arena, "job %" PRId64 "\n", results[0].id)));
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_cancellations"), 2);
	assert_slots_add_up(test);
}
