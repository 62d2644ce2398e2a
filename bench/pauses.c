/*
 * bench-pauses [--deep N] URL...
 *
 * How long a claim of five jobs takes while queues are paused. On each empty database a hundred
 * queues have jobs; a hundred others, each with one job in front of those, are paused one after the
 * other, 0, 1, 10 and all of them; then the same with N jobs (default 100000) of one more paused
 * queue in front. The numbers are measured in turn, and claimed jobs are given back, so that every
 * claim finds the same state.
 */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/median.h"
#include "common/clock.h"
#include "common/text/parse.h"
#include "db/schema/schema.h"
#include "queue/enqueue/enqueue.h"
#include "queue/manage/manage.h"
#include "queue/processes/process.h"
#include "queue/settle/settle.h"

#define QUEUES  100
#define BATCH   1000
#define CLAIMED 5
#define ROUNDS  6
#define CLAIMS  10 /* in a row, after one that is not counted */
#define SAMPLES ((size_t)ROUNDS * CLAIMS)
#define NUMBERS 4
#define CHOICES 2

static const size_t numbers[NUMBERS] = { 0, 1, 10, QUEUES };
static const char *const choices[CHOICES] = { "*", "ready_*" };

struct bench {
	struct db *db;
	struct arena *arena;
	const char *paused[QUEUES + 1]; /* the deep one comes first, when there is one */
	bool deep;
	int64_t process_id;
	struct selector selectors[CHOICES];
	struct claim_request requests[CHOICES][NUMBERS];
	int64_t times[CHOICES][NUMBERS][SAMPLES];
	size_t samples;
};

static enum status put(struct bench *bench, const char *const queues[], size_t count, int priority,
		       int64_t total, struct error *error)
{
	struct arena *arena = arena_new();
	struct new_job *jobs = arena_array(arena, BATCH, sizeof(*jobs));
	struct enqueued *results = arena_array(arena, BATCH, sizeof(*results));
	enum status status = STATUS_OK;

	for (int64_t done = 0; done < total && status == STATUS_OK; done += BATCH) {
		size_t size = total - done < BATCH ? (size_t)(total - done) : BATCH;
		for (size_t i = 0; i < size; i++)
			jobs[i] = (struct new_job){ .class_name = "Noop",
						    .queue = queues[i % count],
						    .has_priority = true,
						    .priority = priority };
		status = enqueue(bench->db, jobs, size, results, error);
	}
	arena_free(arena);
	return status;
}

static enum status fill(struct bench *bench, struct error *error)
{
	const char *ready[QUEUES];
	struct process_row process = { .kind = "Worker", .name = "bench", .hostname = "bench" };

	bench->paused[0] = "deep";
	for (size_t i = 0; i < QUEUES; i++) {
		ready[i] = arena_printf(bench->arena, "ready_%02zu", i);
		bench->paused[i + 1] = arena_printf(bench->arena, "paused_%02zu", i);
	}
	enum status status = put(bench, bench->paused + 1, QUEUES, 0, QUEUES, error);
	if (status == STATUS_OK)
		status = put(bench, ready, QUEUES, 0, INT64_C(20) * QUEUES, error);
	if (status == STATUS_OK)
		status = process_register(bench->db, &process, error);
	bench->process_id = process.id;
	for (size_t i = 0; i < CHOICES && status == STATUS_OK; i++)
		status =
			selector_compile(bench->arena, &choices[i], 1, &bench->selectors[i], error);
	return status;
}

static enum status give_back(struct bench *bench, struct arena *arena, const struct claim claims[],
			     size_t count, struct error *error)
{
	struct outcome *outcomes = arena_array(arena, count + 1, sizeof(*outcomes));
	struct settle_request request = { .process_id = bench->process_id,
					  .outcomes = outcomes,
					  .outcome_count = count };
	struct claim *none;
	size_t none_count;

	for (size_t i = 0; i < count; i++)
		outcomes[i] = (struct outcome){ .claim = claim_name(&claims[i]),
						.kind = OUTCOME_RELEASED };
	return settle(bench->db, arena, &request, &none, &none_count, error);
}

static enum status claim(struct bench *bench, struct claim_request *what, int64_t *time,
			 struct error *error)
{
	struct arena *arena = arena_new();
	struct settle_request request = { .process_id = bench->process_id, .claim = what };
	struct claim *claims;
	size_t count;
	int64_t start = clock_monotonic();
	enum status status = settle(bench->db, arena, &request, &claims, &count, error);

