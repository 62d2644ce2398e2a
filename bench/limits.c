/*
 * bench-limits [--rounds N] URL...
 *
 * The cost of concurrency limits. On each empty database, in turn: 500 due jobs without a limit,
 * with limits of as many slots over 1, 10 and 500 keys, and with one slot a key over 1 and 10.
 * Measured are the dispatch of all 500 at once, and the time until they are claimed and finished by
 * one client, at most 50 claims in each transaction. Medians of the rounds.
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
#include "queue/classes/classes.h"
#include "queue/enqueue/enqueue.h"
#include "queue/processes/process.h"
#include "queue/settle/settle.h"

#define JOBS        500
#define CLAIMED     50
#define MOST_ROUNDS 1000

/* What is measured: this many keys, each with the slots of its class; no keys = no limit. */
struct kind {
	const char *title;
	const char *class_name;
	size_t keys;
};

static const struct kind kinds[] = {
	{ "no limit", "Free", 0 },
	{ "1 key, 500 slots", "Wide", 1 },
	{ "10 keys, 500 slots each", "Wide", 10 },
	{ "500 keys, 500 slots each", "Wide", 500 },
	{ "1 key, 1 slot", "Narrow", 1 },
	{ "10 keys, 1 slot each", "Narrow", 10 },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Microseconds, one a round. */
struct times {
	int64_t dispatched[MOST_ROUNDS];
	int64_t finished[MOST_ROUNDS];
};

struct bench {
	struct db *db;
	struct claim_request request;
	struct times times[KINDS];
	size_t rounds;
};

static enum status declare(struct db *db, struct error *error)
{
	static const struct limit wide = { "Wide",      JOBS,    3 * CLOCK_MINUTE,
					   LIMIT_BLOCK, "{key}", NULL };
	static const struct limit narrow = { "Narrow",    1,       3 * CLOCK_MINUTE,
					     LIMIT_BLOCK, "{key}", NULL };
	const struct class_policy classes[] = { { "Free", JOB_NO_BOUND, NULL, 0 },
						{ "Wide", JOB_NO_BOUND, &wide, 1 },
						{ "Narrow", JOB_NO_BOUND, &narrow, 1 } };

	return classes_publish(db, classes, 3, error);
}

/* Adds the jobs, all of them due soon after this returns. */
static enum status put(struct db *db, const struct kind *kind, struct error *error)
{
	struct arena *arena = arena_new();
	struct new_job *jobs = arena_array(arena, JOBS, sizeof(*jobs));
	struct enqueued *results = arena_array(arena, JOBS, sizeof(*results));

	for (size_t i = 0; i < JOBS; i++)
		jobs[i] = (struct new_job){
			.class_name = kind->class_name,
			.delay = 1,
			.concurrency_key = kind->keys > 0
						   ? arena_printf(arena, "%s/%zu", kind->class_name,
								  i % kind->keys)
						   : NULL,
		};
	enum status status = enqueue(db, jobs, JOBS, results, error);
	arena_free(arena);
	clock_sleep(CLOCK_MILLISECOND);
	return status;
}

/* Finishes these and claims the next, which replace them. */
static enum status turn(struct bench *bench, struct arena *arena, struct claim **claims,
			size_t *count, struct error *error)
{
	struct outcome *outcomes = arena_array(arena, *count + 1, sizeof(*outcomes));
	struct settle_request request = { .process_id = bench->request.process_id,
					  .outcomes = outcomes,
					  .outcome_count = *count,
					  .preserve_finished_jobs = true,
					  .claim = &bench->request };

	for (size_t i = 0; i < *count; i++)
		outcomes[i] = (struct outcome){
			.claim = claim_name(&(*claims)[i]),
			.kind = OUTCOME_FINISHED,
			.limited = (*claims)[i].job.concurrency_key != NULL,
		};
	return settle(bench->db, arena, &request, claims, count, error);
}

static enum status drain(struct bench *bench, struct error *error)
{
	struct arena *arena = arena_new();
	struct claim *claims = NULL;
	size_t count = 0;
	size_t finished = 0;
	enum status status = turn(bench, arena, &claims, &count, error);

	/*
	 * A claim that found nothing only looks the next time, so an empty result is tried twice.
	 */
	while (status == STATUS_OK && finished < JOBS) {
		finished += count;
		status = turn(bench, arena, &claims, &count, error);
		if (status == STATUS_OK && count == 0 && finished < JOBS)
			status = turn(bench, arena, &claims, &count, error);
		if (status == STATUS_OK && count == 0 && finished < JOBS)
			status = error_set(error, STATUS_FATAL, "only %zu of %d jobs ran", finished,
					   JOBS);
	}
	arena_free(arena);
	return status;
}

static enum status measure(struct bench *bench, size_t at, size_t round, struct error *error)
{
	struct times *times = &bench->times[at];
	int64_t moved = 0;
	enum status status = put(bench->db, &kinds[at], error);
	int64_t start = clock_monotonic();

	if (status == STATUS_OK)
		status = dispatch(bench->db, &(struct dispatching){ 0 }, JOBS, &moved, error);
	times->dispatched[round] = clock_monotonic() - start;
	if (status == STATUS_OK && moved != JOBS)
		status = error_set(error, STATUS_FATAL, "%" PRId64 " dispatched", moved);
	start = clock_monotonic();
	if (status == STATUS_OK)
		status = drain(bench, error);
	times->finished[round] = clock_monotonic() - start;
	return status;
}

static void print(struct bench *bench)
{
	(void)printf("%s, medians of %zu, microseconds\n", db_server(bench->db), bench->rounds);
	(void)printf("%-26s %16s %18s\n", "500 jobs", "dispatch of all", "claim and finish");
	for (size_t i = 0; i < KINDS; i++)
		(void)printf("%-26s %16" PRId64 " %18" PRId64 "\n", kinds[i].title,
			     median(bench->times[i].dispatched, bench->rounds),
			     median(bench->times[i].finished, bench->rounds));
}

static enum status measure_all(struct bench *bench, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t round = 0; round < bench->rounds; round++)
		for (size_t i = 0; i < KINDS && status == STATUS_OK; i++)
			status = measure(bench, i, round, error);
	if (status == STATUS_OK)
		print(bench);
	return status;
}

