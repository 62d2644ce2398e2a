/*
 * Tasks that people change while two schedulers run, each a real process: added, paused, resumed,
 * changed, removed and added again. In the end every moment that there was has one job, and there
 * is no job for any other. SC2, SC4, SC6, and RK16 to RK18 from end to end.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "queue/recurring_task.h"
#include "tests/e2e/site.h"
#include "tests/support/query.h"
#include "tests/support/wait.h"

#define PATIENCE   (120 * CLOCK_SECOND)
#define SCHEDULERS 2

struct duo {
	struct site *site;
	struct test_running all[SCHEDULERS];
	const char *text; /* awaited in the logs of all */
	size_t times;
	const char *sql;
	int64_t wanted;
};

static size_t times(const char *log, const char *text)
{
	size_t count = 0;

	for (; (log = strstr(log, text)); log++)
		count++;
	return count;
}

static bool all_say(void *data)
{
	const struct duo *duo = data;

	for (size_t i = 0; i < SCHEDULERS; i++)
		if (times(test_command_errors(duo->site->arena, &duo->all[i]), duo->text) <
		    duo->times)
			return false;
	return true;
}

/* Every scheduler knows of the change. */
static void await_all(struct duo *duo, const char *text, size_t count)
{
	duo->text = text;
	duo->times = count;
	if (test_wait_until(all_say, duo, PATIENCE))
		return;
	(void)fputs(test_command_errors(duo->site->arena, &duo->all[0]), stderr);
	fail_msg("not every scheduler says %s", text);
}

static bool is_reached(void *data)
{
	const struct duo *duo = data;

	return site_int(duo->site, duo->sql) >= duo->wanted;
}

static void await_number(struct duo *duo, const char *sql, int64_t wanted)
{
	duo->sql = sql;
	duo->wanted = wanted;
	if (!test_wait_until(is_reached, duo, PATIENCE))
		fail_msg("waited in vain for %s", sql);
}

#define RUNS_OF(key) "SELECT count(*) FROM dray_recurring_runs WHERE task_key = '" key "'"

/* Time goes by: the file's task has so many moments more. */
static void await_seconds(struct duo *duo, int64_t seconds)
{
	await_number(duo, RUNS_OF("clock"), site_int(duo->site, RUNS_OF("clock")) + seconds);
}

#define DYNAMIC                                                                                    \
	"log: {level: debug}\n"                                                                    \
	"scheduler: {polling_interval: 0.2, dynamic_tasks_enabled: true}\n"

static void open_duo(struct duo *duo, struct test_db *test, const char *settings)
{
	*duo = (struct duo){ .site = site_open(test) };
	site_queue_yml(duo->site, settings);
	site_write(duo->site, "config/recurring.yml",
		   "clock: {class: Log, schedule: every second, misfire: all, "
		   "misfire_limit: 1000}\n");
	for (size_t i = 0; i < SCHEDULERS; i++)
		duo->all[i] = site_spawn(duo->site, getenv("DRAY_BINARY"),
					 (const char *[]){ "scheduler", NULL });
	await_seconds(duo, 1);
}

static void close_duo(struct duo *duo)
{
	for (size_t i = 0; i < SCHEDULERS; i++) {
		assert_int_equal(kill(duo->all[i].pid, SIGTERM), 0);
		struct test_result result =
			test_command_finish(duo->site->arena, &duo->all[i], PATIENCE);
		if (result.code != 0)
			(void)fputs(result.errors, stderr);
		assert_int_equal(result.code, 0);
	}
	assert_int_equal(site_int(duo->site, "SELECT count(*) FROM solid_queue_jobs"),
			 site_int(duo->site, "SELECT count(*) FROM dray_recurring_runs WHERE "
					     "job_id IS NOT NULL"));
	site_close(duo->site);
}

/* When it was done, by the audit trail: the latest of these. */
static int64_t done_at(struct site *site, const char *action)
{
	struct db_rows rows = test_query(
		site->arena, site->url,
		arena_printf(site->arena,
			     "SELECT max(created_at) FROM dray_audit WHERE action = '%s'", action));

	return db_time(&rows, 0, 0);
}

