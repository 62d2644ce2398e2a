/* Recurring tasks in the database (rule 8), one job an occurrence (solid-queue.md, 2.12, 2.13). */
#include "tests/support/jobs/recurring.h"
#include "tests/support/limited.h"
#include "tests/support/sites/rails.h"

static struct recurring_task task(const char *key, const char *schedule)
{
	return (struct recurring_task){ .key = key,
					.schedule = schedule,
					.class_name = "Test",
					.arguments = "[1]",
					.queue = "a" };
}

static void publish(struct test_db *test, const struct recurring_task tasks[], size_t count)
{
	must(recurring_publish, test->db, tasks, count, NULL);
}

static const struct recurring_known *known(struct test_db *test, const char *key)
{
	struct recurring_known *list;
	size_t count;

	must(recurring_known, test->db, test->arena, &list, &count);
	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].key, key) == 0)
			return &list[i];
	return NULL;
}

static struct enqueued fire(struct test_db *test, struct db *db, const char *key, int64_t at)
{
	const struct new_job job = {
		.class_name = "Test", .queue = "a", .task_key = key, .run_at = at
	};
	struct enqueued result;

	(void)test;
	must(enqueue, db, &job, 1, &result);
	return result;
}

/* RT2: rows as Solid Queue writes them; one that was changed is restored, one that is gone goes. */
DB_CASE(rt2_static_tasks_are_persisted)
{
	const struct recurring_task first[] = { task("a", "every hour"), task("b", "every day") };
	const struct recurring_task second[] = { task("b", "every week") };

	publish(test, first, 2);
	assert_int_equal(rows_of(test, "recurring_tasks"), 2);
	assert_count(test, 1,
		     "solid_queue_recurring_tasks WHERE static AND schedule = 'every hour' AND "
		     "class_name = 'Test' AND arguments = '[1]' AND queue_name = 'a' AND "
		     "priority IS NULL AND command IS NULL AND created_at = updated_at");
	test_execute(test->db, "UPDATE solid_queue_recurring_tasks SET schedule = 'never'");
	publish(test, first, 2);
	assert_int_equal(rows_of(test, "recurring_tasks WHERE schedule = 'never'"), 0);
	publish(test, second, 1);
	assert_int_equal(rows_of(test, "recurring_tasks"), 1);
	assert_int_equal(rows_of(test, "recurring_tasks WHERE schedule = 'every week'"), 1);
	assert_null(known(test, "a"));
}

/* Rule 8: what a Rails scheduler has put there stays, and what it deletes of ours comes back. */
DB_CASE(tasks_of_rails_stay)
{
	const struct recurring_task ours = task("ours", "every hour");

	test_rails_task(test, "@daily", NULL, true);
	publish(test, &ours, 1);
	int64_t since = known(test, "ours")->since;
	test_execute(test->db, "DELETE FROM solid_queue_recurring_tasks WHERE class_name = 'Test'");
	publish(test, &ours, 1);
	assert_int_equal(rows_of(test, "recurring_tasks"), 2);
	assert_int_equal(known(test, "ours")->since, since);
	publish(test, NULL, 0);
	assert_int_equal(rows_of(test, "recurring_tasks"), 1);
}

/* A task misses nothing of the time before it had its schedule. */
DB_CASE(a_new_schedule_is_a_new_task)
{
	struct recurring_task changed = task("a", "every hour");

	publish(test, &changed, 1);
	int64_t since = known(test, "a")->since;
	changed.options.jitter = CLOCK_SECOND;
	publish(test, &changed, 1);
	assert_int_equal(known(test, "a")->since, since);
	changed.schedule = "every day";
	publish(test, &changed, 1);
	assert_true(known(test, "a")->since > since);
}

/* So is one whose schedule means other occurrences: a zone that changed makes nothing up. */
DB_CASE(a_new_meaning_is_a_new_task)
{
	static const struct recurring_options meanings[] = {
		{ .time_zone = "Europe/Madrid" },
		{ .time_zone = "Europe/Madrid", .dst_gap = "skip" },
		{ .time_zone = "Europe/Madrid", .dst_overlap = "both" },
		{ .time_zone = "Europe/Madrid", .dst_overlap = "both", .disabled = true },
	};
	struct recurring_task changed = task("a", "every hour");

	publish(test, &changed, 1);
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++) {
		int64_t since = known(test, "a")->since;
		changed.options = meanings[i];
		publish(test, &changed, 1);
		int64_t changed_at = known(test, "a")->since;
		assert_true(changed_at > since);
		publish(test, &changed, 1);
		assert_int_equal(known(test, "a")->since, changed_at);
	}
}

