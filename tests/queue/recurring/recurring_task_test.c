/* Recurring tasks that are added, changed, paused and run by hand (RK16 to RK20). */
#include "queue/manage/audit.h"
#include "tests/support/jobs/recurring.h"
#include "tests/support/limited.h"
#include "tests/support/sites/rails.h"

static int64_t audited(struct test_db *test, const char *action)
{
	return sql_number(
		test,
		"SELECT count(*) FROM dray_audit WHERE action = '%s' AND target = 'task a' AND who "
		"= 'me' AND host = 'here' AND reason = 'why not' AND count = 1",
		action);
}

/* RK16, RK17: Solid Queue's row, not static; what it has no column for is beside it. */
DB_CASE(rk17_a_task_is_added)
{
	add_task(test, "a", "every day at 9am");
	assert_count(test, 1,
		     "solid_queue_recurring_tasks WHERE NOT static AND schedule = '0 9 * * * "
		     "Europe/Madrid' AND class_name = 'Test' AND arguments = '[1]' AND "
		     "queue_name = 'a' AND priority IS NULL AND command IS NULL");
	const struct recurring_row row = find_task(test, "a");
	assert_false(row.is_static);
	assert_true(row.ours);
	assert_string_equal(row.task.options.time_zone, "Europe/Madrid");
	assert_string_equal(row.task.options.overlap, "skip");
	assert_int_equal(row.task.options.jitter, 1500000);
	assert_int_equal(row.paused_at, 0);
	assert_int_equal(row.last.run_at, 0);
	assert_int_equal(audited(test, "add task"), 1);
}

static enum status new_schedule(struct arena *arena, struct recurring_task *task, void *input,
				struct error *error)
{
	(void)arena;
	(void)error;
	task->schedule = input;
	return STATUS_OK;
}

static enum status new_class(struct arena *arena, struct recurring_task *task, void *input,
			     struct error *error)
{
	(void)arena;
	(void)error;
	task->class_name = input;
	task->options.misfire = "all";
	return STATUS_OK;
}

/* Somebody else is faster: the edit is asked again, and both changes stand. */
static enum status interrupted(struct arena *arena, struct recurring_task *task, void *input,
			       struct error *error)
{
	struct test_db *test = input;

	(void)arena;
	if (strcmp(task->class_name, "Test") == 0) {
		struct db *other = test_db_open(test->url);
		assert_ok(
			recurring_change(other, "a", new_class, (void *)"Other", &test_note, error),
			error);
		db_close(other);
	}
	task->schedule = "every week";
	return STATUS_OK;
}

DB_CASE(a_task_is_changed)
{
	add_task(test, "a", "every day");
	int64_t since = find_task(test, "a").since;
	must(recurring_change, test->db, "a", interrupted, test, &test_note);
	struct recurring_row row = find_task(test, "a");
	assert_string_equal(row.task.schedule, "every week");
	assert_string_equal(row.task.class_name, "Other");
	assert_string_equal(row.task.options.misfire, "all");
	assert_string_equal(row.task.options.time_zone, "Europe/Madrid");
	assert_true(row.since > since);
	since = row.since;
	must(recurring_change, test->db, "a", new_class, (void *)"Third", &test_note);
	assert_int_equal(find_task(test, "a").since, since);
	assert_int_equal(audited(test, "change task"), 3);
	must_be(STATUS_INVALID, recurring_change, test->db, "a", new_schedule, (void *)"x",
		&test_note);
	assert_string_equal(find_task(test, "a").task.schedule, "every week");
	assert_int_equal(audited(test, "change task"), 3);
	must_say("recurring.unknown", STATUS_NONE, recurring_change, test->db, "as", new_class,
		 (void *)"X", &test_note);
}

/* RK18: what a file says is changed in the file. */
DB_CASE(rk18_static_tasks_stay)
{
	struct recurring_ran ran;
	bool changed;

	publish_task(test, "a");
	must_say("recurring.change_the_file", STATUS_INVALID, recurring_remove, test->db, "a",
		 &test_note);
	must_say("recurring.change_the_file", STATUS_INVALID, recurring_change, test->db, "a",
		 new_class, (void *)"X", &test_note);
	must(recurring_pause, test->db, "a", &test_note, &changed);
	assert_true(changed);
	must(recurring_run_now, test->db, "a", NULL, &test_note, &ran);
	assert_true(ran.job.id > 0);
	test_rails_task(test, "@daily", "Test", true);
	must_be(STATUS_INVALID, recurring_pause, test->db, "theirs", &test_note, &changed);
	must_say("recurring.of_rails", STATUS_INVALID, recurring_remove, test->db, "theirs",
		 &test_note);
}

