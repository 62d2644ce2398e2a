#include "rig.h"

#include <fcntl.h>

#include "common/log/log.h"
#include "db/schema/schema.h"
#include "queue/enqueue/enqueue.h"
#include "queue/manage/manage.h"
#include "queue/processes/process.h"
#include "tests/support/sites/cli.h"
#include "tests/support/sites/process.h"
#include "worker/host/hosts.h"

static void open_database(struct rig *rig)
{
	const char *url = arena_printf(rig->arena, "sqlite3:%s/queue.sqlite3", rig->folder);
	struct db_options options = { .retry_for = CLOCK_SECOND };
	size_t applied;
	struct process_row row = { .kind = "Worker",
				   .name = "worker-rig",
				   .hostname = "here",
				   .metadata = "{\"software\":\"dray rig\"}" };

	must(db_open, &rig->db, url, &options);
	must(schema_migrate, rig->db, rig->arena, &applied);
	row.pid = getpid();
	must(process_register, rig->db, &row);
	rig->context.process_id = row.id;
	rig->context.db = rig->db;
}

void rig_open(struct rig *rig, int threads)
{
	static const char *queues[] = { "*" };
	*rig = (struct rig){ .folder = "/tmp/dray-worker-XXXXXX", .arena = arena_new() };
	assert_non_null(mkdtemp(rig->folder));
	open_database(rig);
	rig->options = (struct config_worker){ .queues = queues,
					       .queue_count = 1,
					       .threads = threads,
					       .polling_interval = 10 * CLOCK_MILLISECOND };
	rig->config = (struct config){ .root = rig->folder,
				       .process.preserve_finished_jobs = true,
				       .workers = &rig->options,
				       .worker_count = 1,
				       .classes = rig->classes };
	rig->context.config = &rig->config;
	rig->context.name = "worker-rig";
	rig->context.loop = loop_new(NULL);
	assert_non_null(rig->context.loop);
}

void rig_leave(struct rig *rig)
{
	if (!rig->started)
		return;
	worker_role.stop(&rig->context);
	worker_role.close(&rig->context);
	rig->started = false;
}

void rig_close(struct rig *rig)
{
	rig_leave(rig);
	loop_free(rig->context.loop);
	db_close(rig->db);
	(void)test_remove(rig->folder);
	arena_free(rig->arena);
}

int rig_quiet(void **state)
{
	(void)state;
	log_configure(&(struct log_options){ .level = LOG_ERROR, .fd = STDERR_FILENO });
	return 0;
}

int rig_set_up(void **state)
{
	rig_open(*state, 8);
	return 0;
}

int rig_tear_down(void **state)
{
	rig_close(*state);
	return rig_quiet(state);
}

struct worker *rig_worker(const struct rig *rig)
{
	return rig->context.state;
}

static struct config_class *add_class(struct rig *rig, const char *name)
{
	struct config_class *class = &rig->classes[rig->config.class_count++];

	assert_true(rig->config.class_count <= RIG_CLASSES);
	*class = (struct config_class){ .name = name,
					.limits = { -1, -1, -1, -1, -1, -1 },
					.stop = { SIGTERM, -1 },
					.file = "config/jobs.yml",
					.line = (int)rig->config.class_count,
					.column = 3 };
	return class;
}

struct config_class *rig_command(struct rig *rig, const char *name, const char *const command[])
{
	struct config_class *class = add_class(rig, name);
	size_t count = 0;

	while (command[count] != NULL)
		count++;
	class->handler = HANDLER_COMMAND;
	class->command = arena_array(rig->arena, count + 1, sizeof(char *));
	memcpy(class->command, command, count * sizeof(char *));
	class->command_count = count;
	return class;
}

struct config_class *rig_command_here(struct rig *rig, const char *name,
				      const char *const command[])
{
	struct config_class *class = rig_command(rig, name, command);

	class->directory = rig->folder;
	return class;
}

struct config_retry rig_retry(int attempts, const int64_t *wait)
{
	return (struct config_retry){ .given = true,
				      .attempts = attempts,
				      .wait = WAIT_FIXED,
				      .waits = wait,
				      .wait_count = 1,
				      .max_wait = CLOCK_DAY };
}

