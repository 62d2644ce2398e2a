/*
 * Tasks that people change while two schedulers run, each a real process: added, paused, resumed,
 * changed, removed and added again. In the end every occurrence that there was has one job, and
 * there is no job for any other. All at once, for each of them costs seconds: SC2 to SC4, SC6 to
 * SC8, and RK16 to RK18 from end to end. What waits for occurrences waits for real seconds.
 */
#include "queue/recurring/task.h"
#include "tests/support/sites/rails.h"
#include "tests/support/sites/site.h"

#define SCHEDULERS 2

struct duo {
	struct site *site;
	struct test_running all[SCHEDULERS];
};

static bool all_say(const struct duo *duo, const char *text, size_t times)
{
	for (size_t i = 0; i < SCHEDULERS; i++)
		if (test_count_text(test_command_errors(duo->site->arena, &duo->all[i]), text) <
		    times)
			return false;
	return true;
}

/* Every scheduler knows of the change. */
static void await_all(struct duo *duo, const char *text, size_t count)
{
	test_until(all_say(duo, text, count),
		   arena_printf(duo->site->arena, "%s from each scheduler: %s", text,
				test_command_errors(duo->site->arena, &duo->all[0])));
}

#define RUNS_OF(key) "SELECT count(*) FROM dray_recurring_runs WHERE task_key = '" key "'"

#define DYNAMIC                                                                                    \
	"log: {level: debug}\n"                                                                    \
	"process_heartbeat_interval: 0.2\n"                                                        \
	"shutdown_timeout: 60\n"                                                                   \
	"scheduler: {polling_interval: 0.2, dynamic_tasks_enabled: true}\n"

static void open_duo(struct duo *duo, struct site *site, const char *settings)
{
	*duo = (struct duo){ .site = site };
	site_queue_yml(site, settings);
	site_write(site, "config/recurring.yml",
		   "clock: {class: Log, schedule: every second, misfire: all, "
		   "misfire_limit: 1000}\n");
	for (size_t i = 0; i < SCHEDULERS; i++)
		duo->all[i] = site_launch(site, "scheduler");
}

static void close_duo(struct duo *duo)
{
	for (size_t i = 0; i < SCHEDULERS; i++)
		site_stop_other(duo->site, &duo->all[i]);
	assert_count(duo->site,
		     site_int(duo->site, "SELECT count(*) FROM dray_recurring_runs WHERE "
					 "job_id IS NOT NULL"),
		     "solid_queue_jobs");
}

/* When it was done to a task, by the audit trail: the first time, the second, ... */
static int64_t done_at(struct site *site, const char *action, const char *key, int which)
{
	struct db_rows rows = test_query(
		site->arena, site->url,
		arena_printf(site->arena,
			     "SELECT created_at FROM dray_audit WHERE action = '%s' AND target = "
			     "'task %s' ORDER BY created_at",
			     action, key));

	assert_true(rows.count > (size_t)which - 1);
	return db_time(&rows, (size_t)which - 1, 0);
}

/* A span in which the task had an occurrence every so many seconds; no end is a whole second. */
struct span {
	int64_t from, to, seconds;
};

static bool belongs(const struct span spans[], size_t count, int64_t occurrence)
{
	for (size_t i = 0; i < count; i++)
		if (occurrence > spans[i].from && occurrence <= spans[i].to &&
		    occurrence % (spans[i].seconds * CLOCK_SECOND) == 0)
			return true;
	return false;
}