	*time = clock_monotonic() - start;
	if (status == STATUS_OK && count != CLAIMED)
		status = error_set(error, STATUS_FATAL, "%zu claimed", count);
	if (status == STATUS_OK)
		status = give_back(bench, arena, claims, count, error);
	arena_free(arena);
	return status;
}

static enum status set_paused(struct bench *bench, size_t count, struct error *error)
{
	const struct pause_note note = { .who = "bench" };
	const char *const *names = bench->paused + (bench->deep ? 0 : 1);
	bool changed[QUEUES + 1];
	enum status status =
		resume_queues(bench->db, bench->paused, QUEUES + 1, &note, changed, error);

	/* The jobs in front of the others are not to be run. */
	return status == STATUS_OK ? pause_queues(bench->db, names, count, &note, changed, error)
				   : status;
}

static enum status measure_one(struct bench *bench, size_t choice, size_t number,
			       struct error *error)
{
	struct claim_request *request = &bench->requests[choice][number];
	enum status status;
	int64_t first;

	request->selector = &bench->selectors[choice];
	request->process_id = bench->process_id;
	request->limit = CLAIMED;
	status = claim(bench, request, &first, error);
	for (size_t i = 0; i < CLAIMS && status == STATUS_OK; i++)
		status = claim(bench, request, &bench->times[choice][number][bench->samples + i],
			       error);
	return status;
}

static void print(struct bench *bench)
{
	for (size_t choice = 0; choice < CHOICES; choice++) {
		(void)printf("%-8s %-7s", choices[choice], bench->deep ? "deep" : "");
		for (size_t i = 0; i < NUMBERS; i++)
			(void)printf(" %8" PRId64, median(bench->times[choice][i], SAMPLES));
		(void)printf("\n");
	}
}

static enum status measure(struct bench *bench, struct error *error)
{
	enum status status = STATUS_OK;

	memset(bench->requests, 0, sizeof(bench->requests));
	bench->samples = 0;
	for (size_t round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < NUMBERS && status == STATUS_OK; i++) {
			status = set_paused(bench, numbers[i], error);
			for (size_t k = 0; k < CHOICES && status == STATUS_OK; k++)
				status = measure_one(bench, k, i, error);
		}
		bench->samples += CLAIMS;
	}
	if (status == STATUS_OK)
		print(bench);
	return status;
}

static enum status run(const char *url, int64_t deep, struct error *error)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	enum status status;

	if (!bench)
		return error_set(error, STATUS_FATAL, "out of memory");
	size_t applied;
	bench->arena = arena_new();
	status = db_open(&bench->db, url, NULL, error);
	if (status == STATUS_OK)
		status = schema_migrate(bench->db, bench->arena, &applied, error);
	if (status == STATUS_OK)
		status = fill(bench, error);
	(void)printf("%s\n", bench->db ? db_server(bench->db) : "no database");
	(void)printf("%-16s %8s %8s %8s %8s\n", "microseconds", "0", "1", "10", "100");
	if (status == STATUS_OK)
		status = measure(bench, error);
	if (status == STATUS_OK)
		status = put(bench, bench->paused, 1, -1, deep, error);
	bench->deep = true;
	if (status == STATUS_OK)
		status = measure(bench, error);
	db_close(bench->db);
	arena_free(bench->arena);
	free(bench);
	return status;
}

struct options {
	int64_t deep;
	bool failed;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	struct error error = { 0 };

	if (key == 'd') {
		if (parse_int(value, 1, 100000000, &options->deep) != STATUS_OK)
			argp_error(state, "'%s': expected a positive number", value);
		return 0;
	}
	if (key == ARGP_KEY_NO_ARGS)
		argp_usage(state);
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (run(value, options->deep, &error) != STATUS_OK) {
		(void)fprintf(stderr, "bench-pauses: %s\n", error.text);
		options->failed = true;
	}
	return 0;
}

int main(int argc, char *argv[])
{
	static const struct argp_option options_table[] = {
		{ "deep", 'd', "N", 0, "paused jobs in front (default 100000)", 0 },
		{ 0 },
	};
	static const struct argp argp = { .options = options_table,
					  .parser = parse,
					  .args_doc = "URL...",
					  .doc = "Measures claims beside paused queues." };
	struct options options = { .deep = 100000 };

	(void)argp_parse(&argp, argc, argv, 0, NULL, &options);
	return options.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
