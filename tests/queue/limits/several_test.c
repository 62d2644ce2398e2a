/* Classes with several limits: a job runs with a slot of each key, holds none while it waits. */
#include "db/operations.h"
#include "queue/limits/heal.h"
#include "queue/limits/slots.h"
#include "tests/support/limited.h"

#define KEYS(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define ONE_ONE   ((const int[]){ 1, 1, 0 })

static void assert_waits_under(struct test_db *test, int64_t job, const char *key)
{
	const char *sql = arena_printf(test->arena,
				       "SELECT count(*) FROM solid_queue_blocked_executions"
				       " WHERE job_id = %lld AND concurrency_key = '%s'",
				       (long long)job, key);

	assert_int_equal(sql_number(test, "%s", sql), 1);
}

static void finish_next(struct test_db *test, int64_t process, int64_t job)
{
	size_t count;
	struct claim *claim = take_some(test, process, 1, &count);

	assert_int_equal(count, 1);
	assert_int_equal(claim->job.id, job);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	assert_slots_add_up(test);
}

DB_CASE(a_slot_of_each)
{
	int64_t process = register_worker(test->db, "w");

	declare_several(test, "Both", ONE_ONE, LIMIT_BLOCK);
	int64_t first = put_several(test, "Both", KEYS("a/1", "b/1"));
	int64_t same_a = put_several(test, "Both", KEYS("a/1", "b/2"));
	int64_t same_b = put_several(test, "Both", KEYS("a/2", "b/1"));
	assert_rows(test, 1, 0, 2);
	assert_int_equal(held_slots(test), 2);
	assert_waits_under(test, same_a, "a/1");
	assert_waits_under(test, same_b, "b/1");
	assert_int_equal(value_of(test, "a/2"), 1);
	assert_slots_add_up(test);
	finish_next(test, process, first);
	assert_rows(test, 2, 0, 0);
	assert_int_equal(held_slots(test), 4);
	/* Solid Queue knows the first. */
	assert_int_equal(rows_of(test, "jobs WHERE concurrency_key = 'a/2'"), 1);
	finish_next(test, process, same_a);
	finish_next(test, process, same_b);
	assert_int_equal(held_slots(test), 0);
}

/* Who waits for b leaves the slot of a to others, and is sent from one full key to the next. */
DB_CASE(nothing_is_held_while_waiting)
{
	int64_t process = register_worker(test->db, "w");

	declare_several(test, "Both", ONE_ONE, LIMIT_BLOCK);
	declare(test, "A", 1, LIMIT_BLOCK);
	declare(test, "B", 1, LIMIT_BLOCK);
	int64_t a = put_limited(test, "A", "a");
	int64_t b = put_limited(test, "B", "b");
	int64_t both = put_several(test, "Both", KEYS("a", "b"));
	int64_t next_a = put_limited(test, "A", "a");
	assert_waits_under(test, both, "a");
	finish_next(test, process, a);
	assert_waits_under(test, both, "b");
	assert_int_equal(state_of(test, next_a), JOB_READY);
	finish_next(test, process, b);
	assert_waits_under(test, both, "a");
	assert_int_equal(value_of(test, "b"), 1);
	finish_next(test, process, next_a);
	finish_next(test, process, both);
	assert_rows(test, 0, 0, 0);
}

/* Two classes that name the same two keys the other way round, in one bulk, ten times. */
DB_CASE(in_whatever_order_they_are_named)
{
	static const char *const forth[] = { "one", "two", NULL };
	static const char *const back[] = { "two", "one", NULL };
	struct new_job jobs[20];
	struct enqueued results[20];
	int64_t process = register_worker(test->db, "w");

	declare_several(test, "Forth", (const int[]){ 1, 2, 0 }, LIMIT_BLOCK);
	declare_several(test, "Back", (const int[]){ 2, 1, 0 }, LIMIT_BLOCK);
	for (int i = 0; i < 20; i++)
		jobs[i] = i % 2 ? several_job("Forth", forth) : several_job("Back", back);
	must(enqueue, test->db, jobs, 20, results);
	assert_slots_add_up(test);
	for (int i = 0; i < 20; i++) {
		assert_rows(test, 1, 0, 19 - i);
		finish_next(test, process, results[i].id);
	}
}

