/* What the scheduler makes of occurrences: late ones, missed ones, jitter, start and end. */
#include "queue/recurring/recurring.h"
#include "scheduler/task.h"
#include "tests/support/test.h"

#define NINE (INT64_C(1795251600) * CLOCK_SECOND) /* 2026-11-21 09:00 UTC */

struct world {
	struct arena *arena;
	struct config_task config;
	struct task task;
};

static struct world world; /* of the case */

static int open_world(void **state)
{
	world = (struct world){ .arena = arena_new() };
	world.config = (struct config_task){ .key = "a",
					     .class = "A",
					     .misfire_limit = 3,
					     .misfire_window = CLOCK_DAY,
					     .enabled = true,
					     .starts = INT64_MIN,
					     .ends = CLOCK_NEVER };
	world.task.config = &world.config;
	(void)state;
	return 0;
}

static int close_world(void **state)
{
	(void)state;
	arena_free(world.arena);
	return 0;
}

static void set(const char *text, int64_t from)
{
	const struct schedule_request request = { .text = text,
						  .key = "a",
						  .zones = zones_new(world.arena, NULL) };

	must(schedule_parse, world.arena, &request, &world.config.timer, NULL);
	task_continue(&world.task, from);
}

static void assert_due(int64_t now, size_t count, int64_t first)
{
	const struct due due = task_due(&world.task, world.arena, now);

	assert_int_equal(due.count, count);
	if (count > 0)
		assert_int_equal(due.occurrences[0], first);
	for (size_t i = 1; i < count; i++)
		assert_true(due.occurrences[i] > due.occurrences[i - 1]);
}

/* What fell due before it was resumed is no occurrence of a task, whenever the last one was. */
CASE_WITH(test_resumed, open_world, close_world)
{
	world.task.resumed_at = NINE + 2 * CLOCK_HOUR;
	set("every hour", NINE);
	assert_int_equal(task_wakes(&world.task), NINE + 3 * CLOCK_HOUR);
	task_continue(&world.task, NINE + 5 * CLOCK_HOUR);
	assert_int_equal(task_wakes(&world.task), NINE + 6 * CLOCK_HOUR);
}

CASE_WITH(test_next, open_world, close_world)
{
	set("every hour", NINE);
	assert_int_equal(task_wakes(&world.task), NINE + CLOCK_HOUR);
	world.config.ends = NINE + CLOCK_HOUR;
	task_continue(&world.task, NINE + CLOCK_HOUR);
	assert_int_equal(task_wakes(&world.task), CLOCK_NEVER);
	world.config.ends = CLOCK_NEVER;
	world.config.starts = NINE + 3 * CLOCK_HOUR;
	task_continue(&world.task, NINE);
	assert_int_equal(task_wakes(&world.task), NINE + 3 * CLOCK_HOUR);
	world.config.enabled = false;
	task_continue(&world.task, NINE);
	assert_int_equal(task_wakes(&world.task), CLOCK_NEVER);
}

/* Late is not missed: every one of these gets its job, whatever the policy. */
CASE_WITH(test_late, open_world, close_world)
{
	world.config.misfire = MISFIRE_SKIP;
	set("every second", NINE);
	assert_due(NINE + 5 * CLOCK_SECOND, 5, NINE + CLOCK_SECOND);
	assert_due(NINE + 10 * CLOCK_SECOND + 5, 10, NINE + CLOCK_SECOND);
}

CASE_WITH(test_missed, open_world, close_world)
{
	int64_t now = NINE + 5 * CLOCK_HOUR + CLOCK_MINUTE;

	set("every hour", NINE);
	assert_due(now, 1, NINE + 5 * CLOCK_HOUR);
	world.config.misfire = MISFIRE_ALL;
	assert_due(now, 3, NINE + 3 * CLOCK_HOUR);
	world.config.misfire_window = 2 * CLOCK_HOUR;
	assert_due(now, 2, NINE + 4 * CLOCK_HOUR);
	world.config.misfire = MISFIRE_SKIP;
	assert_due(now, 0, 0);
	assert_int_equal(task_due(&world.task, world.arena, now).missed, NINE + 5 * CLOCK_HOUR);
	assert_due(NINE + 5 * CLOCK_HOUR, 1, NINE + 5 * CLOCK_HOUR);
}

static void assert_missed(int64_t now, int64_t count, int64_t from, int64_t at)
{
	const struct due due = task_due(&world.task, world.arena, now);

	assert_int_equal(due.missed_count, count);
	assert_int_equal(due.missed_from, from);
	assert_int_equal(due.missed, at);
}

