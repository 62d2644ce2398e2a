/*
 * bench-recurring [--tasks N] [--occurrences N] URL...
 *
 * One scheduler with N recurring tasks (10000) that are all due every twenty seconds, on an empty
 * database. Measured are the time from `dray start` until the scheduler is ready, how long after
 * each of some occurrences (3) the last of its jobs is enqueued, and between two of them the
 * scheduler's memory and processor time. A run takes twenty seconds an occurrence.
 */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/deployment.h"
#include "common/clock.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "db/schema/schema.h"
#include "queue/processes/process.h"
#include "queue/recurring/recurring.h"

#define PATIENCE (60 * CLOCK_SECOND)
#define LOOK     (2 * CLOCK_MILLISECOND)
#define IDLE     (10 * CLOCK_SECOND)

struct bench {
	struct db *db;
	struct arena *arena;
	struct deployment deployment;
	const char **keys; /* in the order in which they are enqueued */
	int64_t *occurrences;
	size_t count;
	int64_t last; /* occurrence seen */
	pid_t scheduler;
};

static const char queue_file[] = "database: {url: \"%s\"}\n"
				 "log: {level: warn}\n"
				 "workers: []\n"
				 "dispatchers: []\n";

static const char jobs_file[] = "jobs: {Noop: {command: [\"true\"]}}\n";

static enum status start(struct bench *bench, const char *url, struct error *error)
{
	struct text yml = { 0 };

	bench->keys = arena_array(bench->arena, bench->count, sizeof(*bench->keys));
	bench->occurrences = arena_array(bench->arena, bench->count, sizeof(*bench->occurrences));
	for (size_t i = 0; i < bench->count; i++) {
		bench->keys[i] = arena_printf(bench->arena, "task_%06zu", i);
		text_printf(&yml, "%s: {class: Noop, schedule: \"*/20 * * * * *\", args: [%zu]}\n",
			    bench->keys[i], i);
	}
	const struct deployment_options options = {
		.queue_yml = arena_printf(bench->arena, queue_file, url),
		.jobs_yml = jobs_file,
		.recurring_yml = text_string(&yml),
	};
	enum status status = deployment_start(&bench->deployment, &options, error);
	text_free(&yml);
	return status;
}

/* The first heartbeat names the tasks, once they are known and their occurrences computed. */
static enum status look_ready(struct bench *bench, struct error *error)
{
	struct arena *arena = arena_new();
	struct process_row *rows;
	size_t count = 0;
	enum status status = process_list(bench->db, arena, &rows, &count, error);

	for (size_t i = 0; i < count && status == STATUS_OK; i++)
		if (rows[i].metadata && strstr(rows[i].metadata, "recurring_schedule"))
			bench->scheduler = rows[i].pid;
	arena_free(arena);
	return status;
}

static enum status await_ready(struct bench *bench, struct error *error)
{
	int64_t begin = clock_monotonic();
	enum status status = STATUS_OK;

	while (status == STATUS_OK && bench->scheduler == 0) {
		if (clock_monotonic() - begin > PATIENCE)
			return error_set(error, STATUS_FATAL, "no scheduler became ready");
		clock_sleep(LOOK);
		status = look_ready(bench, error);
	}
	(void)printf("  boot                          %8.0f ms\n",
		     (double)(clock_monotonic() - begin) / CLOCK_MILLISECOND);
	return status;
}

/* How many tasks have their job for this occurrence? */
static enum status count_of(struct bench *bench, int64_t occurrence, size_t *found,
			    struct error *error)
{
	enum status status =
		recurring_busy(bench->db, bench->keys, bench->count, bench->occurrences, error);

	*found = 0;
	for (size_t i = 0; i < bench->count; i++)
		*found += bench->occurrences[i] == occurrence;
	return status;
}

/*
 * The last task's job is enqueued last. Nothing runs the jobs, so each task's last job is
 * unfinished.
 */
static enum status measure_occurrence(struct bench *bench, struct error *error)
{
	int64_t begin = clock_monotonic();
	int64_t occurrence = bench->last;
	enum status status = STATUS_OK;
	size_t found = 0;

