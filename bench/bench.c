/*
 * dray-bench [--jobs N] [--threads N] [--processes N] [--isolation thread|process] URL...
 *
 * For each database (empty, or left by an earlier run): jobs enqueued one by one and in bulk, jobs
 * drained by a deployment of its own whose jobs do nothing, with finished rows kept, and the memory
 * of an idle deployment. The server's own durability settings are not changed.
 */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/deployment.h"
#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "db/schema/schema.h"
#include "queue/enqueue/enqueue.h"
#include "queue/manage/manage.h"
#include "queue/processes/process.h"

#define BATCH        1000
#define SINGLES      2000
#define MAXIMUM_URLS 8
#define PATIENCE     (120 * CLOCK_SECOND)

struct options {
	int64_t jobs;
	int64_t threads;
	int64_t processes;
	const char *isolation; /* of the jobs that are drained */
	const char *urls[MAXIMUM_URLS];
	size_t url_count;
};

static const struct argp_option option_table[] = {
	{ "jobs", 'n', "N", 0, "jobs to drain (default 100000)", 0 },
	{ "threads", 't', "N", 0, "threads of a worker (default 500)", 0 },
	{ "processes", 'p', "N", 0, "worker processes (default 1)", 0 },
	{ "isolation", 'i', "WHERE", 0, "jobs run in a thread (default) or in a process", 0 },
	{ 0 },
};

static error_t take_number(const char *text, int64_t *number, const struct argp_state *state)
{
	if (parse_int(text, 1, 100000000, number) != STATUS_OK)
		argp_error(state, "'%s': expected a positive number", text);
	return 0;
}