static enum status prepare(struct bench *bench, struct selector *selector, struct arena *arena,
			   const char *url, struct error *error)
{
	static const char *const queues[] = { "*" };
	struct process_row process = { .kind = "Worker", .name = "bench", .hostname = "bench" };
	size_t applied;
	enum status status = db_open(&bench->db, url, NULL, error);

	if (status == STATUS_OK)
		status = schema_migrate(bench->db, arena, &applied, error);
	if (status == STATUS_OK)
		status = declare(bench->db, error);
	if (status == STATUS_OK)
		status = process_register(bench->db, &process, error);
	if (status == STATUS_OK)
		status = selector_compile(arena, queues, 1, selector, error);
	bench->request = (struct claim_request){ .selector = selector,
						 .process_id = process.id,
						 .limit = CLAIMED };
	return status;
}

static enum status run(const char *url, size_t rounds, struct error *error)
{
	struct bench *bench = calloc(1, sizeof(*bench));
	struct arena *arena = arena_new();
	struct selector selector;

	if (!bench)
		out_of_memory();
	bench->rounds = rounds;
	enum status status = prepare(bench, &selector, arena, url, error);
	if (status == STATUS_OK)
		status = measure_all(bench, error);
	db_close(bench->db);
	arena_free(arena);
	free(bench);
	return status;
}

struct options {
	int64_t rounds;
	bool failed;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	struct error error = { 0 };

	if (key == 'n') {
		if (parse_int(value, 1, MOST_ROUNDS, &options->rounds) != STATUS_OK)
			argp_error(state, "'%s': expected 1 to %d", value, MOST_ROUNDS);
		return 0;
	}
	if (key == ARGP_KEY_NO_ARGS)
		argp_usage(state);
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (run(value, (size_t)options->rounds, &error) != STATUS_OK) {
		(void)fprintf(stderr, "bench-limits: %s\n", error.text);
		options->failed = true;
	}
	return 0;
}

int main(int argc, char *argv[])
{
	static const struct argp_option table[] = {
		{ "rounds", 'n', "N", 0, "rounds of all kinds in turn (default 15)", 0 },
		{ 0 },
	};
	static const struct argp argp = { .options = table,
					  .parser = parse,
					  .args_doc = "URL...",
					  .doc = "Measures limited jobs beside unlimited ones." };
	struct options options = { .rounds = 15 };

	(void)argp_parse(&argp, argc, argv, 0, NULL, &options);
	return options.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