/* IN19 (solid-queue.md, 2.13): the second one to come finds the occurrence taken, and leaves no job
 * behind. */
DB_CASE(one_job_for_each_occurrence)
{
	struct db *other = test_db_open(test->url);
	const struct recurring_task ours = task("a", "every hour");

	publish(test, &ours, 1);
	assert_true(fire(test, test->db, "a", OCCURRENCE).id > 0);
	const struct enqueued again = fire(test, other, "a", OCCURRENCE);
	assert_int_equal(again.id, 0);
	assert_true(again.repeated);
	assert_true(fire(test, other, "b", OCCURRENCE).id > 0);
	assert_true(fire(test, other, "a", OCCURRENCE + CLOCK_SECOND).id > 0);
	assert_int_equal(rows_of(test, "jobs"), 3);
	assert_int_equal(rows_of(test, "recurring_executions"), 3);
	assert_count(test, 2,
		     "solid_queue_recurring_executions WHERE run_at = '2026-11-21 09:00:00'");
	assert_rows(test, 3, 0, 0);
	db_close(other);
}

/* With finished jobs deleted Solid Queue's record goes, too. Ours stays. */
DB_CASE(the_record_outlives_the_job)
{
	assert_true(fire(test, test->db, "a", OCCURRENCE).id > 0);
	test_execute(test->db, "DELETE FROM solid_queue_jobs");
	assert_int_equal(rows_of(test, "recurring_executions"), 0);
	assert_true(fire(test, test->db, "a", OCCURRENCE).repeated);
	assert_int_equal(rows_of(test, "jobs"), 0);
}

/* An occurrence that a Rails scheduler has enqueued is not ours any more. */
DB_CASE(an_occurrence_of_rails_is_taken)
{
	int64_t job = put(test->db, "a", 0);

	sql_execute(test->db,
		    "INSERT INTO solid_queue_recurring_executions (job_id, task_key, run_at, "
		    "created_at) VALUES (%" PRId64
		    ", 'a', '2026-11-21 09:00:00', '2026-11-21 09:00:00')",
		    job);
	assert_true(fire(test, test->db, "a", OCCURRENCE).repeated);
	assert_int_equal(rows_of(test, "jobs"), 1);
}

/* In one batch some occurrences are new, and some are not; limits hold, and no slot is lost. */
DB_CASE(a_batch_is_sorted_out)
{
	struct new_job jobs[6];
	struct enqueued results[6];

	declare(test, "Limited", 1, LIMIT_BLOCK);
	for (int i = 0; i < 6; i++)
		jobs[i] = (struct new_job){ .class_name = i < 3 ? "Limited" : "Test",
					    .queue = "a",
					    .concurrency_key = i < 3 ? "Limited" : NULL,
					    .task_key = "a",
					    .run_at = OCCURRENCE + i * CLOCK_SECOND };
	must(enqueue, test->db, jobs, 1, results);
	must(enqueue, test->db, &jobs[4], 1, results);
	must(enqueue, test->db, jobs, 6, results);
	for (int i = 0; i < 6; i++) {
		assert_int_equal(results[i].repeated, i == 0 || i == 4);
		assert_int_equal(results[i].id > 0, i != 0 && i != 4);
	}
	assert_rows(test, 4, 0, 2);
	assert_slots_add_up(test);
}

/* RK7: what cannot be recorded is not enqueued either, nor decided on: later it can be. */
DB_CASE(rk7_no_job_without_its_record)
{
	static const char *const records[] = { "dray_recurring_runs",
					       "solid_queue_recurring_executions" };
	const struct new_job job = {
		.class_name = "Test", .queue = "a", .task_key = "a", .run_at = OCCURRENCE
	};
	struct enqueued result;

	for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		sql_execute(test->db, "ALTER TABLE %s RENAME TO away", records[i]);
		must_be(STATUS_FATAL, enqueue, test->db, &job, 1, &result);
		assert_int_equal(rows_of(test, "jobs"), 0);
		assert_int_equal(rows_of(test, "ready_executions"), 0);
		sql_execute(test->db, "ALTER TABLE away RENAME TO %s", records[i]);
	}
	assert_true(fire(test, test->db, "a", OCCURRENCE).id > 0);
	assert_rows(test, 1, 0, 0);
}

