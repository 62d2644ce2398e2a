/*
 * soak [--minutes N] [--seconds N] [--seed S] [--create] [--keep] --database URL
 *
 * Three deployments on one empty database, which is migrated. While jobs arrive, processes are
 * killed, stopped, frozen and restarted, queues paused, jobs retried and discarded, at random from
 * the seed; a fifth of the jobs is discarded, retried or snoozed by what its program says. Then the
 * deployments drain the queues, and every job is accounted for by its row and by the traces that
 * its runs have left in a file. Exit status 1, with the seed, when anything is wrong.
 */
#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/audit.h"
#include "bench/soak.h"
#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "common/text/uuid.h"
#include "db/driver.h"
#include "db/schema/schema.h"

#define PAUSE (20 * CLOCK_MILLISECOND) /* at most, between two actions */
#define YOUNG (10 * CLOCK_SECOND)      /* until then a process may grow */
#define MOST  (365 * CLOCK_DAY)

struct options {
	int64_t duration;
	int64_t seed;
	const char *url;
	bool create;
	bool keep;
};

static const struct argp_option option_table[] = {
	{ "minutes", 'm', "N", 0, "how long to disturb (default 2)", 0 },
	{ "seconds", 's', "N", 0, "the same in seconds", 0 },
	{ "seed", 'S', "S", 0, "what chooses the actions (default: random)", 0 },
	{ "database", 'd', "URL", 0, "an empty database of the soak's own", 0 },
	{ "create", 'c', NULL, 0, "make that database first, and drop it in the end", 0 },
	{ "keep", 'k', NULL, 0, "keep logs, traces and database in any case", 0 },
	{ 0 },
};

static int64_t number(const char *text, const struct argp_state *state)
{
	int64_t value = 0;

	if (parse_int(text, 1, INT64_C(1) << 53, &value) != STATUS_OK)
		argp_error(state, "'%s': expected a positive number", text);
	return value;
}