/* From the first to the last, each occurrence was enqueued, and nothing else was decided. */
static void assert_occurrences(struct site *site, const char *key, const struct span spans[],
			       size_t count)
{
	const struct recurring_page page = { .key = key, .limit = 10000 };
	struct recurring_run *runs = NULL;
	size_t at = 0;

	must(recurring_history, site->db, site->arena, &page, &runs, &at);
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

#define recurring(site, ...) (void)site_dray((site), "recurring", __VA_ARGS__)

static void add(struct site *site, const char *key)
{
	recurring(site, "add", key, "--schedule", "every second", "--class", "Log", "--misfire",
		  "all", "--misfire-limit", "1000");
}

/* What SolidQueue.schedule_recurring_task adds. */
static void put_foreign(struct site *site)
{
	test_rails_task(site->test, "every second", "Log", false);
}

static bool all_list(const struct duo *duo, const char *keys, size_t schedulers)
{
	size_t count;
	const struct process_row *rows = site_rows(duo->site, "Scheduler", &count);

	for (size_t i = 0; i < count; i++) {
		const char *list =
			rows[i].metadata ? strstr(rows[i].metadata, "recurring_s") : NULL;
		if (!list != !keys || (list && keys && !strstr(list, keys)))
			return false;
	}
	return count == schedulers;
}

/* So many schedulers' rows show these tasks; NULL: and none. */
static void await_lists(struct duo *duo, const char *keys, size_t schedulers)
{
	test_until(all_list(duo, keys, schedulers), keys ? keys : "no task in the lists");
}

/* Two of them are of ours, one is for removal, one of Rails. */
static void tasks_come(struct duo *duo)
{
	add(duo->site, "tick");
	add(duo->site, "rest");
	add(duo->site, "brief");
	put_foreign(duo->site);
	await_all(duo, "recurring.changed", 4);
	await_lists(duo, "[\"clock\",\"brief\",\"rest\",\"theirs\",\"tick\"]", SCHEDULERS);
	site_await_least(duo->site, RUNS_OF("tick"), 2);
	site_await_least(duo->site, RUNS_OF("rest"), 2);
	site_await_least(duo->site, RUNS_OF("brief"), 2);
	site_await_least(duo->site, RUNS_OF("theirs"), 2);
}

/* Each in its own way has fewer occurrences, or none. */
static void tasks_rest(struct duo *duo)
{
	struct site *site = duo->site;

	recurring(site, "change", "tick", "--schedule", "*/2 * * * * *");
	recurring(site, "remove", "brief", "--yes");
	recurring(site, "pause", "rest");
	recurring(site, "pause", "clock");
	/* And its unschedule_recurring_task. */
	test_execute(duo->site->db, "DELETE FROM solid_queue_recurring_tasks WHERE class_name = "
				    "'Log' AND NOT static AND schedule = 'every second' AND "
				    "created_at < '2026-01-02'");
	await_all(duo, "recurring.changed", 5);
	await_all(duo, "recurring.removed", 2);
	await_all(duo, "recurring.paused", 2);
	struct test_result result = site_try(site, "recurring", "next", "clock");
	assert_code(result, 0);
	assert_wording("recurring.next_paused", result.errors);
	int64_t brief = site_int(site, RUNS_OF("brief"));
	int64_t theirs = site_int(site, RUNS_OF("theirs"));
	int64_t clock = site_int(site, RUNS_OF("clock"));
	recurring(site, "run", "clock");
	site_await_least(duo->site, RUNS_OF("tick"), site_int(site, RUNS_OF("tick")) + 2);
	assert_int_equal(site_int(site, RUNS_OF("brief")), brief);
	assert_int_equal(site_int(site, RUNS_OF("theirs")), theirs);
	assert_int_equal(site_int(site, RUNS_OF("clock")), clock + 1);
}

/* One that rests meanwhile is changed, and rests on. */
static void tasks_go_on(struct duo *duo)
{
	struct site *site = duo->site;

	recurring(site, "pause", "tick");
	recurring(site, "change", "tick", "--schedule", "every second");
	recurring(site, "resume", "rest");
	recurring(site, "resume", "clock");
	add(site, "brief");
	await_all(duo, "recurring.changed", 7);
	await_all(duo, "recurring.resumed", 2);
	await_all(duo, "recurring.paused", 3);
	int64_t tick = site_int(site, RUNS_OF("tick"));
	int64_t rest = site_int(site, RUNS_OF("rest"));
	int64_t brief = site_int(site, RUNS_OF("brief"));
	int64_t clock = site_int(site, RUNS_OF("clock"));
	site_await_least(duo->site, RUNS_OF("rest"), rest + 2);
	site_await_least(duo->site, RUNS_OF("brief"), brief + 2);
	site_await_least(duo->site, RUNS_OF("clock"), clock + 2);
	assert_int_equal(site_int(site, RUNS_OF("tick")), tick);
	recurring(site, "resume", "tick");
	await_all(duo, "recurring.resumed", 3);
	site_await_least(duo->site, RUNS_OF("tick"), tick + 2);
}

static void assert_tick(struct site *site)
{
	int64_t changed = done_at(site, "change task", "tick", 1);
	const struct span spans[] = {
		{ done_at(site, "add task", "tick", 1), changed, 1 },
		{ changed, done_at(site, "pause task", "tick", 1), 2 },
		{ done_at(site, "resume task", "tick", 1), NEVER, 1 },
	};

	assert_occurrences(site, "tick", spans, 3);
}

static void assert_rest(struct site *site)
{
	const struct span spans[] = {
		{ done_at(site, "add task", "rest", 1), done_at(site, "pause task", "rest", 1), 1 },
		{ done_at(site, "resume task", "rest", 1), NEVER, 1 },
	};

	assert_occurrences(site, "rest", spans, 2);
}

/* Occurrences between two instants that a scheduler has decided on. */
static int64_t decided(struct site *site, const char *key, int64_t from, int64_t to)
{
	return site_int(site, arena_printf(site->arena,
					   "SELECT count(*) FROM dray_recurring_runs WHERE "
					   "task_key = '%s' AND outcome <> 'manual' AND run_at > "
					   "'%s' AND run_at <= '%s'",
					   key, time_text(site, from), time_text(site, to)));
}

/* RK16 to RK18, SC3, SC6, SC7; `clock` is the file's. */
SITE_CASE_REAL(test_sc6_changes_are_followed, NULL)
{
	struct duo duo;

	open_duo(&duo, site, DYNAMIC);
	tasks_come(&duo);
	tasks_rest(&duo);
	tasks_go_on(&duo);
	assert_tick(site);
	assert_rest(site);
	assert_int_equal(decided(site, "brief", done_at(site, "remove task", "brief", 1),
				 done_at(site, "add task", "brief", 2)),
			 0);
	assert_int_equal(decided(site, "clock", done_at(site, "pause task", "clock", 1),
				 done_at(site, "resume task", "clock", 1)),
			 0);
	assert_int_equal(site_int(site, RUNS_OF("clock") " AND outcome = 'missed'"), 0);
	assert_int_equal(site_int(site, RUNS_OF("theirs") " AND run_at < '2026-01-02'"), 0);
	close_duo(&duo);
}

/* There is nothing in a file, and then nothing at all. */
SITE_CASE(test_sc2_sc7_sc8_the_list_of_tasks)
{
	struct duo duo = { .site = site };

	site_queue_yml(site, DYNAMIC);
	site->start = site_launch(site, "scheduler");
	await_lists(&duo, NULL, 1);
	add(site, "tick");
	await_lists(&duo, "recurring_schedule\":[\"tick\"]", 1);
	recurring(site, "remove", "tick", "--yes");
	await_lists(&duo, NULL, 1);
}

/* SC4 */
SITE_CASE_REAL(test_sc4_dynamic_tasks_are_left_alone, "sqlite")
{
	struct duo duo;

	open_duo(&duo, site, "log: {level: debug}\nscheduler: {polling_interval: 0.2}\n");
	put_foreign(site);
	site_await_least(site, RUNS_OF("clock"), 3);
	assert_int_equal(site_int(site, RUNS_OF("theirs")), 0);
	close_duo(&duo);
}
