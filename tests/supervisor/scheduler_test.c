/*
 * The scheduler's acceptance cases on every backend whose server is given: RT1, SC1, SC5 (with
 * three), one scheduler that comes late, and policies for what was missed.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "queue/recurring/recurring.h"
#include "queue/recurring/task.h"
#include "schedule/schedule.h"
#include "scheduler/scheduler.h"
#include "tests/support/query.h"
#include "tests/support/sites/deployment.h"

static struct deployment deployment;
static struct config_scheduler settings;
static struct config_task tasks[3];

static int open_deployment(void **state)
{
	(void)state;
	deployment_open(&deployment, deployment_backend);
	settings = (struct config_scheduler){ .polling_interval = CLOCK_SECOND, .tasks = tasks };
	deployment.config.scheduler = &settings;
	return 0;
}

static int close_deployment(void **state)
{
	(void)state;
	deployment_close(&deployment);
	return 0;
}

static struct config_task *add_task(const char *key, const char *text)
{
	const struct schedule_request request = { .text = text,
						  .key = key,
						  .zones = zones_new(deployment.arena, NULL) };
	struct config_task *task = &tasks[settings.task_count++];
	struct error error = { 0 };

	*task = (struct config_task){ .key = key,
				      .schedule = text,
				      .class = "Test",
				      .args = "[1,{\"a\":2,\"_aj_symbol_keys\":[\"a\"]}]",
				      .misfire = MISFIRE_ALL,
				      .misfire_limit = 1000,
				      .misfire_window = CLOCK_HOUR,
				      .enabled = true,
				      .starts = INT64_MIN,
				      .ends = CLOCK_NEVER };
	assert_int_equal(schedule_parse(deployment.arena, &request, &task->timer, NULL, &error),
			 STATUS_OK);
	return task;
}

static int64_t count(const char *sql)
{
	return test_query_int(deployment.config.database.url, sql);
}

#define PATIENCE    (60 * CLOCK_SECOND)
#define OCCURRENCES "SELECT count(*) FROM solid_queue_recurring_executions"

/* For loops that wait for something. */
static void go_on(int64_t deadline, const char *what)
{
	if (clock_monotonic() > deadline)
		deployment_gave_up(&deployment, what);
	clock_sleep(20 * CLOCK_MILLISECOND);
}

struct ticking {
	struct role_context context;
	struct error error;
};

static struct ticking start_scheduler(struct db *db)
{
	struct ticking ticking = {
		.context = { .config = &deployment.config, .db = db, .name = "scheduler-test" }
	};

	assert_int_equal(scheduler_role.start(&ticking.context, &ticking.error), STATUS_OK);
	return ticking;
}

static void tick(struct ticking *ticking)
{
	int64_t wait = -1;

	assert_int_equal(scheduler_role.tick(&ticking->context, &wait, &ticking->error), STATUS_OK);
	assert_in_range(wait, 0, 5 * CLOCK_SECOND);
}

/* What this process logs, from now on; in the arena, so far. */
static int log_file = -1;

static void begin_log(void)
{
	log_file = memfd_create("log", MFD_CLOEXEC);
	assert_true(log_file >= 0);
	log_configure(&(struct log_options){
		.level = LOG_DEBUG, .format = LOG_FORMAT_JSON, .fd = log_file });
}

static char *end_log(void)
{
	struct stat status;

	log_configure(&(struct log_options){ .level = LOG_INFO, .fd = STDERR_FILENO });
	assert_int_equal(fstat(log_file, &status), 0);
	char *text = arena_alloc(deployment.arena, (size_t)status.st_size + 1);
	assert_int_equal(pread(log_file, text, (size_t)status.st_size, 0), status.st_size);
	close(log_file);
	return text;
}

/* How many lines have both texts; *line: the last of them, ended. */
static size_t count_lines(char *text, const char *first, const char *second, const char **line)
{
	char *rest = arena_strdup(deployment.arena, text);
	size_t found = 0;

	for (char *at; (at = strsep(&rest, "\n"));) {
		if (!strstr(at, first) || !strstr(at, second))
			continue;
		*line = at;
		found++;
	}
	return found;
}

/* Its first heartbeat says so. */
static bool lists_tick(void)
{
	const char *metadata = deployment_process(&deployment, "Scheduler").metadata;

	return metadata && strstr(metadata, "\"recurring_schedule\":[\"tick\"]");
}

