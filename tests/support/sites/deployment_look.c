#include "deployment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/clock.h"
#include "common/process.h"
#include "db/driver.h"
#include "queue/enqueue/enqueue.h"
#include "queue/manage/manage.h"

#define PATIENCE (30 * CLOCK_SECOND)
#define LOOK     (5 * CLOCK_MILLISECOND)

#define MUST(call) deployment_must((call), &error, #call, __LINE__)

void deployment_must(enum status status, const struct error *error, const char *call, int line)
{
	if (status != STATUS_OK)
		fail_msg("line %d: %s: %s: %s", line, call, status_name(status), error->text);
}

int64_t deployment_enqueue(struct deployment *deployment, const char *class_name, const char *queue,
			   const char *argument)
{
	struct error error = { 0 };
	struct enqueued enqueued;
	struct new_job job = {
		.class_name = class_name,
		.queue = queue,
		.arguments = arena_printf(deployment->arena, "[\"%s\"]", argument),
	};

	MUST(enqueue(deployment->db, &job, 1, &enqueued, &error));
	return enqueued.id;
}

size_t deployment_jobs(struct deployment *deployment, enum job_state state)
{
	struct error error = { 0 };
	struct arena *arena = arena_new();
	struct job_filter filter = { .has_state = true, .state = state, .limit = 1000 };
	struct job *jobs;
	size_t count;

	MUST(job_list(deployment->db, arena, &filter, &jobs, &count, &error));
	arena_free(arena);
	return count;
}

enum job_state deployment_job_state(struct deployment *deployment, int64_t id)
{
	struct error error = { 0 };
	struct arena *arena = arena_new();
	struct job job;

	MUST(job_find(deployment->db, arena, id, &job, &error));
	arena_free(arena);
	return job.state;
}

void deployment_gave_up(struct deployment *deployment, const char *what)
{
	deployment_print_log(deployment);
	fail_msg("waited in vain for %s", what);
}

void deployment_await_state(struct deployment *deployment, int64_t job, enum job_state state)
{
	int64_t deadline = clock_monotonic() + PATIENCE;

	while (deployment_job_state(deployment, job) != state) {
		if (clock_monotonic() > deadline)
			deployment_gave_up(deployment, job_state_name(state));
		clock_sleep(LOOK);
	}
}

void deployment_await_jobs(struct deployment *deployment, enum job_state state, size_t count)
{
	int64_t deadline = clock_monotonic() + PATIENCE;

	while (deployment_jobs(deployment, state) != count) {
		if (clock_monotonic() > deadline)
			deployment_gave_up(deployment, job_state_name(state));
		clock_sleep(LOOK);
	}
}

static size_t find_processes(struct deployment *deployment, const char *kind,
			     struct process_row *first)
{
	struct error error = { 0 };
	struct process_row *rows;
	size_t count;
	size_t found = 0;

	MUST(process_list(deployment->db, deployment->arena, &rows, &count, &error));
	for (size_t i = 0; i < count; i++) {
		if (kind && strcmp(rows[i].kind, kind) != 0)
			continue;
		if (found++ == 0 && first)
			*first = rows[i];
	}
	return found;
}

size_t deployment_processes(struct deployment *deployment, const char *kind)
{
	return find_processes(deployment, kind, NULL);
}

void deployment_await_processes(struct deployment *deployment, const char *kind, size_t count)
{
	int64_t deadline = clock_monotonic() + PATIENCE;

	while (deployment_processes(deployment, kind) != count) {
		if (clock_monotonic() > deadline)
			deployment_gave_up(deployment, kind ? kind : "processes");
		clock_sleep(LOOK);
	}
}

struct process_row deployment_process(struct deployment *deployment, const char *kind)
{
	struct process_row row = { 0 };

	assert_true(find_processes(deployment, kind, &row) > 0);
	return row;
}

void deployment_execute(struct deployment *deployment, const char *sql)
{
	struct error error = { 0 };

	MUST(db_execute(deployment->db, sql, &error));
}

static char *read_log(struct deployment *deployment)
{
	struct error error;
	size_t length;
	char *data;

	if (file_read(deployment->log, 16 << 20, &data, &length, &error) != STATUS_OK)
		return NULL;
	return data;
}

size_t deployment_logged(struct deployment *deployment, const char *text)
{
	char *log = read_log(deployment);
	size_t count = 0;

	for (const char *at = log; at && (at = strstr(at, text)) != NULL; at += strlen(text))
		count++;
	free(log);
	return count;
}

void deployment_await_log(struct deployment *deployment, const char *text)
{
	int64_t deadline = clock_monotonic() + PATIENCE;

	while (deployment_logged(deployment, text) == 0) {
		if (clock_monotonic() > deadline)
			deployment_gave_up(deployment, text);
		clock_sleep(LOOK);
	}
}

void deployment_print_log(struct deployment *deployment)
{
	char *log = read_log(deployment);

	if (log)
		print_message("%s", log);
	free(log);
}