struct config_class *rig_module(struct rig *rig, const char *name, const char *module)
{
	struct config_class *class = add_class(rig, name);

	class->handler = HANDLER_MODULE;
	class->module = arena_printf(rig->arena, "%s%s.so", RIG_MODULES, module);
	return class;
}

struct config_class *rig_isolated(struct rig *rig, const char *name, const char *module)
{
	struct config_class *class = rig_module(rig, name, module);

	class->isolation = ISOLATION_PROCESS;
	class->recycle_after = class->recycle_above = -1;
	hosts_use_program(BINARY_DIR "/cli/dray");
	return class;
}

static int by_name(const void *left, const void *right)
{
	const struct config_class *a = left;
	const struct config_class *b = right;

	return strcmp(a->name, b->name);
}

void rig_start(struct rig *rig)
{
	if (rig->started)
		return;
	qsort(rig->classes, rig->config.class_count, sizeof(rig->classes[0]), by_name);
	must(worker_role.start, &rig->context);
	rig->started = true;
}

int64_t rig_enqueue(struct rig *rig, const char *class_name, const char *arguments)
{
	struct new_job job = { .class_name = class_name, .arguments = arguments };
	struct enqueued enqueued = { .id = 0 };

	must(enqueue, rig->db, &job, 1, &enqueued);
	return enqueued.id;
}

void rig_drain(struct rig *rig)
{
	while (!worker_role.idle(&rig->context))
		rig_step(rig);
}

void rig_stop(struct rig *rig)
{
	worker_role.stop(&rig->context);
	rig_drain(rig);
}

int64_t rig_hurry(struct rig *rig)
{
	rig->context.stopping = true;
	worker_role.stop(&rig->context);
	return worker_role.hurry(&rig->context);
}

void rig_await_claim(struct rig *rig, int64_t id)
{
	while (rig_job(rig, id).state != JOB_CLAIMED)
		rig_step(rig);
}

void rig_await_file(struct rig *rig, const char *name)
{
	while (*rig_read(rig, name) == '\0')
		rig_nudge(rig);
}

int64_t rig_tried(struct rig *rig, int64_t id)
{
	sql_execute(rig->db,
		    "INSERT INTO dray_losses (job_id, losses, last_lost_at, "
		    "runs_before) VALUES (%lld, 2, '2026-01-01 00:00:00', 3)",
		    (long long)id);
	return id;
}

int64_t rig_tick(struct rig *rig)
{
	int64_t wait = 0;

	rig_start(rig);
	must(worker_role.tick, &rig->context, &wait);
	return wait;
}

void rig_step(struct rig *rig)
{
	int64_t wait = rig_tick(rig);
	int64_t now = clock_monotonic();

	loop_wait(rig->context.loop, wait < CLOCK_NEVER - now ? now + wait : CLOCK_NEVER);
}

void rig_nudge(struct rig *rig)
{
	(void)rig_tick(rig);
	(void)loop_wait(rig->context.loop, clock_monotonic() + CLOCK_MILLISECOND);
}

struct job rig_job(struct rig *rig, int64_t id)
{
	struct job job = { .id = 0 };

	must(job_find, rig->db, rig->arena, id, &job);
	return job;
}

struct job rig_run(struct rig *rig, int64_t id)
{
	struct job job = rig_job(rig, id);

	while (job.state == JOB_READY || job.state == JOB_CLAIMED) {
		rig_step(rig);
		job = rig_job(rig, id);
	}
	return job;
}

void rig_succeed(struct rig *rig, const char *class_name, const char *arguments)
{
	struct job job = rig_run(rig, rig_enqueue(rig, class_name, arguments));

	if (job.state != JOB_FINISHED)
		fail_msg("%s failed: %s", class_name, job.error);
}

static const char *join_lines(struct arena *arena, const json_t *lines)
{
	struct text text = { 0 };
	size_t index;
	const json_t *line;

	if (!json_is_array(lines))
		return NULL;
	json_array_foreach(lines, index, line)
	{
		text_printf(&text, "%s%s", index == 0 ? "" : "\n", json_string_value(line));
	}
	return text_take(&text, arena);
}