/* A span in which the task had a moment every so many seconds; its ends are no whole seconds. */
struct span {
	int64_t from, to;
	int64_t seconds;
};

static bool belongs(const struct span spans[], size_t count, int64_t moment)
{
	for (size_t i = 0; i < count; i++)
		if (moment > spans[i].from && moment <= spans[i].to &&
		    moment % (spans[i].seconds * CLOCK_SECOND) == 0)
			return true;
	return false;
}

/* From the first to the last of them, each moment was enqueued, and nothing else was decided. */
static void assert_moments(struct site *site, const char *key, const struct span spans[],
			   size_t count)
{
	const struct recurring_page page = { .key = key, .limit = 10000 };
	struct recurring_run *runs = NULL;
	struct error error = { 0 };
	size_t at = 0;

	assert_ok(recurring_history(site->db, site->arena, &page, &runs, &at, &error), &error);
	assert_true(at > 0);
	int64_t last = runs[0].run_at;
	for (int64_t second = spans[0].from / CLOCK_SECOND + 1; second * CLOCK_SECOND <= last;
	     second++) {
		if (!belongs(spans, count, second * CLOCK_SECOND))
			continue;
		assert_true(at > 0);
		const struct recurring_run *run = &runs[--at];
		assert_int_equal(run->run_at, second * CLOCK_SECOND);
		assert_string_equal(run->outcome, "enqueued");
		assert_true(run->job_id > 0);
	}
	assert_int_equal(at, 0);
}

#define NEVER INT64_MAX

static const char *time_text(struct site *site, int64_t instant)
{
	char text[CLOCK_TEXT_SIZE];

	clock_format(instant, text);
	return arena_strdup(site->arena, text);
}

static void test_sc6_changes_are_followed(void **state)
{
	struct duo duo;

	open_duo(&duo, *state, DYNAMIC);
	struct site *site = duo.site;
	(void)site_dray(site, "recurring", "add", "tick", "--schedule", "every second", "--class",
			"Log", "--misfire", "all", "--misfire-limit", "1000");
	int64_t added = done_at(site, "add task");
	await_all(&duo, "recurring.changed", 1);
	await_number(&duo, RUNS_OF("tick"), 2);
	(void)site_dray(site, "recurring", "change", "tick", "--schedule", "*/2 * * * * *");
	int64_t changed = done_at(site, "change task");
	await_all(&duo, "recurring.changed", 2);
	await_number(&duo, RUNS_OF("tick"), site_int(site, RUNS_OF("tick")) + 2);
	(void)site_dray(site, "recurring", "pause", "tick");
	int64_t paused = done_at(site, "pause task");
	await_all(&duo, "recurring.paused", 1);
	await_seconds(&duo, 3);
	(void)site_dray(site, "recurring", "resume", "tick");
	int64_t resumed = done_at(site, "resume task");
	await_all(&duo, "recurring.resumed", 1);
	await_number(&duo, RUNS_OF("tick"), site_int(site, RUNS_OF("tick")) + 2);
	const struct span spans[] = { { added, changed, 1 },
				      { changed, paused, 2 },
				      { resumed, NEVER, 2 } };
	assert_moments(site, "tick", spans, 3);
	close_duo(&duo);
}

