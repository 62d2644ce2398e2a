/* Limits that heal within two looks: CC5, CC6, defects 10 to 14 (solid-queue.md, 3 to 5). */
#include "queue/limits/heal.h"

#include "tests/support/limited.h"

static void set_semaphore(struct test_db *test, const char *what)
{
	sql_execute(test->db, "UPDATE solid_queue_semaphores SET %s", what);
}

/* CC5, defects 12 and 13: a slot is free and nobody was admitted: one look is enough, for all. */
DB_CASE(cc5_open_semaphore)
{
	int64_t process = register_worker(test->db, "w");

	put_blocked(test, 4, 9);
	(void)take_all(test, process, 4);
	test_execute(test->db, "DELETE FROM solid_queue_claimed_executions");
	test_execute(test->db, "DELETE FROM dray_slots");
	test_execute(test->db, "DELETE FROM solid_queue_jobs WHERE id NOT IN (SELECT job_id FROM "
			       "solid_queue_blocked_executions)");
	set_semaphore(test, "value = 4");
	assert_int_equal(heal_times(test, 1), 4);
	assert_key(test, "k", 0, 4, 0, 1);
}

/* A key that somebody wrote without a letter is one like others: who waits by it is let in. */
DB_CASE(an_empty_key_is_a_key)
{
	int64_t process = register_worker(test->db, "w");

	put_blocked(test, 1, 3);
	(void)take_all(test, process, 1);
	sql_do(test, "DELETE FROM solid_queue_claimed_executions;DELETE FROM dray_slots;DELETE "
		     "FROM solid_queue_semaphores;DELETE FROM solid_queue_jobs WHERE id NOT IN "
		     "(SELECT job_id FROM solid_queue_blocked_executions);UPDATE "
		     "solid_queue_jobs SET concurrency_key = '';UPDATE "
		     "solid_queue_blocked_executions SET concurrency_key = '';");
	put_limited(test, "Limited", "another");
	assert_rows(test, 1, 0, 2);
	assert_int_equal(heal_times(test, 1), 1);
	assert_rows(test, 2, 0, 1);
	assert_int_equal(heal_times(test, 3), 0);
	finish_jobs(test, process, 2);
	assert_rows(test, 1, 0, 0);
	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_FINISHED));
	assert_key(test, "", 1, 0, 0, 0);
}

/* CC6: the semaphore is gone. */
DB_CASE(cc6_expired_semaphore)
{
	put_blocked(test, 1, 3);
	lose_ready(test);
	test_execute(test->db, "DELETE FROM dray_slots");
	test_execute(test->db, "DELETE FROM solid_queue_semaphores");
	assert_int_equal(heal_times(test, 1), 1);
	assert_rows(test, 1, 0, 1);
}

/* Defects 10 and 11: a job vanished with its slot. At once nothing is done, then it comes back. */
DB_CASE(a_leaked_slot_comes_back)
{
	put_blocked(test, 2, 5);
	lose_ready(test);
	assert_int_equal(heal_times(test, 1), 0);
	assert_rows(test, 0, 0, 3);
	assert_int_equal(heal_times(test, 2), 2);
	assert_key(test, "k", 0, 2, 0, 1);
	assert_int_equal(held_slots(test), 2);
}

/* LC1: a job that runs longer than its duration keeps its slot, and its semaphore lives. */
DB_CASE(expiry_takes_no_living_jobs_slot)
{
	int64_t process = register_worker(test->db, "w");

	put_blocked(test, 1, 2);
	struct claim *claim = take_all(test, process, 1);
	set_semaphore(test, "expires_at = '2026-01-01 00:00:00'");
	assert_int_equal(heal_times(test, 3), 0);
	assert_key(test, "k", 0, 0, 1, 1);
	assert_int_equal(rows_of(test, "semaphores WHERE expires_at > '2026-02-01 00:00:00'"), 1);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	assert_rows(test, 1, 0, 0);
}