/* How many were missed, and from when to when, however many get a job, and also of long ago. */
CASE_WITH(test_counted, open_world, close_world)
{
	int64_t now = NINE + 10000 * CLOCK_MINUTE;

	set("every minute", NINE);
	assert_missed(NINE + CLOCK_MINUTE, 0, 0, 0);
	assert_missed(now, 9998, NINE + CLOCK_MINUTE, now - 2 * CLOCK_MINUTE);
	world.config.misfire = MISFIRE_ALL;
	assert_missed(now, 9996, NINE + CLOCK_MINUTE, now - 4 * CLOCK_MINUTE);
	set("every day", NINE);
	assert_missed(NINE + 3 * CLOCK_DAY, 2, NINE + 15 * CLOCK_HOUR, NINE + 39 * CLOCK_HOUR);
	world.config.misfire_window = CLOCK_HOUR;
	assert_missed(NINE + 2 * CLOCK_DAY, 2, NINE + 15 * CLOCK_HOUR, NINE + 39 * CLOCK_HOUR);
	set("every second", NINE);
	assert_missed(NINE + 30 * CLOCK_DAY, RECURRING_COUNTED, NINE + CLOCK_SECOND,
		      NINE + 30 * CLOCK_DAY - 14 * CLOCK_SECOND);
}

/* A year of seconds that nobody was there for takes no longer than what is kept of it. */
CASE_WITH(test_long_outage, open_world, close_world)
{
	set("every second", NINE);
	assert_due(NINE + 365 * CLOCK_DAY, 12, NINE + 365 * CLOCK_DAY - 11 * CLOCK_SECOND);
}

CASE_WITH(test_resume, open_world, close_world)
{
	set("every hour", NINE);
	task_resume(&world.task, NINE - CLOCK_DAY, NINE - CLOCK_HOUR, NINE + 1);
	assert_int_equal(world.task.next, NINE);
	task_resume(&world.task, NINE + 1, 0, NINE + 1); /* new: nothing was missed */
	assert_int_equal(world.task.next, NINE + CLOCK_HOUR);
	task_resume(&world.task, NINE, NINE + CLOCK_DAY, NINE + 1); /* the clock was ahead */
	assert_int_equal(world.task.next, NINE + CLOCK_HOUR);
	task_resume(&world.task, 1, 0, NINE + 1);
	assert_int_equal(world.task.from, NINE + 1 - RECURRING_MEMORY);
}

CASE_WITH(test_jitter, open_world, close_world)
{
	int64_t seen = 0;

	assert_int_equal(task_job_at(&world.task, NINE), NINE);
	world.config.jitter = CLOCK_MINUTE;
	for (int i = 0; i < 100; i++) {
		int64_t occurrence = NINE + i * CLOCK_HOUR;
		int64_t delay = task_job_at(&world.task, occurrence) - occurrence;
		assert_in_range(delay, 0, CLOCK_MINUTE);
		assert_int_equal(task_job_at(&world.task, occurrence) - occurrence, delay);
		seen += delay > CLOCK_MINUTE / 2;
	}
	assert_in_range(seen, 20, 80);
}

/* RK12, RK13: the task's own queue and priority before its class's. */
CASE_WITH(test_job, open_world, close_world)
{
	struct config_concurrency limit = { .to = 1, .key = "{0}" };
	struct config_class class = { .name = "A",
				      .queue = "theirs",
				      .priority = 10,
				      .concurrency = &limit,
				      .concurrency_count = 1 };
	const struct config config = { .classes = &class, .class_count = 1 };
	struct new_job job = { .run_at = NINE };

	world.task.arguments = "[7]";
	must(task_job, &world.task, &config, world.arena, &job);
	assert_string_equal(job.queue, "theirs");
	assert_int_equal(job.priority, 10);
	assert_string_equal(job.concurrency_key, "A/7");
	assert_string_equal(job.task_key, "a");
	assert_int_equal(job.timeout, 0);
	world.config.queue = "own";
	world.config.has_priority = true;
	world.config.priority = 4;
	world.config.timeout = 90 * CLOCK_SECOND;
	must(task_job, &world.task, &config, world.arena, &job);
	assert_string_equal(job.queue, "own");
	assert_int_equal(job.priority, 4);
	assert_int_equal(job.timeout, 90 * CLOCK_SECOND);
	world.task.arguments = "[[1]]";
	must_be(STATUS_INVALID, task_job, &world.task, &config, world.arena, &job);
}