/* The first of its limits that has no slot decides what becomes of a new job. */
DB_CASE(the_full_key_decides_on_conflict)
{
	static const char *const name = "Mixed";
	const struct limit list[] = {
		{ .class_name = name, .slots = 1, .duration = CLOCK_MINUTE },
		{ .class_name = name,
		  .slots = 1,
		  .duration = CLOCK_MINUTE,
		  .on_conflict = LIMIT_DISCARD },
	};
	const struct new_job waits = several_job(name, KEYS("a", "c"));
	const struct new_job goes = several_job(name, KEYS("d", "b"));
	struct enqueued result;

	declare_limits(test, name, list, 2);
	put_several(test, name, KEYS("a", "b"));
	must(enqueue, test->db, &waits, 1, &result);
	assert_false(result.discarded);
	must(enqueue, test->db, &goes, 1, &result);
	assert_true(result.discarded);
	assert_rows(test, 1, 0, 1);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_keys"), 2);
	assert_slots_add_up(test);
}

/* Two limits that come to the same key: one slot of it, by the first. */
DB_CASE(a_key_is_held_once)
{
	declare_several(test, "Twice", (const int[]){ 2, 1, 1, 0 }, LIMIT_BLOCK);
	put_several(test, "Twice", KEYS("k", "k", "m"));
	assert_rows(test, 1, 0, 0);
	assert_int_equal(held_slots(test), 2);
	assert_int_equal(value_of(test, "k"), 1);
	assert_int_equal(value_of(test, "m"), 0);
}

/* Scheduled, failed, lost: all keys come and go with the job. */
DB_CASE(all_keys_come_and_go_together)
{
	struct new_job later = several_job("Both", KEYS("a", "b"));
	int64_t process = register_worker(test->db, "w");

	declare_several(test, "Both", ONE_ONE, LIMIT_BLOCK);
	later.delay = CLOCK_HOUR;
	int64_t first = put_job(test->db, &later);
	int64_t second = put_job(test->db, &later);
	assert_int_equal(held_slots(test), 0);
	make_due(test);
	assert_int_equal(dispatch_due(test, 10), 2);
	assert_rows(test, 1, 0, 1);
	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_FAILED));
	assert_slots_add_up(test);
	assert_int_equal(state_of(test, second), JOB_READY);
	must(job_retry, test->db, first);
	assert_int_equal(state_of(test, first), JOB_BLOCKED);
	(void)take_all(test, register_worker(test->db, "dead"), 1);
	(void)bury(test, "dead", &fail_all);
	assert_int_equal(state_of(test, first), JOB_READY);
	assert_slots_add_up(test);
	must(job_discard, test->db, first);
	must(job_discard, test->db, second);
	assert_int_equal(held_slots(test), 0);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_keys"), 0);
}

/* What Solid Queue let in for its first key, or what lost a row, is counted for all again. */
DB_CASE(healing_counts_every_key)
{
	int64_t process = register_worker(test->db, "w");

	declare_several(test, "Both", ONE_ONE, LIMIT_BLOCK);
	int64_t first = put_several(test, "Both", KEYS("a", "b"));
	int64_t second = put_several(test, "Both", KEYS("c", "b"));
	test_execute(test->db, "DELETE FROM dray_slots WHERE position = 1");
	heal_times(test, 2);
	assert_int_equal(held_slots(test), 2);
	assert_rows(test, 1, 0, 1);
	test_execute(test->db, "UPDATE solid_queue_semaphores SET value = 0");
	heal_times(test, 2);
	assert_slots_add_up(test);
	finish_next(test, process, first);
	finish_next(test, process, second);
}

/* A limit that was raised admits the jobs that wait under it, as far as their other keys allow. */
DB_CASE(a_raised_limit_takes_effect)
{
	declare_several(test, "Both", ONE_ONE, LIMIT_BLOCK);
	put_several(test, "Both", KEYS("a", "x"));
	int64_t free_b = put_several(test, "Both", KEYS("a", "y"));
	int64_t full_b = put_several(test, "Both", KEYS("a", "x"));
	declare_several(test, "Both", (const int[]){ 3, 1, 0 }, LIMIT_BLOCK);
	heal_times(test, 3);
	assert_int_equal(state_of(test, free_b), JOB_READY);
	assert_waits_under(test, full_b, "x");
	assert_int_equal(value_of(test, "a"), 1);
}