/* A dynamic one goes, and may come back: as a new one. What a scheduler publishes leaves it be. */
DB_CASE(rk18_a_dynamic_task_is_removed)
{
	bool changed;

	add_task(test, "a", "every day");
	publish_task(test, "b");
	assert_int_equal(rows_of(test, "recurring_tasks"), 2);
	int64_t since = find_task(test, "a").since;
	must(recurring_pause, test->db, "a", &test_note, &changed);
	must(recurring_remove, test->db, "a", &test_note);
	must_be(STATUS_NONE, recurring_remove, test->db, "a", &test_note);
	assert_int_equal(audited(test, "remove task"), 1);
	add_task(test, "a", "every day");
	assert_int_equal(find_task(test, "a").paused_at, 0);
	assert_true(find_task(test, "a").since > since);
}

/* RK19: the first to have the key, a file or Rails too, keeps it. */
DB_CASE(rk19_a_key_is_taken)
{
	static const char *const keys[] = { "a", "b", "theirs" };
	const char *said = "";

	add_task(test, "a", "every day");
	publish_task(test, "b");
	test_rails_task(test, "@daily", "Test", true);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct recurring_task again = task_of(keys[i], "every week");
		struct error error = { 0 };
		assert_status(recurring_add(test->db, &again, &test_note, &error), STATUS_CONFLICT,
			      &error);
		said = arena_printf(test->arena, "%s%s\n", said, error.text);
	}
	assert_wording("recurring.keys_taken", said);
	assert_int_equal(rows_of(test, "recurring_tasks"), 3);
	assert_int_equal(rows_of(test, "recurring_tasks WHERE schedule = 'every week'"), 0);
	assert_int_equal(audited(test, "add task"), 1);
}

/* RK20: a task that is not there cannot be taken away. */
DB_CASE(rk20_a_key_is_unknown)
{
	add_task(test, "a", "every day");
	must_say("recurring.unknown", STATUS_NONE, recurring_remove, test->db, "b", &test_note);
	assert_int_equal(rows_of(test, "recurring_tasks"), 1);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_audit"), 1);
}

/* What belongs to a pause is no occurrence; what was before is one until it is resumed. */
DB_CASE(a_pause_has_no_occurrences)
{
	bool changed;

	add_task(test, "a", "every day");
	int64_t since = find_task(test, "a").since;
	must(recurring_pause, test->db, "a", &test_note, &changed);
	assert_true(changed);
	int64_t paused = find_task(test, "a").paused_at;
	must(recurring_pause, test->db, "a", &test_note, &changed);
	assert_false(changed);
	assert_int_equal(find_task(test, "a").paused_at, paused);
	assert_string_equal(find_task(test, "a").note.reason, "why not");
	assert_true(fire_task(test, "a", paused - 1, since).id > 0);
	assert_true(fire_task(test, "a", paused + 1, since).repeated);
	const struct recurring_skipped missed = { "a", paused + CLOCK_SECOND, paused, 2, "missed" };
	must(recurring_skip, test->db, &missed, 1);
	assert_int_equal(runs_of(test), 1);
	must(recurring_resume, test->db, "a", &test_note, &changed);
	assert_true(changed);
	must(recurring_resume, test->db, "a", &test_note, &changed);
	assert_false(changed);
	assert_int_equal(find_task(test, "a").paused_at, 0);
	assert_true(fire_task(test, "a", paused + 1, since).repeated);
	assert_true(fire_task(test, "a", paused - 2, since).repeated);
	assert_true(fire_task(test, "a", db_now(test->db) + CLOCK_SECOND, since).id > 0);
	assert_int_equal(rows_of(test, "jobs"), 2);
	assert_int_equal(audited(test, "pause task"), 2);
	assert_int_equal(audited(test, "resume task"), 1);
}

/* Two schedulers see a change at different times: the later one fires nothing it has no more. */
DB_CASE(an_old_schedule_has_no_occurrences)
{
	add_task(test, "a", "every day");
	int64_t before = find_task(test, "a").since;
	must(recurring_change, test->db, "a", new_schedule, (void *)"every hour", &test_note);
	int64_t since = find_task(test, "a").since;
	assert_true(fire_task(test, "a", since - 1, before).id > 0);
	assert_true(fire_task(test, "a", since + 1, before).repeated);
	assert_true(fire_task(test, "a", since + 1, since).id > 0);
	assert_true(fire_task(test, "a", since + 1, since).repeated);
	must(recurring_remove, test->db, "a", &test_note);
	assert_true(fire_task(test, "a", since + 2, since).repeated);
	assert_int_equal(rows_of(test, "jobs"), 2);
}

