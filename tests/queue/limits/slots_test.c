/* Concurrency limits: CC1 to CC3, CC7, CC9, CC10, JB6, JB7, JB10, JB12 (solid-queue.md, 4, 5). */
#include "tests/support/limited.h"

/* JB6, CC1: one after the other, each admitted by the end of the one before, the oldest first. */
DB_CASE(cc1_one_at_a_time)
{
	static const enum outcome_kind kinds[] = { OUTCOME_FINISHED, OUTCOME_FAILED };
	int64_t ids[6];
	int64_t process = register_worker(test->db, "w");

	declare(test, "Limited", 1, LIMIT_BLOCK);
	for (int i = 0; i < 6; i++)
		ids[i] = put_limited(test, "Limited", "Limited/1");
	assert_rows(test, 1, 0, 5);
	for (int i = 0; i < 6; i++) {
		struct claim *claim = take_all(test, process, 1);
		assert_int_equal(claim->job.id, ids[i]);
		assert_int_equal(value_of(test, "Limited/1"), 0);
		assert_rows(test, 0, 1, 5 - i);
		assert_true(settle_one(test->db, claim, kinds[i % 2]));
		assert_int_equal(held_slots(test), i < 5);
	}
	assert_key(test, "Limited/1", 1, 0, 0, 0);
}

/* As in Solid Queue: what is for later asks for its slot when it is due. */
DB_CASE(a_job_for_later_makes_no_semaphore)
{
	const struct new_job jobs[] = {
		{ .class_name = "Limited", .concurrency_key = "L/1", .delay = CLOCK_HOUR },
		{ .class_name = "Limited", .concurrency_key = "L/1", .delay = CLOCK_HOUR },
		{ .class_name = "Limited", .concurrency_key = "L/1" },
		{ .class_name = "Limited",
		  .concurrency_key = "L/2",
		  .at = db_now(test->db) + CLOCK_HOUR },
	};
	struct enqueued results[4];

	declare(test, "Limited", 1, LIMIT_BLOCK);
	must(enqueue, test->db, jobs, 2, results);
	assert_int_equal(rows_of(test, "semaphores"), 0);
	assert_int_equal(rows_of(test, "scheduled_executions"), 2);
	must(enqueue, test->db, jobs, 4, results);
	assert_int_equal(value_of(test, "L/1"), 0);
	assert_key(test, "L/2", -1, 1, 0, 0);
	assert_int_equal(rows_of(test, "scheduled_executions"), 5);
	assert_string_equal(
		sql_text(test, "SELECT DISTINCT concurrency_key FROM solid_queue_jobs ORDER BY 1"),
		"L/1\nL/2\n");
}

/* CC3: limit 3, in one bulk enqueue; another key and an unlimited class are not concerned. */
DB_CASE(cc3_three_at_a_time)
{
	struct new_job jobs[10] = { 0 };
	struct enqueued results[10];
	int64_t process = register_worker(test->db, "w");

	declare(test, "Limited", 3, LIMIT_BLOCK);
	for (int i = 0; i < 10; i++)
		jobs[i] = (struct new_job){ .class_name = "Limited",
					    .concurrency_key = i < 8 ? "L/1" : "L/2" };
	jobs[9] = (struct new_job){ .class_name = "Free" };
	must(enqueue, test->db, jobs, 10, results);
	assert_key(test, "L/1", 0, 5, 0, 5);
	assert_int_equal(value_of(test, "L/2"), 2);
	finish_jobs(test, process, 5);
	assert_rows(test, 3, 0, 2);
	finish_jobs(test, process, 3);
	finish_jobs(test, process, 2);
	assert_int_equal(value_of(test, "L/1"), 3);
	assert_int_equal(value_of(test, "L/2"), 3);
	assert_int_equal(held_slots(test), 0);
}

/* LC15 (solid-queue.md, 2.9): next is the most urgent, then the oldest, of any queue. */
DB_CASE(the_most_urgent_is_next)
{
	int64_t process = register_worker(test->db, "w");
	int64_t ids[4];

	declare(test, "Limited", 1, LIMIT_BLOCK);
	for (int i = 0; i < 4; i++)
		ids[i] = put_job(test->db, &(struct new_job){ .class_name = "Limited",
							      .concurrency_key = "k",
							      .queue = i % 2 ? "a" : "b",
							      .has_priority = true,
							      .priority = i == 2 ? -1 : 5 });
	static const int order[] = { 0, 2, 1, 3 };
	for (int i = 0; i < 4; i++) {
		struct claim *claim = take_all(test, process, 1);
		assert_int_equal(claim->job.id, ids[order[i]]);
		assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	}
}