/* RK8: on_conflict discards the job; the occurrence is decided on. */
DB_CASE(rk8_a_discarded_job_leaves_no_execution)
{
	struct new_job job = { .class_name = "Limited",
			       .concurrency_key = "Limited",
			       .task_key = "a",
			       .run_at = OCCURRENCE };
	struct enqueued result;

	declare(test, "Limited", 1, LIMIT_DISCARD);
	must(enqueue, test->db, &job, 1, &result);
	job.run_at += CLOCK_SECOND;
	must(enqueue, test->db, &job, 1, &result);
	assert_true(result.discarded);
	assert_int_equal(rows_of(test, "recurring_executions"), 1);
	assert_slots_add_up(test);
}

DB_CASE(what_runs_is_known)
{
	static const char *const keys[] = { "a", "b", "c" };
	int64_t busy[3];
	bool more;
	const struct recurring_task ours[] = { task("a", "x"), task("b", "x"), task("c", "x") };
	const struct recurring_skipped missed = { "a", OCCURRENCE + CLOCK_HOUR, OCCURRENCE + 1, 60,
						  "missed" };

	publish(test, ours, 3);
	(void)fire(test, test->db, "a", OCCURRENCE);
	(void)fire(test, test->db, "b", OCCURRENCE);
	test_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = created_at WHERE id = "
			       "(SELECT job_id FROM dray_recurring_runs WHERE task_key = 'b')");
	must(recurring_skip, test->db, &missed, 1);
	must(recurring_skip, test->db, &missed, 1);
	must(recurring_busy, test->db, keys, 3, busy);
	assert_int_equal(busy[0], OCCURRENCE);
	assert_int_equal(busy[1], 0);
	assert_int_equal(busy[2], 0);
	assert_true(fire(test, test->db, "a", missed.at).repeated);
	assert_int_equal(known(test, "c")->last, 0);
	test_execute(test->db, "UPDATE dray_recurring_runs SET created_at = '2020-01-01 00:00:00' "
			       "WHERE task_key = 'a'");
	must(recurring_clear, test->db, &more);
	assert_false(more);
	assert_int_equal(runs_of(test), 1);
}

/* Somebody runs a task by hand beside its own job, and the job by hand is done first. */
DB_CASE(a_run_by_hand_hides_no_job)
{
	static const char *const keys[] = { "a" };
	const struct recurring_task ours[] = { task("a", "x") };
	int64_t busy;

	publish(test, ours, 1);
	(void)fire(test, test->db, "a", OCCURRENCE);
	(void)fire(test, test->db, "a", OCCURRENCE + 1);
	test_execute(test->db, "UPDATE dray_recurring_runs SET outcome = 'manual' WHERE job_id = "
			       "(SELECT max(id) FROM solid_queue_jobs)");
	must(recurring_busy, test->db, keys, 1, &busy);
	assert_int_equal(busy, OCCURRENCE);
	test_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = created_at WHERE id = "
			       "(SELECT job_id FROM dray_recurring_runs WHERE outcome = 'manual')");
	must(recurring_busy, test->db, keys, 1, &busy);
	assert_int_equal(busy, OCCURRENCE);
	test_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = CASE WHEN finished_at IS "
			       "NULL THEN created_at END");
	must(recurring_busy, test->db, keys, 1, &busy);
	assert_int_equal(busy, RECURRING_MANUAL);
}

/* RK1, RK2, RK3, RK4, RK5: a mapping at the end, and no other, is named arguments. */
DB_CASE(rk3_arguments_become_keywords)
{
	static const char *const cases[][2] = {
		{ "[1]", "[1]" },
		{ "[]", "[]" },
		{ "[1,{\"a\":2,\"_aj_symbol_keys\":[\"a\"]}]",
		  "[1,{\"a\":2,\"_aj_ruby2_keywords\":[\"a\"]}]" },
		{ "[1,{\"a\":2,\"_aj_symbol_keys\":[\"a\"]},{\"b\":3,\"_aj_symbol_keys\":[\"b\"]}]",
		  "[1,{\"a\":2,\"_aj_symbol_keys\":[\"a\"]},{\"b\":3,\"_aj_ruby2_keywords\":[\"b\"]"
		  "}"
		  "]" },
		{ "[{\"a\":2,\"_aj_symbol_keys\":[\"a\"]},3]",
		  "[{\"a\":2,\"_aj_symbol_keys\":[\"a\"]},3]" },
	};
	const char *text;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		must(recurring_arguments, test->arena, cases[i][0], &text);
		assert_string_equal(text, cases[i][1]);
	}
	must(recurring_arguments, test->arena, NULL, &text);
	assert_null(text);
	must_be(STATUS_INVALID, recurring_arguments, test->arena, "{}", &text);
}
