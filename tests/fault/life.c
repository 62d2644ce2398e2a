#include "tests/fault/life.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/fault.h"
#include "queue/recurring/recurring.h"
#include "schedule/schedule.h"
#include "tests/fault/backends.h"
#include "tests/fault/history.h"
#include "tests/fault/reuse.h"
#include "tests/support/query.h"
#include "tests/support/queue.h"
#include "tests/support/sites/process.h"
#include "worker/host/run_host.h"

#define PATIENCE    CLOCK_MINUTE
#define OCCURRENCES 3

struct deployment life;
static struct test_db stage; /* the same database, for what wants that */
static size_t enqueued;
static struct config_task task;
static struct config_scheduler scheduler = { .polling_interval = 50 * CLOCK_MILLISECOND,
					     .tasks = &task,
					     .task_count = 1 };

static const char *mark(void)
{
	return arena_printf(life.arena, "%s/mark", life.directory);
}

static void configure_scheduler(void)
{
	const struct schedule_request request = { .text = "every second",
						  .zones = zones_new(life.arena, NULL) };
	struct error error = { 0 };

	task = (struct config_task){ .key = "task",
				     .schedule = request.text,
				     .class = "Quick",
				     .misfire = MISFIRE_ALL,
				     .misfire_limit = 1000,
				     .misfire_window = CLOCK_HOUR,
				     .enabled = true };
	assert_ok(schedule_parse(life.arena, &request, &task.timer, NULL, &error), &error);
	life.config.scheduler = &scheduler;
}

static void configure(void)
{
	static const char *const quick[] = { "true", NULL };
	static const char *const slow[] = {
		"sh", "-c", "if test -e \"$0\"; then exit 0; fi; : >\"$0\"; exec sleep 60", "{0}",
		NULL
	};
	struct config_process *process = &life.config.process;
	struct config_class *isolated;

	deployment_worker(&life, "*", 3);
	deployment_dispatcher(&life);
	isolated = deployment_module(&life, "NoopJob", BINARY_DIR "/tests/modules/probe.so");
	isolated->isolation = ISOLATION_PROCESS;
	isolated->recycle_after = 1;
	isolated->recycle_above = -1;
	hosts_use_program(BINARY_DIR "/cli/dray");
	deployment_command(&life, "Quick", quick);
	deployment_command(&life, "Slow", slow);
	process->process_heartbeat_interval = 100 * CLOCK_MILLISECOND;
	process->process_alive_threshold = 10 * CLOCK_SECOND;
	process->shutdown_timeout = 300 * CLOCK_MILLISECOND;
	process->stop_grace = 300 * CLOCK_MILLISECOND;
	process->max_losses = 1000;
	configure_scheduler();
}