static error_t take_option(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'm':
		options->duration = number(value, state) * CLOCK_MINUTE;
		return 0;
	case 's':
		options->duration = number(value, state) * CLOCK_SECOND;
		return 0;
	case 'S':
		options->seed = number(value, state);
		return 0;
	case 'd':
		options->url = value;
		return 0;
	case 'c':
		options->create = true;
		return 0;
	case 'k':
		options->keep = true;
		return 0;
	case ARGP_KEY_END:
		if (!options->url || options->duration > MOST)
			argp_usage(state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/*
 * Losses are part of the test, so no number of them fails a job. A process that waits for the lock
 * of a frozen one must send heartbeats meanwhile: the waits are short.
 */
static const char queue_file[] = "database: {url: \"%s\", call_timeout: 3, retry_for: 0.5}\n"
				 "log: {level: warn}\n"
				 "process_heartbeat_interval: 0.5\n"
				 "process_alive_threshold: 5\n"
				 "max_losses: 1000\n"
				 "workers:\n"
				 "  - {queues: [red, green], threads: 3, polling_interval: 0.05}\n"
				 "  - {threads: 4, polling_interval: 0.05}\n"
				 "dispatchers:\n"
				 "  - {polling_interval: 0.1, batch_size: 100,"
				 " concurrency_maintenance_interval: 1}\n";

static const char jobs_file[] =
	"defaults: {environment: [PATH, EFFECTS]}\n"
	"jobs:\n"
	"  Effect: {module: \"" EFFECT_MODULE "\"}\n"
	"  Failing: {module: \"" EFFECT_MODULE "\"}\n"
	"  Limited:\n"
	"    module: \"" EFFECT_MODULE "\"\n"
	"    concurrency: {to: 2, group: Account}\n"
	"  Regional:\n"
	"    module: \"" EFFECT_MODULE "\"\n"
	"    concurrency: [{to: 2, group: Account}, {to: 3, group: Region}]\n"
	"  Command: {command: [\"" EFFECT_COMMAND "\", \"{0}\"]}\n"
	"  Ending:\n"
	"    command: [\"" EFFECT_COMMAND "\", \"{0}\", \"{1}\"]\n"
	"    exit: {65: discard, 75: retry, 99: snooze 1s}\n"
	"    retry: {attempts: 1000, wait: 1s}\n";

/* CREATE or DROP DATABASE, from the server's administrative one; SQLite makes its file itself. */
static enum status administer(const struct soak *soak, const char *verb, struct error *error)
{
	const char *slash = strrchr(soak->url, '/');
	struct db *db = NULL;

	if (strncmp(soak->url, "sqlite", 6) == 0) {
		if (verb[0] == 'D')
			(void)unlink(strchr(soak->url, ':') + 1);
		return STATUS_OK;
	}
	const char *admin = strncmp(soak->url, "postgres", 8) == 0 ? "postgres" : "mysql";
	enum status status = db_open(
		&db,
		arena_printf(soak->arena, "%.*s/%s", (int)(slash - soak->url), soak->url, admin),
		NULL, error);
	if (status == STATUS_OK)
		status = db_execute(
			db, arena_printf(soak->arena, "%s DATABASE %s", verb, slash + 1), error);
	db_close(db);
	return status;
}

static enum status open_database(struct soak *soak, struct error *error)
{
	size_t applied;
	enum status status = db_open(&soak->db, soak->url, NULL, error);

	if (status == STATUS_OK)
		status = schema_migrate(soak->db, soak->arena, &applied, error);
	return status == STATUS_OK ? audit_install(soak->db, error) : status;
}

static enum status start_hosts(struct soak *soak, struct error *error)
{
	const struct deployment_options options = {
		.queue_yml = arena_printf(soak->arena, queue_file, soak->url),
		.jobs_yml = jobs_file,
		.log = true,
	};
	enum status status = STATUS_OK;

	(void)snprintf(soak->effects, sizeof(soak->effects), "/tmp/dray-effects-%d", (int)getpid());
	if (setenv("EFFECTS", soak->effects, 1) != 0)
		return error_set(error, STATUS_FATAL, "setenv");
	for (size_t i = 0; i < SOAK_HOSTS && status == STATUS_OK; i++)
		status = deployment_start(&soak->hosts[i], &options, error);
	return status;
}

/* Deployments that are stopped gracefully must end cleanly. */
static void stop_hosts(struct soak *soak)
{
	for (size_t i = 0; i < SOAK_HOSTS; i++) {
		if (soak->hosts[i].pid == 0)
			continue;
		int status = deployment_stop(&soak->hosts[i]);
		if (status == 0)
			continue;
		(void)fprintf(stderr, "soak: host %zu ended with wait status %d\n", i + 1, status);
		soak->violations++;
	}
}

static enum status disturb(struct soak *soak, int64_t duration, struct error *error)
{
	int64_t begin = clock_monotonic();
	int64_t young = duration / 2 < YOUNG ? duration / 2 : YOUNG;
	enum status status = STATUS_OK;

	while (status == STATUS_OK && clock_monotonic() < begin + duration) {
		status = soak_act(soak, error);
		if (status == STATUS_OK)
			status = soak_look_after(soak, error);
		if (status == STATUS_OK)
			status = soak_look_at_limits(soak, error);
		if (soak->growth_count == 0 && clock_monotonic() > begin + young)
			soak_measure(soak, true);
		clock_sleep((int64_t)soak_random(soak, PAUSE));
	}
	return status;
}

/* Keeps whatever shows the cause when something was wrong. */
static void remove_traces(struct soak *soak, const struct options *options)
{
	struct error error = { 0 };

	db_close(soak->db);
	if (options->keep || soak->violations > 0) {
		for (size_t i = 0; i < SOAK_HOSTS; i++)
			(void)fprintf(stderr, "soak: kept %s\n", soak->hosts[i].directory);
		(void)fprintf(stderr, "soak: kept %s and the database\n", soak->effects);
		return;
	}
	for (size_t i = 0; i < SOAK_HOSTS; i++)
		deployment_remove(&soak->hosts[i]);
	(void)unlink(soak->effects);
	if (options->create && administer(soak, "DROP", &error) != STATUS_OK)
		(void)fprintf(stderr, "soak: %s\n", error.text);
}

static enum status run(struct soak *soak, const struct options *options, struct error *error)
{
	enum status status = options->create ? administer(soak, "CREATE", error) : STATUS_OK;
	int64_t begin = clock_monotonic();

	if (status == STATUS_OK)
		status = open_database(soak, error);
	if (status == STATUS_OK)
		status = start_hosts(soak, error);
	if (status == STATUS_OK)
		status = disturb(soak, options->duration, error);
	if (status == STATUS_OK)
		status = soak_calm(soak, error);
	if (status == STATUS_OK)
		status = soak_drain(soak, error);
	double seconds = (double)(clock_monotonic() - begin) / CLOCK_SECOND;
	soak_measure(soak, false);
	stop_hosts(soak);
	if (status == STATUS_OK) {
		(void)printf("soak of %s, seed %" PRId64 ", %.0f s\n", db_server(soak->db),
			     options->seed, seconds);
		status = soak_verify(soak, error);
	}
	return status;
}

int main(int argc, char **argv)
{
	static const struct argp argp = { .options = option_table, .parser = take_option };
	struct options options = { .duration = 2 * CLOCK_MINUTE,
				   .seed = (int64_t)random_below(UINT64_C(1) << 32) + 1 };
	struct error error = { 0 };

	if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0)
		return EXIT_USAGE;
	struct soak soak = { .url = options.url,
			     .random = (uint64_t)options.seed,
			     .arena = arena_new() };
	soak.jobs = arena_array(soak.arena, SOAK_JOBS, sizeof(*soak.jobs));
	enum status status = run(&soak, &options, &error);
	if (status != STATUS_OK)
		(void)fprintf(stderr, "soak: %s\n", error.text);
	bool good = status == STATUS_OK && soak.violations == 0;
	if (!good)
		(void)fprintf(stderr, "soak: %zu violations; seed %" PRId64 "\n", soak.violations,
			      options.seed);
	stop_hosts(&soak); /* those that run after an error */
	remove_traces(&soak, &options);
	history_clear(&soak.history);
	arena_free(soak.arena);
	return good ? EXIT_STOPPED : EXIT_ERROR;
}