static const char *last_state(struct test_db *test)
{
	return find_task(test, "a").last.state;
}

/* The job of the last run, and how that has ended. */
DB_CASE(a_task_shows_what_became_of_its_job)
{
	add_task(test, "a", "every day");
	int64_t since = find_task(test, "a").since;
	int64_t job = fire_task(test, "a", since - since % CLOCK_SECOND + CLOCK_DAY, since).id;

	assert_string_equal(last_state(test), "waiting");
	put_attempt(test, job, "retried");
	assert_string_equal(last_state(test), "retrying");
	struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);
	assert_string_equal(last_state(test), "running");
	finish_claims(test, claim, 1);
	assert_string_equal(last_state(test), "finished");
	put_attempt(test, job, "discarded");
	assert_string_equal(last_state(test), "discarded");
	put_attempt(test, job, "cancelled");
	assert_string_equal(last_state(test), "cancelled");
}

/* Once, now, whatever the schedule says; the occurrences around it stay undecided. */
DB_CASE(a_task_is_run)
{
	struct recurring_ran ran;
	struct recurring_run *list;
	struct recurring_known *known;
	const struct recurring_page page = { .key = "a", .limit = 10 };
	size_t count;

	declare(test, "Test", 1, LIMIT_BLOCK);
	add_task(test, "a", "every day");
	int64_t since = find_task(test, "a").since;
	int64_t second = since - since % CLOCK_SECOND + CLOCK_DAY;
	assert_true(fire_task(test, "a", second - CLOCK_DAY, since).id > 0);
	const struct new_job defaults = { .queue = "z", .has_priority = true, .priority = 7 };
	must(recurring_run_now, test->db, "a", &defaults, &test_note, &ran);
	assert_true(ran.job.id > 0);
	assert_true(ran.run_at % CLOCK_SECOND != 0);
	assert_count(test, 1,
		     "solid_queue_jobs WHERE queue_name = 'a' AND priority = 7 AND "
		     "concurrency_key = 'Test'");
	must(recurring_history, test->db, test->arena, &page, &list, &count);
	assert_int_equal(count, 2);
	assert_int_equal(list[0].run_at, ran.run_at);
	assert_int_equal(list[0].job_id, ran.job.id);
	assert_string_equal(list[0].outcome, "manual");
	assert_string_equal(list[0].state, "waiting");
	assert_string_equal(list[1].outcome, "enqueued");
	must(recurring_known, test->db, test->arena, &known, &count);
	assert_int_equal(known[0].last, second - CLOCK_DAY);
	assert_int_equal(find_task(test, "a").last.run_at, ran.run_at);
	assert_int_equal(audited(test, "run task"), 1);
	must_be(STATUS_NONE, recurring_run_now, test->db, "b", NULL, &test_note, &ran);
	assert_slots_add_up(test);
}

/* What schedulers ask for: what was added, by us or by Rails, and what is or was paused. */
DB_CASE(schedulers_see_changes)
{
	struct recurring_changes changes;
	bool changed;

	add_task(test, "a", "every day");
	publish_task(test, "b");
	test_rails_task(test, "@daily", "Test", false);
	must(recurring_pause, test->db, "b", &test_note, &changed);
	must(recurring_changes, test->db, test->arena, true, &changes);
	assert_int_equal(changes.dynamic_count, 2);
	assert_string_equal(changes.dynamic[0].task.key, "a");
	assert_int_equal(changes.dynamic[0].since, find_task(test, "a").since);
	assert_string_equal(changes.dynamic[1].task.key, "theirs");
	assert_int_equal(changes.dynamic[1].since, 0);
	assert_null(changes.dynamic[1].task.settings);
	assert_int_equal(changes.paused_count, 1);
	assert_string_equal(changes.paused[0].key, "b");
	assert_int_equal(changes.paused[0].resumed_at, 0);
	/* A deployment without the task, and one with it again: it is paused still. */
	must(recurring_publish, test->db, NULL, 0, NULL);
	publish_task(test, "b");
	assert_true(find_task(test, "b").paused_at > 0);
	must_be(STATUS_INVALID, recurring_pause, test->db, "theirs", &test_note, &changed);
}
