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
#include "common/log.h"
#include "common/process.h"
#include "db/driver.h"
#include "db/schema.h"
#include "tests/support/invariant.h"

#define MOST 8 /* workers, dispatchers, classes */

static const struct {
	const char *name;
	const char *variable; /* with the url of the server */
} backends[] = {
	{ "sqlite", NULL },
	{ "postgresql", "DRAY_TEST_POSTGRESQL_URL" },
	{ "mysql", "DRAY_TEST_MYSQL_URL" },
	{ "mariadb", "DRAY_TEST_MARIADB_URL" },
};

#define MUST(call) deployment_must((call), &error, #call, __LINE__)

static const char *server_url(const char *backend)
{
	for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++)
		if (strcmp(backends[i].name, backend) == 0)
			/* NOLINTNEXTLINE(concurrency-mt-unsafe) */
			return backends[i].variable ? getenv(backends[i].variable) : "";
	fail_msg("no backend %s", backend);
	return NULL;
}

static void admin(struct deployment *deployment, const char *verb)
{
	struct error error = { 0 };
	struct db *db;

	MUST(db_open(&db, deployment->admin_url, NULL, &error));
	MUST(db_execute(db, arena_printf(deployment->arena, "%s %s", verb, deployment->database),
			&error));
	db_close(db);
}

static const char *make_database(struct deployment *deployment, const char *server)
{
	static int number;

	if (*server == '\0')
		return arena_printf(deployment->arena, "sqlite3:%s/dray.sqlite3",
				    deployment->directory);
	deployment->admin_url = server;
	deployment->database =
		arena_printf(deployment->arena, "dray_deployment_%d_%d", (int)getpid(), ++number);
	admin(deployment, "CREATE DATABASE");
	return arena_printf(deployment->arena, "%.*s/%s", (int)(strrchr(server, '/') - server),
			    server, deployment->database);
}

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
			     .shutdown_timeout = 5 * CLOCK_SECOND,
			     .preserve_finished_jobs = true,
			     .clear_finished_jobs_after = CLOCK_DAY,
			     .max_losses = 3 },
		.workers = arena_array(arena, MOST, sizeof(struct config_worker)),
		.dispatchers = arena_array(arena, MOST, sizeof(struct config_dispatcher)),
		.classes = arena_array(arena, MOST, sizeof(struct config_class)),
	};
}

bool deployment_available(const char *backend)
{
	return server_url(backend) != NULL;
}

void deployment_open(struct deployment *deployment, const char *backend)
{
	char directory[] = "/tmp/dray-deployment-XXXXXX";
	const char *server = server_url(backend);
	struct error error = { 0 };
	size_t applied;

	assert_non_null(server);
	*deployment = (struct deployment){ .arena = arena_new() };
	assert_non_null(mkdtemp(directory));
	deployment->directory = arena_strdup(deployment->arena, directory);
	deployment->log = arena_printf(deployment->arena, "%s/log", directory);
	deployment->config = short_configuration(deployment->arena);
	deployment->config.database.url = make_database(deployment, server);
	MUST(db_open(&deployment->db, deployment->config.database.url, NULL, &error));
	MUST(schema_migrate(deployment->db, deployment->arena, &applied, &error));
}

static void remove_directory(struct deployment *deployment)
{
	static const char *const files[] = { "log", "pid", "dray.sqlite3", "dray.sqlite3-wal",
					     "dray.sqlite3-shm" };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlink(arena_printf(deployment->arena, "%s/%s", deployment->directory, files[i]));
	assert_int_equal(rmdir(deployment->directory), 0);
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
	if (deployment->database)
		admin(deployment, "DROP DATABASE");
	remove_directory(deployment);
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
	int failed = 0;

	for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++) {
		deployment_backend = backends[i].name;
		if (deployment_available(deployment_backend))
			failed += _cmocka_run_group_tests(deployment_backend, tests, count, NULL,
							  NULL);
		else
			print_message("skipped: no server for %s\n", deployment_backend);
	}
	return failed;
}