/* RT1, SC1, SC5: every second from the first to the last has one job, from either scheduler. */
static void test_rt1_sc5_three_schedulers(void **state)
{
	(void)state;
	struct ticking others[2];
	struct db *db = NULL;
	struct error error = { 0 };

	(void)add_task("tick", "every second");
	deployment_start(&deployment, NULL);
	deployment_await_processes(&deployment, "Scheduler", 1);
	int64_t deadline = clock_monotonic() + PATIENCE;
	while (!lists_tick())
		go_on(deadline, "the scheduler's metadata");
	assert_int_equal(
		db_open(&db, deployment.config.database.url, &(struct db_options){ 0 }, &error),
		STATUS_OK);
	others[0] = start_scheduler(deployment.db);
	others[1] = start_scheduler(db);
	while (count(OCCURRENCES) < 4) {
		tick(&others[0]);
		tick(&others[1]);
		go_on(deadline, "four occurrences");
	}
	kill(deployment.supervisor, SIGTERM);
	assert_int_equal(deployment_wait(&deployment), 0);
	tick(&others[1]);
	tick(&others[0]);
	scheduler_role.close(&others[0].context);
	scheduler_role.close(&others[1].context);
	db_close(db);
	int64_t occurrences = count(OCCURRENCES);
	assert_int_equal(count("SELECT count(*) FROM solid_queue_jobs"), occurrences);
	assert_int_equal(count("SELECT count(*) FROM solid_queue_jobs WHERE arguments LIKE "
			       "'%[1,{\"a\":2,\"_aj_ruby2_keywords\":[\"a\"]}]%'"),
			 occurrences);
	assert_int_equal(count("SELECT count(*) FROM solid_queue_ready_executions"), occurrences);
	assert_int_equal(count("SELECT count(DISTINCT run_at) FROM "
			       "solid_queue_recurring_executions"),
			 occurrences);
	struct recurring_known *known = NULL;
	size_t known_count = 0;
	assert_int_equal(
		recurring_known(deployment.db, deployment.arena, &known, &known_count, &error),
		STATUS_OK);
	int64_t first = known[0].since - known[0].since % CLOCK_SECOND + CLOCK_SECOND;
	assert_int_equal((known[0].last - first) / CLOCK_SECOND + 1, occurrences);
}

/* IN18, IN19, LS3, LS4: of two schedulers one has enqueued an occurrence's job, the other one has
 * not.
 */
static void test_in19_each_occurrence_is_told(void **state)
{
	(void)state;
	struct ticking both[2];
	struct error error = { 0 };
	struct db *db = NULL;
	const char *line = "";
	char at[CLOCK_TEXT_SIZE];

	(void)add_task("tick", "every second");
	deployment_must(
		db_open(&db, deployment.config.database.url, &(struct db_options){ 0 }, &error),
		&error, "open", __LINE__);
	begin_log();
	both[0] = start_scheduler(deployment.db);
	both[1] = start_scheduler(db);
	int64_t deadline = clock_monotonic() + PATIENCE;
	while (count(OCCURRENCES) < 1) {
		tick(&both[0]);
		go_on(deadline, "an occurrence");
	}
	tick(&both[1]);
	struct recurring_run *runs = NULL;
	size_t run_count = 0;
	const struct recurring_page page = { .key = "tick", .limit = 1000 };
	assert_int_equal(recurring_history(db, deployment.arena, &page, &runs, &run_count, &error),
			 STATUS_OK);
	clock_format_short(runs[run_count - 1].run_at, at);
	scheduler_role.close(&both[0].context);
	scheduler_role.close(&both[1].context);
	db_close(db);
	char *text = end_log();
	assert_int_equal(count_lines(text, "\"event\":\"recurring.enqueued\"", at, &line), 1);
	assert_non_null(strstr(line, "\"task\":\"tick\""));
	assert_non_null(strstr(line, arena_printf(deployment.arena, "\"job\":%" PRId64,
						  runs[run_count - 1].job_id)));
	assert_int_equal(count_lines(text, "\"event\":\"recurring.skipped\"", at, &line), 1);
	assert_non_null(strstr(line, "\"task\":\"tick\""));
	assert_null(strstr(line, "\"job\""));
}

/* Occurrences that nobody was there for: the next scheduler makes up for them, once. */
static void test_missed_occurrences_are_made_up(void **state)
{
	(void)state;
	struct ticking ticking;

	add_task("all", "every minute")->misfire_limit = 5;
	add_task("once", "every minute")->misfire = MISFIRE_ONCE;
	add_task("skip", "every minute")->misfire = MISFIRE_SKIP;
	ticking = start_scheduler(deployment.db);
	scheduler_role.close(&ticking.context);
	deployment_execute(&deployment, "UPDATE dray_recurring_tasks SET since = '2026-01-01'");
	for (int i = 0; i < 2; i++) {
		ticking = start_scheduler(deployment.db);
		tick(&ticking);
		scheduler_role.close(&ticking.context);
	}
	/* The minute may begin while the test runs: one more of each then. */
	int64_t more = count(OCCURRENCES " WHERE task_key = 'skip'");
	assert_in_range(more, 0, 2);
	assert_in_range(count(OCCURRENCES " WHERE task_key = 'all'"), 5, 7);
	assert_in_range(count(OCCURRENCES " WHERE task_key = 'once'"), 1, 3);
	assert_true(count("SELECT count(*) FROM dray_recurring_runs WHERE outcome = 'missed' AND "
			  "task_key = 'skip'") >= 1);
}

