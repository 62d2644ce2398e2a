#include "deployment.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/process.h"
#include "db/driver.h"
#include "db/schema/schema.h"
#include "tests/support/database.h"
#include "tests/support/invariant.h"

#define MOST 8 /* workers, dispatchers, classes */

#define MUST(call) deployment_must((call), &error, #call, __LINE__)

static struct config short_configuration(struct arena *arena)
{
	return (struct config){
		.arena = arena,
		.environment = "test",
		.root = "/",
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

void deployment_open(struct deployment *deployment, const char *backend)
{
	char directory[] = "/tmp/dray-deployment-XXXXXX";
	struct error error = { 0 };
	size_t applied;

	*deployment = (struct deployment){ .arena = arena_new() };
	assert_non_null(mkdtemp(directory));
	deployment->directory = arena_strdup(deployment->arena, directory);
	deployment->log = arena_printf(deployment->arena, "%s/log", directory);
	deployment->config = short_configuration(deployment->arena);
	deployment->backend = backend;
	deployment->config.database.url = test_database_new(deployment->arena, backend);
	MUST(db_open(&deployment->db, deployment->config.database.url, NULL, &error));
	MUST(schema_migrate(deployment->db, deployment->arena, &applied, &error));
}

/* A sanitizer's report about a child goes to the log, and its exit status to the supervisor. */
static void assert_no_report(struct deployment *deployment)
{
	bool reported = deployment_logged(deployment, "Sanitizer") +
				deployment_logged(deployment, "runtime error:") >
			0;

	if (reported)
		deployment_print_log(deployment);
	assert_false(reported);
}

void deployment_close(struct deployment *deployment)
{
	if (deployment->supervisor > 0) {
		kill(deployment->supervisor, SIGQUIT);
		(void)deployment_wait(deployment);
	}
	assert_no_report(deployment);
	test_invariant(deployment->db);
	db_close(deployment->db);
	test_database_drop_left(deployment->arena, deployment->backend,
				deployment->config.database.url);
	unlink(deployment->log);
	assert_int_equal(rmdir(deployment->directory), 0);
	arena_free(deployment->arena);
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

static struct config_class *add_class(struct deployment *deployment, const char *name)
{
	struct config *config = &deployment->config;
	struct config_class *class = &config->classes[config->class_count++];

	assert_true(config->class_count <= MOST);
	*class = (struct config_class){
		.name = name,
		.limits = { -1, -1, -1, -1, -1, -1 },
		.on_lost = ON_LOST_INHERITED,
		.max_losses = -1,
		.file = "test",
	};
	return class;
}

void deployment_command(struct deployment *deployment, const char *name, const char *const argv[])
{
	static const char *environment[] = { "PATH", NULL };
	struct config_class *class = add_class(deployment, name);
	size_t count = 0;

	while (argv[count])
		count++;
	const char **command = arena_array(deployment->arena, count + 1, sizeof(*command));
	memcpy(command, argv, count * sizeof(*command));
	class->handler = HANDLER_COMMAND;
	class->command = command;
	class->command_count = count;
	class->environment = environment;
}

struct config_class *deployment_module(struct deployment *deployment, const char *name,
				       const char *path)
{
	struct config_class *class = add_class(deployment, name);

	class->handler = HANDLER_MODULE;
	class->module = path;
	return class;
}

pid_t deployment_fork(struct deployment *deployment, int (*run)(struct deployment *deployment))
{
	/* Not even the test's own connection may cross a fork. */
	db_disconnect(deployment->db);
	fflush(NULL);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid > 0)
		return pid;
	int fd = open(deployment->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	dup2(fd, STDERR_FILENO);
	close(fd);
	const struct log_options options = { .level = deployment->config.log.level,
					     .format = LOG_FORMAT_TEXT,
					     .fd = STDERR_FILENO };
	log_configure(&options);
	exit(run(deployment)); /* NOLINT(concurrency-mt-unsafe): its only thread */
}

static const struct supervisor_options *start_options;

static int run_supervisor(struct deployment *deployment)
{
	return supervisor_run(&deployment->config, start_options);
}

void deployment_start(struct deployment *deployment, const struct supervisor_options *options)
{
	start_options = options;
	deployment->supervisor = deployment_fork(deployment, run_supervisor);
}

int deployment_wait(struct deployment *deployment)
{
	int64_t deadline = clock_monotonic() + 30 * CLOCK_SECOND;
	pid_t pid = deployment->supervisor;
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (clock_monotonic() > deadline) {
			kill(pid, SIGKILL);
			deployment->supervisor = 0;
			deployment_gave_up(deployment, "the end of the supervisor");
		}
		clock_sleep(5 * CLOCK_MILLISECOND);
	}
	deployment->supervisor = 0;
	return status;
}

const char *deployment_backend;

int deployment_run_backends(const struct CMUnitTest *tests, size_t count)
{
	struct arena *arena = arena_new();
	size_t backends;
	const char *const *names = test_backends(arena, &backends);
	int failed = 0;

	for (size_t i = 0; i < backends; i++) {
		deployment_backend = names[i];
		failed += _cmocka_run_group_tests(names[i], tests, count, NULL, NULL);
	}
	arena_free(arena);
	return failed;
}
