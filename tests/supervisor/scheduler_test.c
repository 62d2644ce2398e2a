/* A scheduler's ticks: what is missed, overlaps, or cannot be enqueued, and what it tells. */
#include <inttypes.h>

#include "common/log/log.h"
#include "queue/recurring/recurring.h"
#include "queue/recurring/task.h"
#include "scheduler/scheduler.h"
#include "tests/support/sites/deployment.h"

static struct deployment *deployment;
static struct site *site;
#define OCCURRENCES "SELECT count(*) FROM solid_queue_recurring_executions"

static struct config_task *add_task(const char *key, const char *text)
{
	struct config_task *task = deployment_task(deployment, key, text);

	task->args = "[1,{\"a\":2,\"_aj_symbol_keys\":[\"a\"]}]";
	return task;
}

static int64_t count(const char *sql)
{
	return site_int(site, sql);
}

static struct ticking start_scheduler(struct db *db)
{
	return ticking_start(deployment, &scheduler_role, db);
}

static void tick(struct ticking *ticking)
{
	assert_in_range(ticking_tick(ticking), 0, 5 * CLOCK_SECOND);
}

/* Until the query gives so much. */
static void tick_until(struct ticking *ticking, const char *sql, int64_t least)
{
	site_until(site, (tick(ticking), count(sql) >= least), sql);
}

/* What this process logs, from now on; in the arena, so far. */
static int log_file = -1;

static void begin_log(void)
{
	log_file = test_memory_file("log", NULL);
	log_configure(&(struct log_options){
		.level = LOG_DEBUG, .format = LOG_FORMAT_JSON, .fd = log_file });
}

static const char *end_log(void)
{
	log_configure(&(struct log_options){ .level = LOG_INFO, .fd = STDERR_FILENO });
	const char *text = test_memory_read(deployment->arena, log_file);
	close(log_file);
	return text;
}

/* How many lines have both texts; *line: the last of them, ended. */
static size_t count_lines(const char *text, const char *first, const char *second,
			  const char **line)
{
	char *rest = arena_strdup(deployment->arena, text);
	size_t found = 0;

	for (char *at; (at = strsep(&rest, "\n"));) {
		if (!strstr(at, first) || !strstr(at, second))
			continue;
		*line = at;
		found++;
	}
	return found;
}

/* IN18, IN19, LS3, LS4: of two schedulers one has enqueued an occurrence's job, the other one has
 * not.
 */
DEPLOYMENT_CASE(test_in19_each_occurrence_is_told)
{
	struct ticking both[2];
	const char *line = "";
	char at[CLOCK_TEXT_SIZE];

	(void)add_task("tick", "every second");
	struct db *db = test_db_open(site->url);
	begin_log();
	both[0] = start_scheduler(site->db);
	both[1] = start_scheduler(db);
	tick_until(&both[0], OCCURRENCES, 1);
	tick(&both[1]);
	struct recurring_run *runs = NULL;
	size_t run_count = 0;
	const struct recurring_page page = { .key = "tick", .limit = 1000 };
	must(recurring_history, db, deployment->arena, &page, &runs, &run_count);
	clock_format_short(runs[run_count - 1].run_at, at);
	ticking_close(&both[0]);
	ticking_close(&both[1]);
	db_close(db);
	const char *text = end_log();
	assert_int_equal(count_lines(text, "\"event\":\"recurring.enqueued\"", at, &line), 1);
	assert_non_null(strstr(line, "\"task\":\"tick\""));
	assert_non_null(strstr(line, arena_printf(deployment->arena, "\"job\":%" PRId64,
						  runs[run_count - 1].job_id)));
	assert_int_equal(count_lines(text, "\"event\":\"recurring.skipped\"", at, &line), 1);
	assert_non_null(strstr(line, "\"task\":\"tick\""));
	assert_null(strstr(line, "\"job\""));
}