/* While a job is not done the next one is left out, or waits for it. */
static void test_overlap(void **state)
{
	(void)state;
	struct ticking ticking;

	add_task("skip", "every second")->overlap = OVERLAP_SKIP;
	add_task("queue", "every second")->overlap = OVERLAP_QUEUE;
	ticking = start_scheduler(deployment.db);
	int64_t deadline = clock_monotonic() + PATIENCE;
	while (count("SELECT count(*) FROM dray_recurring_runs WHERE outcome = 'overlapped'") < 2 ||
	       count(OCCURRENCES) < 2) {
		tick(&ticking);
		go_on(deadline, "an overlapping occurrence");
	}
	assert_int_equal(count(OCCURRENCES " WHERE task_key = 'skip'"), 1);
	assert_int_equal(count(OCCURRENCES " WHERE task_key = 'queue'"), 1);
	deployment_execute(&deployment, "DELETE FROM solid_queue_ready_executions");
	deployment_execute(&deployment,
			   "UPDATE solid_queue_jobs SET finished_at = '2026-01-01 00:00:00'");
	while (count(OCCURRENCES " WHERE task_key = 'queue'") < 2) {
		tick(&ticking);
		go_on(deadline, "the queued occurrence");
	}
	scheduler_role.close(&ticking.context);
}

/* What a queueing task has missed follows one by one, whatever its misfire says. */
static void test_what_is_queued_is_made_up_one_by_one(void **state)
{
	(void)state;
	struct config_task *task = add_task("queue", "every hour");
	int64_t deadline = clock_monotonic() + PATIENCE;

	task->overlap = OVERLAP_QUEUE;
	task->misfire = MISFIRE_SKIP;
	task->misfire_limit = 3;
	task->misfire_window = CLOCK_DAY;
	struct ticking ticking = start_scheduler(deployment.db);
	scheduler_role.close(&ticking.context);
	deployment_execute(&deployment, "UPDATE dray_recurring_tasks SET since = '2026-01-01'");
	ticking = start_scheduler(deployment.db);
	for (int64_t occurrences = 1; occurrences <= 3; occurrences++) {
		while (count(OCCURRENCES) < occurrences) {
			tick(&ticking);
			go_on(deadline, "the next of the queued occurrences");
		}
		tick(&ticking);
		assert_int_equal(count(OCCURRENCES), occurrences);
		deployment_execute(&deployment, "DELETE FROM solid_queue_ready_executions");
		deployment_execute(&deployment, "UPDATE solid_queue_jobs SET finished_at ="
						" '2026-01-01 00:00:00'");
	}
	scheduler_role.close(&ticking.context);
}

/*
 * RK26, IN20, LS5: a task whose job cannot be enqueued does not stop the others, and is tried
 * again; it is told with its occurrence and the reason.
 */
static void test_rk26_a_bad_task_stops_nobody(void **state)
{
	(void)state;
	struct ticking ticking;

	add_task("bad", "every second")->queue = "\xff";
	(void)add_task("good", "every second");
	tasks[0].queue = NULL; /* in its table it is well */
	ticking = start_scheduler(deployment.db);
	begin_log();
	tasks[0].queue = "\xff";
	int64_t deadline = clock_monotonic() + PATIENCE;
	while (count(OCCURRENCES " WHERE task_key = 'good'") < 2) {
		tick(&ticking);
		go_on(deadline, "the good task's jobs");
	}
	assert_int_equal(count(OCCURRENCES " WHERE task_key = 'bad'"), 0);
	scheduler_role.close(&ticking.context);
	const char *line = "";
	assert_true(count_lines(end_log(), "\"level\":\"error\"", "recurring.failed", &line) > 0);
	assert_non_null(strstr(line, "\"task\":\"bad\""));
	assert_non_null(strstr(line, "\"at\":\"20"));
	assert_non_null(strstr(line, "\"error\":\""));
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, open_deployment, close_deployment)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_rt1_sc5_three_schedulers),
		CASE(test_in19_each_occurrence_is_told),
		CASE(test_missed_occurrences_are_made_up),
		CASE(test_overlap),
		CASE(test_rk26_a_bad_task_stops_nobody),
		CASE(test_what_is_queued_is_made_up_one_by_one),
	};

	return deployment_run_backends(tests, sizeof(tests) / sizeof(tests[0]));
}