static error_t take_option(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'n':
		return take_number(value, &options->jobs, state);
	case 't':
		return take_number(value, &options->threads, state);
	case 'p':
		return take_number(value, &options->processes, state);
	case 'i':
		if (strcmp(value, "thread") != 0 && strcmp(value, "process") != 0)
			argp_error(state, "'%s': expected thread or process", value);
		options->isolation = value;
		return 0;
	case ARGP_KEY_ARG:
		if (options->url_count == MAXIMUM_URLS)
			argp_error(state, "at most %d databases", MAXIMUM_URLS);
		options->urls[options->url_count++] = value;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_usage(state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static double seconds_since(int64_t start)
{
	return (double)(clock_monotonic() - start) / (double)CLOCK_SECOND;
}

/* Enqueues `total` jobs, `batch` at a time; returns jobs per second. */
static enum status measure_enqueue(struct db *db, int64_t total, size_t batch, double *rate,
				   struct error *error)
{
	struct new_job *jobs = calloc(batch, sizeof(*jobs));
	struct enqueued *results = calloc(batch, sizeof(*results));
	enum status status = STATUS_OK;
	int64_t start = clock_monotonic();

	for (size_t i = 0; jobs && i < batch; i++)
		jobs[i].class_name = "Noop";
	for (int64_t done = 0; jobs && results && done < total && status == STATUS_OK;
	     done += (int64_t)batch)
		status = enqueue(db, jobs, batch, results, error);
	*rate = (double)total / seconds_since(start);
	free(jobs);
	free(results);
	return status;
}

static enum status is_empty(struct db *db, enum job_state state, bool *empty, struct error *error)
{
	struct arena *arena = arena_new();
	const struct job_filter filter = { .has_state = true, .state = state, .limit = 1 };
	struct job *jobs;
	size_t count = 0;
	enum status status = job_list(db, arena, &filter, &jobs, &count, error);

	*empty = count == 0;
	arena_free(arena);
	return status;
}

static enum status wait_drained(struct db *db, struct error *error)
{
	int64_t deadline = clock_monotonic() + PATIENCE;
	bool empty = false;
	enum status status = STATUS_OK;

	while (status == STATUS_OK && !empty) {
		if (clock_monotonic() > deadline)
			return error_set(error, STATUS_FATAL, "the jobs were not drained in time");
		clock_sleep(5 * CLOCK_MILLISECOND);
		status = is_empty(db, JOB_READY, &empty, error);
		if (status == STATUS_OK && empty)
			status = is_empty(db, JOB_CLAIMED, &empty, error);
	}
	return status;
}

/* Waits until `count` workers have registered. */
static enum status wait_workers(struct db *db, int64_t count, struct error *error)
{
	int64_t deadline = clock_monotonic() + PATIENCE;
	enum status status = STATUS_OK;
	int64_t ready = 0;

	while (status == STATUS_OK && ready < count && clock_monotonic() < deadline) {
		struct arena *arena = arena_new();
		struct process_row *rows;
		size_t row_count = 0;
		ready = 0;
		clock_sleep(10 * CLOCK_MILLISECOND);
		status = process_list(db, arena, &rows, &row_count, error);
		for (size_t i = 0; i < row_count; i++)
			ready += rows[i].kind[0] == 'W';
		arena_free(arena);
	}
	return status;
}

static const char queue_file[] = "database:\n"
				 "  url: \"%s\"\n"
				 "log:\n"
				 "  level: warn\n"
				 "workers:\n"
				 "  - queues: \"*\"\n"
				 "    threads: %" PRId64 "\n"
				 "    processes: %" PRId64 "\n"
				 "    polling_interval: 0.1\n"
				 "dispatchers:\n"
				 "  - polling_interval: 1\n";

static const char jobs_file[] = "jobs:\n"
				"  Noop:\n"
				"    module: " NOOP_MODULE "\n"
				"    isolation: %s\n";

static enum status start_load(struct deployment *deployment, const struct options *options,
			      const char *url, struct error *error)
{
	struct arena *arena = arena_new();
	const struct deployment_options how = {
		.queue_yml =
			arena_printf(arena, queue_file, url, options->threads, options->processes),
		.jobs_yml = arena_printf(arena, jobs_file, options->isolation),
	};
	enum status status = deployment_start(deployment, &how, error);

	arena_free(arena);
	return status;
}

/* The queue is paused while the deployment starts, so that only draining is timed. */
static enum status measure_drain(struct db *db, const struct options *options, const char *url,
				 double *rate, struct error *error)
{
	struct deployment deployment = { 0 };
	bool changed;
	double bulk;
	enum status status = queue_pause(db, "default", &changed, error);

	if (status == STATUS_OK)
		status = measure_enqueue(db, options->jobs, BATCH, &bulk, error);
	if (status == STATUS_OK)
		status = start_load(&deployment, options, url, error);
	if (status == STATUS_OK)
		status = wait_workers(db, options->processes, error);
	int64_t start = clock_monotonic();
	if (status == STATUS_OK)
		status = queue_resume(db, "default", &changed, error);
	if (status == STATUS_OK)
		status = wait_drained(db, error);
	*rate = (double)options->jobs / seconds_since(start);
	(void)deployment_stop(&deployment);
	deployment_remove(&deployment);
	if (status == STATUS_OK)
		(void)printf("  bulk enqueue (%d a statement)   %9.0f jobs/s\n", BATCH, bulk);
	return status;
}

static enum status measure_idle(struct db *db, const char *url, struct error *error)
{
	struct deployment deployment = { 0 };
	const struct options how = { .isolation = "thread", .threads = 3, .processes = 1 };
	int processes = 0;
	enum status status = start_load(&deployment, &how, url, error);

	if (status == STATUS_OK)
		status = wait_workers(db, 1, error);
	clock_sleep(2 * CLOCK_SECOND);
	int64_t memory = deployment_memory(&deployment, &processes);
	(void)deployment_stop(&deployment);
	deployment_remove(&deployment);
	(void)printf("  idle memory, %d processes (PSS)  %8.1f MiB\n", processes,
		     (double)memory / 1048576);
	return status;
}

static enum status clear(struct db *db, struct error *error)
{
	int64_t count;
	const struct job_filter ready = { .has_state = true, .state = JOB_READY };
	enum status status = job_discard_all(db, &ready, &count, error);

	if (status == STATUS_OK)
		status = job_clear_finished(db, INT64_MAX / 4096, NULL, 5000, &count, error);
	return status;
}

static enum status measure(struct db *db, const struct options *options, const char *url,
			   struct error *error)
{
	struct arena *arena = arena_new();
	size_t applied;
	double rate;
	enum status status = schema_migrate(db, arena, &applied, error);

	arena_free(arena);
	if (status == STATUS_OK)
		status = clear(db, error);
	if (status == STATUS_OK)
		status = measure_enqueue(db, SINGLES, 1, &rate, error);
	if (status != STATUS_OK)
		return status;
	(void)printf("  enqueue, one by one, 1 client   %9.0f jobs/s\n", rate);
	status = clear(db, error);
	if (status == STATUS_OK)
		status = measure_drain(db, options, url, &rate, error);
	if (status == STATUS_OK)
		(void)printf("  drain, finished rows kept       %9.0f jobs/s\n", rate);
	return status == STATUS_OK ? measure_idle(db, url, error) : status;
}

int main(int argc, char **argv)
{
	static const struct argp argp = { .options = option_table,
					  .parser = take_option,
					  .args_doc = "URL..." };
	struct options options = {
		.jobs = 100000, .threads = 500, .processes = 1, .isolation = "thread"
	};
	int code = EXIT_STOPPED;

	if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0)
		return EXIT_USAGE;
	for (size_t i = 0; i < options.url_count; i++) {
		struct error error = { 0 };
		struct db *db = NULL;
		enum status status = db_open(&db, options.urls[i], NULL, &error);
		if (status == STATUS_OK) {
			(void)printf("%s, %" PRId64 " jobs, %" PRId64 " threads, isolation: %s\n",
				     db_server(db), options.jobs, options.threads,
				     options.isolation);
			status = measure(db, &options, options.urls[i], &error);
		}
		if (status != STATUS_OK) {
			(void)fprintf(stderr, "dray-bench: %s\n", error.text);
			code = EXIT_ERROR;
		}
		db_close(db);
	}
	return code;
}