static void test_rk18_a_removed_task_is_over(void **state)
{
	struct duo duo;

	open_duo(&duo, *state, DYNAMIC);
	struct site *site = duo.site;
	(void)site_dray(site, "recurring", "add", "tick", "--schedule", "every second", "--class",
			"Log", "--misfire", "all");
	await_number(&duo, RUNS_OF("tick"), 2);
	(void)site_dray(site, "recurring", "remove", "tick", "--yes");
	int64_t removed = done_at(site, "remove task");
	await_all(&duo, "recurring.removed", 1);
	int64_t runs = site_int(site, RUNS_OF("tick"));
	await_seconds(&duo, 3);
	assert_int_equal(site_int(site, RUNS_OF("tick")), runs);
	(void)site_dray(site, "recurring", "add", "tick", "--schedule", "every second", "--class",
			"Log", "--misfire", "all");
	int64_t again = done_at(site, "add task");
	await_number(&duo, RUNS_OF("tick"), runs + 2);
	assert_int_equal(
		site_int(site, arena_printf(site->arena,
					    RUNS_OF("tick") " AND run_at > '%s' AND run_at <= "
							    "'%s'",
					    time_text(site, removed), time_text(site, again))),
		0);
	close_duo(&duo);
}

/* A task of the file rests, runs by hand, and goes on. */
static void test_a_static_task_is_paused(void **state)
{
	struct duo duo;

	open_duo(&duo, *state, DYNAMIC);
	struct site *site = duo.site;
	(void)site_dray(site, "recurring", "pause", "clock");
	await_all(&duo, "recurring.paused", 1);
	int64_t before = site_int(site, RUNS_OF("clock"));
	(void)site_dray(site, "recurring", "run", "clock");
	assert_int_equal(site_int(site, RUNS_OF("clock")), before + 1);
	(void)site_dray(site, "recurring", "resume", "clock");
	int64_t paused = done_at(site, "pause task");
	int64_t resumed = done_at(site, "resume task");
	await_seconds(&duo, 2);
	assert_int_equal(
		site_int(site, arena_printf(site->arena,
					    RUNS_OF("clock") " AND run_at > '%s' AND run_at <= "
							     "'%s' AND outcome <> 'manual'",
					    time_text(site, paused), time_text(site, resumed))),
		0);
	assert_int_equal(site_int(site, RUNS_OF("clock") " AND outcome = 'missed'"), 0);
	close_duo(&duo);
}

static void put_foreign(struct duo *duo, const struct test_db *test)
{
	test_execute(duo->site->db,
		     arena_printf(duo->site->arena,
				  "INSERT INTO solid_queue_recurring_tasks (%s, schedule, static, "
				  "class_name, created_at, updated_at) VALUES ('theirs', "
				  "'every second', %s, 'Log', '2026-01-01 00:00:00', "
				  "'2026-01-01 00:00:00')",
				  test->backend[0] == 'm' ? "`key`" : "key",
				  test->backend[0] == 'p' ? "false" : "0"));
}

/* What SolidQueue.schedule_recurring_task has added, and its unschedule_recurring_task. */
static void test_tasks_of_rails_run(void **state)
{
	struct duo duo;

	open_duo(&duo, *state, DYNAMIC);
	put_foreign(&duo, *state);
	await_number(&duo, RUNS_OF("theirs"), 2);
	test_execute(duo.site->db,
		     "DELETE FROM solid_queue_recurring_tasks WHERE class_name = 'Log' AND NOT "
		     "static");
	await_all(&duo, "recurring.removed", 1);
	assert_int_equal(site_int(duo.site, RUNS_OF("theirs") " AND run_at < '2026-01-02'"), 0);
	close_duo(&duo);
}

/* SC4 */
static void test_sc4_dynamic_tasks_are_left_alone(void **state)
{
	struct duo duo;

	open_duo(&duo, *state, "log: {level: debug}\nscheduler: {polling_interval: 0.2}\n");
	put_foreign(&duo, *state);
	await_seconds(&duo, 2);
	assert_int_equal(site_int(duo.site, RUNS_OF("theirs")), 0);
	close_duo(&duo);
}

int main(void)
{
	static const struct test_case cases[] = {
		TEST(test_sc6_changes_are_followed),
		TEST(test_rk18_a_removed_task_is_over),
		TEST(test_a_static_task_is_paused),
		TEST(test_tasks_of_rails_run),
		TEST_ONLY(test_sc4_dynamic_tasks_are_left_alone, "sqlite"),
	};

	return site_run("dynamic tasks", cases, sizeof(cases) / sizeof(cases[0]));
}