int life_open(void **state)
{
	(void)state;
	/* The children of a supervisor that was killed come to us. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	deployment_open(&life, stage.backend);
	configure();
	stage.db = life.db;
	stage.url = life.config.database.url;
	stage.arena = life.arena;
	history_install(&stage);
	return 0;
}

int life_close(void **state)
{
	(void)state;
	deployment_close(&life);
	return 0;
}

/* All that the cell has started ends. */
static bool reap_all(void)
{
	int64_t deadline = clock_monotonic() + PATIENCE;

	while (waitpid(-1, NULL, WNOHANG) >= 0 || errno == EINTR) {
		if (clock_monotonic() > deadline)
			return false;
		clock_sleep(CLOCK_MILLISECOND);
	}
	return true;
}

int life_clean(void **state)
{
	int actor = fault_actor();

	(void)state;
	if (life.supervisor > 0)
		kill(life.supervisor, SIGKILL);
	if (actor > 0)
		kill(actor, SIGCONT);
	life.supervisor = 0;
	fault_disarm();
	return reap_all() ? 0 : -1;
}

static void put_one(const char *class_name, int64_t delay)
{
	const struct new_job job = {
		.class_name = class_name,
		.delay = delay,
		.arguments = arena_printf(life.arena, "[\"%s\"]", mark()),
	};

	put_job(life.db, &job);
	enqueued++;
}

/* Occurrences that have just passed, of a task that has been there for long, as a scheduler says
 * it. */
static void set_occurrences(void)
{
	const struct recurring_task row = {
		.key = task.key,
		.schedule = task.schedule,
		.class_name = task.class,
		.settings = arena_printf(life.arena, "{\"enabled\":true,\"time_zone\":\"%s\"}",
					 zone_name(task.timer->zone)),
	};
	struct error error = { 0 };

	assert_ok(recurring_publish(life.db, &row, 1, NULL, &error), &error);
	deployment_execute(&life, "UPDATE dray_recurring_tasks SET since = '2026-01-01'");
	task.ends = db_now(life.db) / CLOCK_SECOND * CLOCK_SECOND;
	task.starts = task.ends - (OCCURRENCES - 1) * CLOCK_SECOND;
	enqueued += OCCURRENCES;
}

void life_begin(const char *arm)
{
	static const char *const tables[] = { "solid_queue_jobs", "solid_queue_processes",
					      "fault_history", "dray_recurring_runs" };
	struct error error = { 0 };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		deployment_execute(&life, arena_printf(life.arena, "DELETE FROM %s", tables[i]));
	(void)unlink(mark());
	(void)unlink(life.log);
	enqueued = 0;
	for (int i = 0; i < 8; i++)
		put_one(i % 4 ? "Quick" : "NoopJob", i < 6 ? 0 : 50 * CLOCK_MILLISECOND);
	set_occurrences();
	assert_ok(fault_arm(arm, &error), &error);
}

static bool is_alive(void)
{
	if (life.supervisor > 0 && waitpid(life.supervisor, NULL, WNOHANG) == life.supervisor)
		life.supervisor = 0;
	return life.supervisor > 0;
}

void life_reuse_numbers(void)
{
	set_claims_back(&stage, 0);
}

void life_silence(int pid)
{
	deployment_execute(&life,
			   arena_printf(life.arena,
					"UPDATE solid_queue_processes SET last_heartbeat_at = "
					"'2026-01-01 00:00:00' WHERE pid = %d",
					pid));
}

static void silence_the_dead(void)
{
	struct process_row *rows;
	struct error error = { 0 };
	size_t count;
	pid_t parent;
	char state;

	assert_ok(process_list(life.db, life.arena, &rows, &count, &error), &error);
	for (size_t i = 0; i < count; i++)
		if (!test_read_stat((pid_t)rows[i].pid, &state, &parent) || state == 'Z')
			life_silence((int)rows[i].pid);
}

static void start(void)
{
	set_claims_back(&stage, 0);
	silence_the_dead();
	deployment_start(&life, NULL);
}

void life_until(bool (*condition)(void), const char *what)
{
	int64_t deadline = clock_monotonic() + PATIENCE;

	do {
		if (clock_monotonic() > deadline)
			deployment_gave_up(&life, what);
		if (!is_alive())
			start();
		clock_sleep(5 * CLOCK_MILLISECOND);
	} while (!condition());
}

bool life_all_finished(void)
{
	return deployment_jobs(&life, JOB_FINISHED) == enqueued;
}

bool life_slow_has_begun(void)
{
	return access(mark(), F_OK) == 0;
}

bool life_has_met_fault(void)
{
	return fault_acted() > 0;
}

void life_enqueue_slow(void)
{
	put_one("Slow", 0);
}

void life_stop(void)
{
	if (!is_alive())
		return;
	kill(life.supervisor, SIGTERM);
	(void)deployment_wait(&life);
}

void life_judge(void)
{
	assert_true(reap_all());
	test_invariant(life.db);
	assert_int_equal(deployment_jobs(&life, JOB_FINISHED), enqueued);
	assert_int_equal(history_doubled(&stage), 0);
	assert_int_equal(test_query_int(stage.url, "SELECT count(*) FROM dray_recurring_runs"),
			 OCCURRENCES);
	assert_int_equal(test_query_int(stage.url, "SELECT count(*) FROM "
						   "solid_queue_recurring_executions"),
			 OCCURRENCES);
	(void)unlink(mark());
}

void life_choose(int argc, char **argv)
{
	stage.backend = fault_backend(argc, argv);
	deployment_backend = stage.backend;
}