/* Occurrences that nobody was there for: the next scheduler makes up for them, once. */
DEPLOYMENT_CASE(test_missed_occurrences_are_made_up)
{
	struct ticking ticking;

	add_task("all", "every minute")->misfire_limit = 5;
	add_task("once", "every minute")->misfire = MISFIRE_ONCE;
	add_task("skip", "every minute")->misfire = MISFIRE_SKIP;
	ticking = start_scheduler(site->db);
	ticking_close(&ticking);
	test_execute(site->db, "UPDATE dray_recurring_tasks SET since = '2026-01-01'");
	for (int i = 0; i < 2; i++) {
		ticking = start_scheduler(site->db);
		tick(&ticking);
		ticking_close(&ticking);
	}
	/* The minute may begin while the test runs: one more of each then. */
	int64_t more = count(OCCURRENCES " WHERE task_key = 'skip'");
	assert_in_range(more, 0, 2);
	assert_in_range(count(OCCURRENCES " WHERE task_key = 'all'"), 5, 7);
	assert_in_range(count(OCCURRENCES " WHERE task_key = 'once'"), 1, 3);
	assert_true(count("SELECT count(*) FROM dray_recurring_runs WHERE outcome = 'missed' AND "
			  "task_key = 'skip'") >= 1);
	assert_count(site, count(OCCURRENCES),
		     "solid_queue_jobs WHERE arguments LIKE "
		     "'%[1,{\"a\":2,\"_aj_ruby2_keywords\":[\"a\"]}]%'");
}

/* While a job is not done the next one is left out, or waits for it. */
DEPLOYMENT_CASE(test_overlap)
{
	struct ticking ticking;

	add_task("skip", "every second")->overlap = OVERLAP_SKIP;
	add_task("queue", "every second")->overlap = OVERLAP_QUEUE;
	ticking = start_scheduler(site->db);
	tick_until(&ticking,
		   "SELECT count(*) FROM dray_recurring_runs WHERE outcome = 'overlapped'", 2);
	tick_until(&ticking, OCCURRENCES, 2);
	assert_int_equal(count(OCCURRENCES " WHERE task_key = 'skip'"), 1);
	assert_int_equal(count(OCCURRENCES " WHERE task_key = 'queue'"), 1);
	test_execute(site->db, "DELETE FROM solid_queue_ready_executions");
	test_execute(site->db, "UPDATE solid_queue_jobs SET finished_at = '2026-01-01 00:00:00'");
	tick_until(&ticking, OCCURRENCES " WHERE task_key = 'queue'", 2);
	ticking_close(&ticking);
}

/* What a queueing task has missed follows one by one, whatever its misfire says. */
DEPLOYMENT_CASE(test_what_is_queued_is_made_up_one_by_one)
{
	struct config_task *task = add_task("queue", "every hour");

	task->overlap = OVERLAP_QUEUE;
	task->misfire = MISFIRE_SKIP;
	task->misfire_limit = 3;
	task->misfire_window = CLOCK_DAY;
	struct ticking ticking = start_scheduler(site->db);
	ticking_close(&ticking);
	test_execute(site->db, "UPDATE dray_recurring_tasks SET since = '2026-01-01'");
	ticking = start_scheduler(site->db);
	for (int64_t occurrences = 1; occurrences <= 3; occurrences++) {
		tick_until(&ticking, OCCURRENCES, occurrences);
		tick(&ticking);
		assert_int_equal(count(OCCURRENCES), occurrences);
		test_execute(site->db, "DELETE FROM solid_queue_ready_executions");
		sql_do(site, "UPDATE solid_queue_jobs SET finished_at = '2026-01-01 00:00:00'");
	}
	ticking_close(&ticking);
}

/* RK26, IN20, LS5: the others go on, and it is told with its occurrence and the reason. */
DEPLOYMENT_CASE(test_rk26_a_bad_task_stops_nobody)
{
	struct ticking ticking;

	struct config_task *bad = add_task("bad", "every second"); /* in its table it is well */
	(void)add_task("good", "every second");
	ticking = start_scheduler(site->db);
	begin_log();
	bad->queue = "\xff";
	tick_until(&ticking, OCCURRENCES " WHERE task_key = 'good'", 2);
	assert_int_equal(count(OCCURRENCES " WHERE task_key = 'bad'"), 0);
	ticking_close(&ticking);
	const char *line = "";
	assert_true(count_lines(end_log(), "\"level\":\"error\"", "recurring.failed", &line) > 0);
	assert_non_null(strstr(line, "\"task\":\"bad\""));
	assert_non_null(strstr(line, "\"at\":\"20"));
	assert_non_null(strstr(line, "\"error\":\""));
}
