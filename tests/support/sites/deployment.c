#include "tests/support/sites/deployment.h"

#include <sys/prctl.h>

#include "common/log/log.h"
#include "config/settings/setting.h"
#include "db/driver.h"
#include "process/runner.h"
#include "schedule/schedule.h"

#define MOST 8 /* workers, dispatchers, classes, tasks */

static struct deployment current = { .log = -1 };

static struct config short_configuration(struct arena *arena)
{
	return (struct config){
		.arena = arena,
		.environment = "test",
		.database = { .connect_timeout = 5 * CLOCK_SECOND,
			      .call_timeout = 10 * CLOCK_SECOND,
			      .retry_for = 10 * CLOCK_SECOND,
			      .use_skip_locked = true },
		.log = { .level = LOG_INFO, .format = LOG_FORMAT_TEXT, .silence_polling = true },
		.process = { .process_heartbeat_interval = CLOCK_SECOND,
			     .process_alive_threshold = 30 * CLOCK_SECOND,
			     .other_process_alive_threshold = 5 * CLOCK_MINUTE,
			     .fork_startup_timeout = CLOCK_MINUTE,
			     .shutdown_timeout = CLOCK_MINUTE,
			     .preserve_finished_jobs = true,
			     .clear_finished_jobs_after = CLOCK_DAY,
			     .max_losses = 3 },
		.workers = arena_array(arena, MOST, sizeof(struct config_worker)),
		.dispatchers = arena_array(arena, MOST, sizeof(struct config_dispatcher)),
		.classes = arena_array(arena, MOST, sizeof(struct config_class)),
	};
}

struct deployment *deployment_open(struct test_db *test)
{
	struct deployment *deployment = &current;

	if (deployment->log >= 0)
		close(deployment->log);
	*deployment = (struct deployment){ .site = site_open(test),
					   .arena = test->arena,
					   .config = short_configuration(test->arena),
					   .log = test_memory_file("log", NULL) };
	deployment->config.database.url = test->url;
	deployment->config.root = deployment->site->directory;
	return deployment;
}

void deployment_close(struct deployment *deployment)
{
	site_close(deployment->site);
}

void deployment_worker(struct deployment *deployment, const char *queue, int threads)
{
	struct config *config = &deployment->config;
	const char **queues = arena_array(deployment->arena, 1, sizeof(*queues));

	assert_true(config->worker_count < MOST);
	queues[0] = queue;
	config->workers[config->worker_count++] = (struct config_worker){
		.queues = queues,
		.queue_count = 1,
		.threads = threads,
		.processes = 1,
		.polling_interval = 20 * CLOCK_MILLISECOND,
	};
}

void deployment_dispatcher(struct deployment *deployment)
{
	struct config *config = &deployment->config;

	assert_true(config->dispatcher_count < MOST);
	config->dispatchers[config->dispatcher_count++] = (struct config_dispatcher){
		.polling_interval = 50 * CLOCK_MILLISECOND,
		.batch_size = 10,
		.concurrency_maintenance = true,
		.concurrency_maintenance_interval = 600 * CLOCK_SECOND,
	};
}

static void *default_entry(struct deployment *deployment, const struct settings *settings)
{
	char *entry = arena_alloc(deployment->arena, settings->size);

	for (size_t i = 0; i < settings->count; i++)
		setting_default(deployment->arena, &settings->rows[i], entry);
	return entry;
}

void deployment_rest(struct deployment *deployment)
{
	char *base = (char *)&deployment->config;
	const size_t one = 1;
	const struct setting *row;

	for (row = setting_next_role(NULL); row; row = setting_next_role(row)) {
		if (config_entries(&deployment->config, row->key) > 0)
			continue;
		void *entry = default_entry(deployment, row->group);
		memcpy(base + row->offset, &entry, sizeof(entry));
		if (row->type == SETTING_ENTRIES)
			memcpy(base + row->count_offset, &one, sizeof(one));
	}
}

struct config_task *deployment_task(struct deployment *deployment, const char *key,
				    const char *schedule)
{
	struct config_scheduler *scheduler = &deployment->scheduler;
	const struct schedule_request request = { .text = schedule,
						  .key = key,
						  .zones = zones_new(deployment->arena, NULL) };

	if (!scheduler->tasks) {
		scheduler->tasks = arena_array(deployment->arena, MOST, sizeof(struct config_task));
		scheduler->polling_interval = CLOCK_SECOND;
		deployment->config.scheduler = scheduler;
	}
	assert_true(scheduler->task_count < MOST);
	struct config_task *task = &scheduler->tasks[scheduler->task_count++];
	*task = (struct config_task){ .key = key,
				      .schedule = schedule,
				      .class = "Test",
				      .misfire = MISFIRE_ALL,
				      .misfire_limit = 1000,
				      .misfire_window = CLOCK_HOUR,
				      .enabled = true,
				      .starts = INT64_MIN,
				      .ends = CLOCK_NEVER };
	must(schedule_parse, deployment->arena, &request, &task->timer, NULL);
	return task;
}

/* processes */

static void become(struct deployment *deployment, int (*run)(struct deployment *deployment))
{
	const struct log_options options = { .level = deployment->config.log.level,
					     .format = LOG_FORMAT_TEXT,
					     .fd = STDERR_FILENO };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (dup2(deployment->log, STDERR_FILENO) < 0 || chdir(deployment->site->directory) != 0)
		_exit(126);
	log_configure(&options);
	exit(run(deployment)); /* NOLINT(concurrency-mt-unsafe): its only thread */
}

void deployment_fork(struct deployment *deployment, int (*run)(struct deployment *deployment))
{
	struct site *site = deployment->site;

	/* Not even the test's own connections may cross a fork. */
	db_disconnect(site->db);
	db_disconnect(site->test->db);
	fflush(NULL);
	assert_int_equal(site->start.pid, 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		become(deployment, run);
	site->start = (struct test_running){ .pid = pid,
					     .output = fcntl(deployment->log, F_DUPFD_CLOEXEC, 0),
					     .errors = fcntl(deployment->log, F_DUPFD_CLOEXEC, 0) };
}

static const struct supervisor_options *start_options;

static int run_supervisor(struct deployment *deployment)
{
	return supervisor_run(&deployment->config, start_options);
}

void deployment_start(struct deployment *deployment, const struct supervisor_options *options)
{
	start_options = options;
	deployment_fork(deployment, run_supervisor);
}

static const struct role *start_role;

static int run_role(struct deployment *deployment)
{
	const struct runner_options options = {
		.config = &deployment->config,
		.notice_fd = -1,
		.death_fd = -1,
	};

	return runner_main(start_role, &options);
}

void deployment_start_role(struct deployment *deployment, const struct role *role)
{
	start_role = role;
	deployment_fork(deployment, run_role);
}

void deployment_await(struct deployment *deployment, atomic_int *value, int least)
{
	site_until(deployment->site, atomic_load(value) >= least, "what a role counts");
}

/* ticks */

struct ticking ticking_start(struct deployment *deployment, const struct role *role, struct db *db)
{
	struct ticking ticking = {
		.role = role,
		.context = { .config = &deployment->config, .db = db, .name = "test" },
	};

	assert_ok(role->start(&ticking.context, &ticking.error), &ticking.error);
	return ticking;
}

int64_t ticking_tick(struct ticking *ticking)
{
	int64_t wait = -1;

	assert_ok(ticking->role->tick(&ticking->context, &wait, &ticking->error), &ticking->error);
	return wait;
}

void ticking_close(struct ticking *ticking)
{
	ticking->role->close(&ticking->context);
}