struct rig_failure rig_failure_of(struct rig *rig, const struct job *job)
{
	struct rig_failure failure = { .message = "" };

	assert_int_equal(job->state, JOB_FAILED);
	assert_non_null(job->error);
	assert_true(strlen(job->error) <= db_text_maximum(rig->db));
	json_t *root = json_loads(job->error, 0, NULL);
	assert_non_null(root);
	failure.exception_class = arena_strdup(rig->arena, test_json_text(root, "exception_class"));
	failure.message = arena_strdup(rig->arena, test_json_text(root, "message"));
	failure.backtrace = join_lines(rig->arena, json_object_get(root, "backtrace"));
	json_decref(root);
	return failure;
}

struct rig_failure rig_fail(struct rig *rig, const char *class_name, const char *arguments)
{
	struct job job = rig_run(rig, rig_enqueue(rig, class_name, arguments));

	return rig_failure_of(rig, &job);
}

void rig_expect_told(struct rig *rig)
{
	static const char arguments[] = "[\"first\",{\"text\":\"t \\u00e4\",\"integer\":-7,"
					"\"real\":2.5,\"boolean\":true}]";
	struct job job = rig_run(rig, rig_tried(rig, rig_enqueue(rig, "TellJob", arguments)));
	struct rig_failure failure = rig_failure_of(rig, &job);

	assert_string_equal(failure.exception_class, "Told");
	assert_null(failure.backtrace);
	assert_string_equal(failure.message,
			    arena_printf(rig->arena,
					 "%lld %s TellJob default 0 6|first|t \xc3\xa4 -7 2.50 1|"
					 "[\"first\",{\"text\":\"t \xc3\xa4\",\"integer\":-7,"
					 "\"real\":2.5,\"boolean\":true}]|1|1|2",
					 (long long)job.id, job.active_job_id));
}

void rig_expect_left(struct rig *rig, const char *class_name)
{
	int64_t left = rig_enqueue(rig, class_name, NULL);

	for (int i = 0; i < 10; i++)
		rig_succeed(rig, "NoopJob", NULL);
	assert_int_equal(rig_job(rig, left).state, JOB_READY);
}

const char *rig_describe(struct rig *rig, const char **title)
{
	struct text metadata = { 0 };
	struct text shown = { 0 };

	rig_start(rig);
	worker_role.describe(&rig->context, &metadata, &shown);
	const char *now = text_take(&shown, rig->arena);
	if (title)
		*title = now;
	return text_take(&metadata, rig->arena);
}

void rig_keep_log(struct rig *rig)
{
	struct log_options options = { .level = LOG_INFO, .format = LOG_FORMAT_JSON };

	options.fd =
		open(rig_path(rig, "log"), O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
	assert_true(options.fd >= 0);
	log_configure(&options);
}

int rig_set_up_log(void **state)
{
	(void)rig_set_up(state);
	rig_keep_log(*state);
	return 0;
}

const char *rig_ask(const struct rig *rig, const char *sql)
{
	const char *url = arena_printf(rig->arena, "sqlite3:%s/queue.sqlite3", rig->folder);

	return test_query_text(rig->arena, url, sql);
}

const char *rig_text(struct rig *rig, const char *text)
{
	return arena_printf(rig->arena, "[\"%s\"]", text);
}

long rig_look(struct rig *rig, const char *class_name, const char **rest)
{
	const char *path = rig_path(rig, "look");
	char *end;

	(void)unlink(path);
	rig_succeed(rig, class_name, rig_text(rig, path));
	long pid = strtol(rig_read(rig, "look"), &end, 10);
	assert_true(pid > 0 && pid != getpid());
	if (rest != NULL)
		*rest = end;
	return pid;
}

const char *rig_path(struct rig *rig, const char *name)
{
	return arena_printf(rig->arena, "%s/%s", rig->folder, name);
}

const char *rig_read(struct rig *rig, const char *name)
{
	const char *path = rig_path(rig, name);

	return access(path, F_OK) == 0 ? test_read_file(rig->arena, path) : "";
}

bool rig_is_dead(long pid)
{
	const char state = test_state_of((pid_t)pid);

	return state == '\0' || state == 'Z';
}