/* CC2, LC14: scheduled jobs hold nothing, and compete when they are due. */
DB_CASE(cc2_scheduled_jobs_compete_when_due)
{
	declare(test, "Limited", 2, LIMIT_BLOCK);
	for (int i = 0; i < 5; i++)
		put_limited_delayed(test, i < 4 ? "Limited" : "Free", i < 4 ? "k" : NULL);
	assert_int_equal(value_of(test, "k"), -1);
	assert_int_equal(held_slots(test), 0);
	make_due(test);
	assert_int_equal(dispatch_due(test, 100), 5);
	assert_rows(test, 3, 0, 2);
	assert_int_equal(rows_of(test, "scheduled_executions"), 0);
	assert_int_equal(dispatch_due(test, 100), 0);
}

/* CC7, LC5: a job that is given back keeps its slot and is ready, not blocked. */
DB_CASE(cc7_a_released_job_keeps_its_slot)
{
	int64_t process = register_worker(test->db, "w");
	int64_t released;

	declare(test, "Limited", 1, LIMIT_BLOCK);
	int64_t id = put_limited(test, "Limited", "k");
	put_limited(test, "Limited", "k");
	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_RELEASED));
	assert_rows(test, 1, 0, 1);
	(void)take_all(test, process, 1);
	must(process_deregister, test->db, process, &released);
	assert_int_equal(state_of(test, id), JOB_READY);
	assert_key(test, "k", 0, 1, 0, 1);
}

/* CC9, CC10, JB7, JB12, defect 16: a discarded job leaves nothing, and is told. */
DB_CASE(cc9_discarded_on_conflict)
{
	const struct new_job jobs[] = {
		{ .class_name = "Once", .concurrency_key = "k/1" },
		{ .class_name = "Once", .concurrency_key = "k/1" },
		{ .class_name = "Once", .concurrency_key = "k/2" },
		{ .class_name = "Free" },
	};
	struct enqueued results[4];
	int64_t process = register_worker(test->db, "w");

	declare(test, "Once", 1, LIMIT_DISCARD);
	must(enqueue, test->db, jobs, 4, results);
	assert_false(results[0].discarded || results[2].discarded || results[3].discarded);
	assert_true(results[1].discarded);
	assert_int_equal(results[1].id, 0);
	assert_int_equal(rows_of(test, "jobs"), 3);
	assert_rows(test, 3, 0, 0);
	finish_jobs(test, process, 3);
	must(enqueue, test->db, jobs, 1, results);
	assert_false(results[0].discarded);
	assert_rows(test, 1, 0, 0);
}

/* JB10, defect 31: discarded when it is due; the batch counts it as looked at. */
DB_CASE(jb10_discarded_when_due)
{
	declare(test, "Once", 1, LIMIT_DISCARD);
	for (int i = 0; i < 3; i++)
		put_limited_delayed(test, "Once", "k");
	make_due(test);
	assert_int_equal(dispatch_due(test, 100), 3);
	assert_int_equal(rows_of(test, "jobs"), 1);
	assert_rows(test, 1, 0, 0);
}

/* on_conflict: replace keeps the newest of those that wait, and none that runs. */
DB_CASE(replace_keeps_the_newest_that_waits)
{
	declare(test, "Newest", 1, LIMIT_REPLACE);
	declare(test, "Other", 1, LIMIT_BLOCK);
	int64_t first = put_limited(test, "Newest", "k");
	int64_t second = put_limited(test, "Newest", "k");
	int64_t other = put_limited(test, "Other", "k");
	int64_t third = put_limited(test, "Newest", "k");
	assert_states(test, first, JOB_READY, second, JOB_STATES, other, JOB_BLOCKED);
	assert_int_equal(state_of(test, third), JOB_BLOCKED);
	assert_rows(test, 1, 0, 2);
}