	while (status == STATUS_OK && occurrence == bench->last) {
		if (clock_monotonic() - begin > PATIENCE)
			return error_set(error, STATUS_FATAL, "no occurrence was enqueued");
		clock_sleep(LOOK);
		status = recurring_busy(bench->db, &bench->keys[bench->count - 1], 1, &occurrence,
					error);
	}
	int64_t now = db_now(bench->db);
	if (status == STATUS_OK)
		status = count_of(bench, occurrence, &found, error);
	bench->last = occurrence;
	(void)printf("  %6zu jobs, last one after    %8.0f ms\n", found,
		     (double)(now - occurrence) / CLOCK_MILLISECOND);
	return status;
}

/* Ticks on the processor so far. */
static int64_t processor_time(pid_t pid)
{
	char path[64];
	char line[1024];
	int64_t user = 0;
	int64_t kernel = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	const char *rest = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	(void)fclose(file);
	for (int field = 2; rest && field < 14; field++)
		rest = strchr(rest + 1, ' ');
	if (rest) {
		char *end;
		user = strtoll(rest, &end, 10);
		kernel = strtoll(end, NULL, 10);
	}
	return user + kernel;
}

static void measure_idle(const struct bench *bench)
{
	int64_t ticks = processor_time(bench->scheduler);

	clock_sleep(IDLE);
	ticks = processor_time(bench->scheduler) - ticks;
	(void)printf("  idle, of one processor        %8.2f %%\n",
		     100.0 * (double)ticks / (double)sysconf(_SC_CLK_TCK) /
			     ((double)IDLE / CLOCK_SECOND));
	(void)printf("  memory of the scheduler (PSS) %8.1f MiB\n",
		     (double)deployment_memory_of(bench->scheduler) / 1048576);
}

static enum status measure(struct bench *bench, const char *url, int64_t occurrences,
			   struct error *error)
{
	size_t applied;
	enum status status = schema_migrate(bench->db, bench->arena, &applied, error);

	if (status == STATUS_OK)
		status = start(bench, url, error);
	if (status == STATUS_OK)
		status = await_ready(bench, error);
	if (status == STATUS_OK) /* of an earlier run */
		status = recurring_busy(bench->db, &bench->keys[bench->count - 1], 1, &bench->last,
					error);
	for (int64_t i = 0; i < occurrences && status == STATUS_OK; i++)
		status = measure_occurrence(bench, error);
	if (status == STATUS_OK)
		measure_idle(bench);
	(void)deployment_stop(&bench->deployment);
	deployment_remove(&bench->deployment);
	return status;
}

struct options {
	int64_t tasks, occurrences;
	bool failed;
};

static enum status run(const char *url, const struct options *options, struct error *error)
{
	struct bench bench = { .arena = arena_new(), .count = (size_t)options->tasks };
	enum status status = db_open(&bench.db, url, NULL, error);

	if (status == STATUS_OK) {
		(void)printf("%s, %zu tasks\n", db_server(bench.db), bench.count);
		status = measure(&bench, url, options->occurrences, error);
	}
	db_close(bench.db);
	arena_free(bench.arena);
	return status;
}

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	struct error error = { 0 };
	int64_t *number = key == 't' ? &options->tasks : &options->occurrences;

	if (key == 't' || key == 'm') {
		if (parse_int(value, 1, 100000, number) != STATUS_OK)
			argp_error(state, "'%s': expected a positive number", value);
		return 0;
	}
	if (key == ARGP_KEY_NO_ARGS)
		argp_usage(state);
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (run(value, options, &error) != STATUS_OK) {
		(void)fprintf(stderr, "bench-recurring: %s\n", error.text);
		options->failed = true;
	}
	return 0;
}

int main(int argc, char *argv[])
{
	static const struct argp_option options_table[] = {
		{ "tasks", 't', "N", 0, "recurring tasks (default 10000)", 0 },
		{ "occurrences", 'm', "N", 0, "occurrences to wait for (default 3)", 0 },
		{ 0 },
	};
	static const struct argp argp = { .options = options_table,
					  .parser = parse,
					  .args_doc = "URL...",
					  .doc = "Measures a scheduler of many tasks." };
	struct options options = { .tasks = 10000, .occurrences = 3 };

	(void)argp_parse(&argp, argc, argv, 0, NULL, &options);
	return options.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