/* Who came between the look at the keys and their lock is found after the transaction. */
DB_CASE(who_came_in_between_is_not_stranded)
{
	struct slots slots = { .db = test->db, .arena = test->arena };
	struct db_calls calls = { .arena = test->arena };

	declare(test, "A", 1, LIMIT_BLOCK);
	declare_several(test, "Both", ONE_ONE, LIMIT_BLOCK);
	int64_t holder = put_limited(test, "A", "a");
	const struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);
	must(slots_find, &slots, &holder, 1);
	int64_t late = put_several(test, "Both", KEYS("a", "b"));
	assert_waits_under(test, late, "a");
	const struct claim_name ends = claim_name(claim);
	slots_before(&slots, &calls);
	db_calls_add(&calls, DB_CALL(finish, .claims = P_ROWS(claim_list(test->arena, &ends, 1)),
				     .now = P_TIME(db_now(test->db))));
	slots_after(&slots, &calls);
	must(db_run, test->db, test->arena, calls.list, calls.count);
	assert_int_equal(state_of(test, late), JOB_BLOCKED);
	slots_follow(&slots, &calls);
	assert_int_equal(state_of(test, late), JOB_READY);
	assert_slots_add_up(test);
}

/* More of them than one transaction decides on. */
DB_CASE(many_wait_for_a_key_and_each_other)
{
	struct new_job jobs[500];
	struct enqueued results[500];

	declare_several(test, "Wide", (const int[]){ 450, 1, 0 }, LIMIT_BLOCK);
	for (int i = 0; i < 500; i++) {
		const char **keys = arena_array(test->arena, 3, sizeof(*keys));
		keys[0] = "all";
		keys[1] = arena_printf(test->arena, "own/%d", i % 400);
		jobs[i] = several_job("Wide", keys);
	}
	must(enqueue, test->db, jobs, 500, results);
	assert_key(test, "all", 50, 400, 0, 100);
	assert_slots_add_up(test);
}

/* one step of the random walk */

static const struct {
	const char *class_name;
	const char *keys[4];
	int slots[4]; /* of each key */
} kinds[] = {
	{ "A", { "a" }, { 1 } },
	{ "B", { "b" }, { 2 } },
	{ "Ab", { "a", "b" }, { 1, 2 } },
	{ "Ba", { "b", "a" }, { 2, 1 } },
	{ "Abc", { "a", "b", "c" }, { 1, 2, 3 } },
	{ "Cb", { "c", "b" }, { 3, 2 } },
	{ "Ca", { "c", "a" }, { 3, 1 } },
};

static void end_some(struct test_db *test, int64_t process, unsigned step)
{
	static const enum outcome_kind ends[] = { OUTCOME_FINISHED, OUTCOME_FAILED,
						  OUTCOME_RELEASED, OUTCOME_FINISHED };
	size_t count;
	struct claim *claims = take_some(test, process, 1 + step % 3, &count);

	for (size_t i = 0; i < count; i++)
		assert_true(settle_one(test->db, &claims[i], ends[(step + i) % 4]));
}

/* Whatever is done in whatever order, all adds up after each step. */
DB_CASE(every_step_adds_up)
{
	static const struct job_filter failed = { .has_state = true, .state = JOB_FAILED };
	static const struct job_filter blocked = { .has_state = true, .state = JOB_BLOCKED };
	int64_t process = register_worker(test->db, "w");
	unsigned random = 1;
	int64_t count;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		declare_several(test, kinds[i].class_name, kinds[i].slots, LIMIT_BLOCK);
	for (unsigned step = 0; step < 120; step++) {
		random = random * 1103515245 + 12345;
		unsigned what = random >> 16;
		if (what % 2 == 0)
			put_several(test, kinds[what / 2 % 7].class_name, kinds[what / 2 % 7].keys);
		else if (what % 16 == 1)
			must(job_retry_all, test->db, &failed, &count);
		else if (what % 64 == 3)
			must(job_discard_all, test->db, &blocked, &count);
		else
			end_some(test, process, what / 2);
		if (step % 4 == 3)
			assert_slots_add_up(test);
	}
	test_invariant(test->db);
}