/* An end that is no time is past: the semaphore goes, or gets one that is. */
DB_CASE_ONLY(an_expiry_that_is_no_time, "sqlite postgresql")
{
	const char *odd = db_dialect_of(test->db) == DB_SQLITE ? "never" : "infinity";
	int64_t process = register_worker(test->db, "w");

	put_blocked(test, 1, 1);
	struct claim *claim = take_all(test, process, 1);
	sql_execute(test->db, "UPDATE solid_queue_semaphores SET expires_at = '%s'", odd);
	assert_int_equal(heal_times(test, 2), 0);
	assert_int_equal(rows_of(test, "semaphores WHERE expires_at < '2100-01-01 00:00:00'"), 1);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	sql_execute(test->db, "UPDATE solid_queue_semaphores SET expires_at = '%s'", odd);
	assert_int_equal(heal_times(test, 2), 0);
	assert_int_equal(rows_of(test, "semaphores"), 0);
}

/* Who came in through Solid Queue is found, and counted, before anything is set right. */
DB_CASE(solid_queues_holders_count)
{
	put_blocked(test, 2, 3);
	test_execute(test->db, "DELETE FROM dray_slots");
	assert_int_equal(heal_times(test, 2), 0);
	assert_int_equal(held_slots(test), 2);
	assert_key(test, "k", 0, 2, 0, 1);
}

/* Defect 14: keys of a class that nobody declares are freed like others, and hold up none. */
DB_CASE(defect_14_unknown_classes)
{
	declare(test, "Limited", 1, LIMIT_BLOCK);
	put_many(test, "Gone", "a", 2);
	put_many(test, "Limited", "z", 2);
	lose_ready(test);
	test_execute(test->db, "DELETE FROM dray_slots");
	set_semaphore(test, "expires_at = '2026-01-01 00:00:00'");
	assert_int_equal(heal_times(test, 2), 2);
	assert_rows(test, 2, 0, 0);
}

/* And wait for no expiry, which a job that waits puts off: two looks are enough. */
DB_CASE(an_unknown_class_is_never_wedged)
{
	int64_t process = register_worker(test->db, "w");

	put_many(test, "Gone", "k", 3);
	lose_ready(test);
	assert_int_equal(heal_times(test, 2), 1);
	assert_rows(test, 1, 0, 1);
	test_execute(test->db, "DELETE FROM dray_slots"); /* now it is one that Rails let in */
	assert_int_equal(heal_times(test, 3), 0);
	assert_int_equal(held_slots(test), 1);
	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_FINISHED));
	assert_rows(test, 1, 0, 0);
}

/* How many slots an undeclared class has only Rails knows: it is neither cut nor raised. */
DB_CASE(an_unknown_classs_value_is_not_cut_down)
{
	int64_t process = register_worker(test->db, "w");

	put_many(test, "Ruby", "k", 5);
	test_execute(test->db, "DELETE FROM dray_slots");
	set_semaphore(test, "value = 2"); /* of three */
	assert_int_equal(heal_times(test, 1), 2);
	assert_rows(test, 3, 0, 2);
	assert_int_equal(heal_times(test, 3), 0);
	assert_int_equal(value_of(test, "k"), 0);
	finish_jobs(test, process, 3);
	finish_jobs(test, process, 2);
	assert_int_equal(value_of(test, "k"), 3);
	assert_int_equal(heal_times(test, 3), 0);
	assert_int_equal(value_of(test, "k"), 3);
}

/* A job that Rails let in and that outlasts its duration is not taken for nobody. */
DB_CASE(expiry_takes_no_slot_that_rails_gave)
{
	int64_t process = register_worker(test->db, "w");

	put_blocked(test, 1, 2);
	(void)take_all(test, process, 1);
	test_execute(test->db, "DELETE FROM dray_slots");
	set_semaphore(test, "expires_at = '2026-01-01 00:00:00'");
	assert_int_equal(heal_times(test, 3), 0);
	assert_rows(test, 0, 1, 1);
	test_execute(test->db, "DELETE FROM dray_slots");
	test_execute(test->db, "DELETE FROM solid_queue_jobs WHERE id IN (SELECT job_id FROM "
			       "solid_queue_blocked_executions)");
	set_semaphore(test, "expires_at = '2026-01-01 00:00:00'");
	assert_int_equal(heal_times(test, 1), 0);
	assert_int_equal(value_of(test, "k"), 0);
}

