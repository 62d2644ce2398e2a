#include "tests/fault/life.h"

#include <errno.h>
#include <sys/prctl.h>

#include "common/fault.h"
#include "queue/recurring/recurring.h"
#include "schedule/schedule.h"
#include "tests/fault/cases.h"
#include "tests/fault/history.h"
#include "tests/support/home.h"
#include "tests/support/queue.h"
#include "worker/host/hosts.h"

#define PATIENCE    CLOCK_MINUTE
#define OCCURRENCES 3

struct deployment *life;
static struct test_db stage;
static size_t enqueued;
static struct config_task *task;

static const char *mark(void)
{
	return arena_printf(life->arena, "%s/mark", life->site->directory);
}

static struct config_class *add_class(const char *name)
{
	struct config_class *class = &life->config.classes[life->config.class_count++];

	*class = (struct config_class){ .name = name,
					.limits = { -1, -1, -1, -1, -1, -1 },
					.stop = { SIGTERM, -1 },
					.on_lost = ON_LOST_INHERITED,
					.max_losses = -1,
					.file = "test" };
	return class;
}

static void add_command(const char *name, const char **argv, size_t count)
{
	static const char *environment[] = { "PATH", NULL };
	struct config_class *class = add_class(name);

	class->handler = HANDLER_COMMAND;
	class->command = argv;
	class->command_count = count;
	class->environment = environment;
}

static void add_isolated(const char *name, const char *module)
{
	struct config_class *class = add_class(name);

	class->handler = HANDLER_MODULE;
	class->module = module;
	class->isolation = ISOLATION_PROCESS;
	class->recycle_after = 1;
	class->recycle_above = -1;
	hosts_use_program(BINARY_DIR "/cli/dray");
}

/* The classes in the order of their names. */
static void configure(void)
{
	static const char *quick[] = { "true", NULL };
	static const char *slow[] = {
		"sh", "-c", "if test -e \"$0\"; then exit 0; fi; : >\"$0\"; exec sleep 60", "{0}",
		NULL
	};
	struct config_process *process = &life->config.process;

	deployment_worker(life, "*", 3);
	deployment_dispatcher(life);
	add_isolated("NoopJob", BINARY_DIR "/tests/modules/probe.so");
	add_command("Quick", quick, 1);
	add_command("Slow", slow, 4);
	process->process_heartbeat_interval = 100 * CLOCK_MILLISECOND;
	process->process_alive_threshold = 10 * CLOCK_SECOND;
	process->shutdown_timeout = 300 * CLOCK_MILLISECOND;
	process->stop_grace = 300 * CLOCK_MILLISECOND;
	process->max_losses = 1000;
	task = deployment_task(life, "task", "every second");
	task->class = "Quick";
	life->scheduler.polling_interval = 50 * CLOCK_MILLISECOND;
	deployment_rest(life);
}

int life_open(void **state)
{
	(void)state;
	/* The children of a supervisor that was killed come to us. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	test_db_begin(&stage, TEST_MIGRATED);
	life = deployment_open(&stage);
	configure();
	history_install(&stage);
	return 0;
}

int life_close(void **state)
{
	(void)state;
	deployment_close(life);
	site_end();
	test_db_end(&stage);
	home_drop();
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
	if (life->site->start.pid > 0) {
		kill(life->site->start.pid, SIGKILL);
		(void)site_finish(life->site);
	}
	if (actor > 0)
		kill(actor, SIGCONT);
	fault_disarm();
	return reap_all() ? 0 : -1;
}

static void put_one(const char *class_name, int64_t delay)
{
	const struct new_job job = {
		.class_name = class_name,
		.delay = delay,
		.arguments = arena_printf(life->arena, "[\"%s\"]", mark()),
	};

	put_job(stage.db, &job);
	enqueued++;
}

/* Occurrences that have just passed, of a task that has been there for long, as a scheduler says
 * it. */
static void set_occurrences(void)
{
	const struct recurring_task row = {
		.key = task->key,
		.schedule = task->schedule,
		.class_name = task->class,
		.options = { .time_zone = zone_name(task->timer->zone) },
	};

	must(recurring_publish, stage.db, &row, 1, NULL);
	test_execute(stage.db, "UPDATE dray_recurring_tasks SET since = '2026-01-01'");
	task->ends = db_now(stage.db) / CLOCK_SECOND * CLOCK_SECOND;
	task->starts = task->ends - (OCCURRENCES - 1) * CLOCK_SECOND;
	enqueued += OCCURRENCES;
}

void life_begin(const char *arm)
{
	static const char *const tables[] = { "solid_queue_jobs", "solid_queue_processes",
					      "fault_history", "dray_recurring_runs" };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		sql_execute(stage.db, "DELETE FROM %s", tables[i]);
	(void)unlink(mark());
	assert_int_equal(ftruncate(life->log, 0), 0);
	enqueued = 0;
	for (int i = 0; i < 8; i++)
		put_one(i % 4 ? "Quick" : "NoopJob", i < 6 ? 0 : 50 * CLOCK_MILLISECOND);
	set_occurrences();
	must(fault_arm, arm);
}

static bool is_alive(void)
{
	pid_t pid = life->site->start.pid;
	siginfo_t end = { 0 };

	if (pid > 0 && waitid(P_PID, (id_t)pid, &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	    end.si_pid == pid)
		(void)site_finish(life->site);
	return life->site->start.pid > 0;
}

void life_reuse_numbers(void)
{
	set_claims_back(&stage, 0);
}

static void silence_the_dead(void)
{
	struct process_row *rows;
	size_t count;
	pid_t parent;
	char state;

	must(process_list, life->site->db, life->arena, &rows, &count);
	for (size_t i = 0; i < count; i++)
		if (!test_read_stat((pid_t)rows[i].pid, &state, &parent) || state == 'Z')
			site_silence(life->site, (pid_t)rows[i].pid);
}

static void start(void)
{
	set_claims_back(&stage, 0);
	silence_the_dead();
	deployment_start(life, NULL);
}

static bool holds(bool (*condition)(void))
{
	if (!is_alive())
		start();
	return condition();
}

void life_until(bool (*condition)(void), const char *what)
{
	site_until(life->site, holds(condition), what);
}

bool life_all_finished(void)
{
	return site_jobs_in(life->site, JOB_FINISHED) == enqueued;
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

void life_cancel_slow(void)
{
	int64_t job = test_query_int(
		stage.url, "SELECT max(id) FROM solid_queue_jobs WHERE class_name = 'Slow'");

	must(job_cancel, stage.db, job, "for the test");
}

void life_stop(void)
{
	if (!is_alive())
		return;
	kill(life->site->start.pid, SIGTERM);
	(void)site_finish(life->site);
}

void life_judge(void)
{
	assert_true(reap_all());
	test_invariant(stage.db);
	assert_int_equal(site_jobs_in(life->site, JOB_FINISHED), enqueued);
	assert_int_equal(history_doubled(&stage), 0);
	assert_int_equal(test_query_int(stage.url, "SELECT count(*) FROM dray_recurring_runs"),
			 OCCURRENCES);
	assert_int_equal(test_query_int(stage.url, "SELECT count(*) FROM "
						   "solid_queue_recurring_executions"),
			 OCCURRENCES);
	(void)unlink(mark());
}

const char *life_choose(int argc, char **argv)
{
	stage.backend = fault_backend(argc, argv);
	return stage.backend;
}