/* LC18: what nobody uses any more goes when it expires. */
DB_CASE(unused_semaphores_go)
{
	int64_t process = register_worker(test->db, "w");

	put_many(test, "Any", "k", 1);
	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_FINISHED));
	assert_int_equal(heal_times(test, 2), 0);
	assert_int_equal(value_of(test, "k"), 1);
	set_semaphore(test, "expires_at = '2026-01-01 00:00:00'");
	assert_int_equal(heal_times(test, 1), 0);
	assert_int_equal(value_of(test, "k"), -1);
}

/* CX5, defect 39: nobody was let in past the lock of a releaser that died; the next look does. */
DB_CASE_ONLY(cx5_a_releaser_dies_with_the_blocked_job, "postgresql mysql mariadb")
{
	static const char *const hints[DB_DIALECTS] = {
		[DB_POSTGRESQL] = "",
		[DB_MYSQL] = "FORCE INDEX (index_solid_queue_blocked_executions_for_release)",
	};
	struct db *releaser = test_db_open(test->url);

	put_blocked(test, 1, 2);
	struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);
	test_begin(releaser);
	sql_execute(releaser,
		    "SELECT id FROM solid_queue_blocked_executions %s WHERE concurrency_key = 'k' "
		    "ORDER BY priority, job_id LIMIT 1 FOR UPDATE SKIP LOCKED",
		    hints[db_dialect_of(test->db)]);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	assert_rows(test, 0, 0, 1);
	assert_int_equal(heal_times(test, 2), 0);
	db_close(releaser);
	test_until(heal_times(test, 1) > 0, "who is let in");
	assert_key(test, "k", 0, 1, 0, 0);
	assert_slots_add_up(test);
}

/* Several keys are locked by others: each call waits for one at most, and all others are healed. */
DB_CASE_ONLY(locks_are_waited_for_one_by_one, "postgresql mysql mariadb")
{
	static const char *const ends[] = { "SELECT min(id) FROM solid_queue_semaphores",
					    "SELECT max(id) FROM solid_queue_semaphores" };
	struct db *other = test_db_open(test->url);
	struct heal heals = { .most = 1 };
	int calls = 0;
	int64_t admitted = 0, failed = 0;

	declare(test, "Limited", 1, LIMIT_BLOCK);
	for (const char *key = "abcdef"; *key != '\0'; key++)
		for (int i = 0; i < 2; i++)
			put_limited(test, "Limited", arena_strndup(test->arena, key, 1));
	test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
	test_execute(test->db, "DELETE FROM dray_slots");
	test_execute(test->db, "DELETE FROM solid_queue_jobs WHERE id NOT IN (SELECT job_id FROM "
			       "solid_queue_blocked_executions)");
	set_semaphore(test, "value = 1");
	test_wait_shortly(test->db);
	test_begin(other);
	for (int i = 0; i < 2; i++)
		sql_execute(other,
			    "UPDATE solid_queue_semaphores SET value = 1 WHERE id = %" PRId64,
			    sql_number(test, "%s", ends[i]));
	do {
		must(heal, test->db, &heals);
		assert_true(heals.failed <= 1);
		admitted += heals.admitted;
		failed += heals.failed;
		calls++;
	} while (heals.after);
	assert_int_equal(failed, 2);
	assert_int_equal(admitted, 4);
	assert_in_range(calls, 3, 8);
	test_execute(other, "ROLLBACK");
	db_close(other);
	heals.most = 0;
	must(heal, test->db, &heals);
	assert_null(heals.after);
	assert_int_equal(heals.admitted, 2);
	assert_int_equal(rows_of(test, "blocked_executions"), 0);
	heal_clear(&heals);
}
