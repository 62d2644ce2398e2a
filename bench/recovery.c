/*
 * recovery [--rounds N] URL...
 *
 * How long jobs wait for another worker: after kill -9 of theirs on a living machine, and once
 * after their whole machine fell silent (all of its processes stopped), with the default settings.
 * Each database is empty, or left by an earlier run.
 */
#include <argp.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "bench/deployment.h"
#include "bench/median.h"
#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "db/schema/schema.h"
#include "queue/enqueue/enqueue.h"
#include "queue/manage/manage.h"
#include "queue/processes/process.h"

#define JOBS          8
#define MAXIMUM_URLS  8
#define MOST_ROUNDS   1000
#define MOST_CHILDREN 8
#define PATIENCE      (120 * CLOCK_SECOND)

struct options {
	int64_t rounds;
	const char *urls[MAXIMUM_URLS];
	size_t url_count;
};

/*
 * Microseconds from the kill until no process holds the jobs any more, and until another one runs
 * them.
 */
struct recovery {
	int64_t given_back;
	int64_t working;
};

struct patient {
	struct db *db;
	struct deployment hosts[2];
	struct process_row worker; /* the one that runs all jobs; its texts are not kept */
};

static const struct argp_option option_table[] = {
	{ "rounds", 'n', "N", 0, "how often a worker is killed (default 20)", 0 },
	{ 0 },
};

static error_t take_option(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;

	switch (key) {
	case 'n':
		if (parse_int(value, 1, MOST_ROUNDS, &options->rounds) != STATUS_OK)
			argp_error(state, "'%s': expected 1 to %d", value, MOST_ROUNDS);
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

static enum status start(struct deployment *host, const char *url, struct error *error)
{
	struct arena *arena = arena_new();
	const struct deployment_options how = {
		.queue_yml = arena_printf(arena,
					  "database: {url: \"%s\"}\nlog: {level: error}\n"
					  "workers:\n  - {threads: %d, polling_interval: 0.1}\n"
					  "dispatchers:\n  - {polling_interval: 1}\n",
					  url, JOBS),
		.jobs_yml = "jobs:\n  Sleep: {command: [sleep, \"3600\"], max_losses: 1000000}\n",
	};
	enum status status = deployment_start(host, &how, error);

	arena_free(arena);
	return status;
}

/* One look: which worker other than `before` runs all jobs, and does `before` still hold any? */
static enum status look(struct patient *patient, int64_t before, bool *held, bool *working,
			struct error *error)
{
	struct arena *arena = arena_new();
	struct process_row *rows;
	size_t count = 0;
	enum status status = process_list(patient->db, arena, &rows, &count, error);

	*held = false;
	*working = false;
	for (size_t i = 0; i < count; i++) {
		if (rows[i].id == before)
			*held = rows[i].claims > 0;
		else if (rows[i].claims == JOBS) {
			*working = true;
			patient->worker = rows[i];
		}
	}
	arena_free(arena);
	return status;
}

static enum status await(struct patient *patient, struct recovery *recovery, struct error *error)
{
	int64_t began = clock_monotonic();
	int64_t before = patient->worker.id;
	enum status status = STATUS_OK;
	bool held = true;
	bool working = false;

	*recovery = (struct recovery){ 0 };
	while (status == STATUS_OK && !working) {
		status = look(patient, before, &held, &working, error);
		int64_t passed = clock_monotonic() - began;
		if (passed > PATIENCE)
			return error_set(error, STATUS_FATAL, "the jobs do not run again");
		if (!held && recovery->given_back == 0)
			recovery->given_back = passed;
		if (working)
			recovery->working = passed;
		else
			clock_sleep(2 * CLOCK_MILLISECOND);
	}
	return status;
}

static double seconds(int64_t time)
{
	return (double)time / (double)CLOCK_SECOND;
}

static void show(const char *what, int64_t times[], size_t count)
{
	int64_t middle = median(times, count);

	(void)printf("  %-36s %8.3f s  worst %8.3f s\n", what, seconds(middle),
		     seconds(times[count - 1]));
}

static enum status kill_workers(struct patient *patient, size_t rounds, struct error *error)
{
	int64_t given_back[MOST_ROUNDS] = { 0 };
	int64_t working[MOST_ROUNDS] = { 0 };
	struct recovery recovery;

	for (size_t i = 0; i < rounds; i++) {
		(void)kill(patient->worker.pid, SIGKILL);
		enum status status = await(patient, &recovery, error);
		if (status != STATUS_OK)
			return status;
		given_back[i] = recovery.given_back;
		working[i] = recovery.working;
	}
	show("worker killed: ready again", given_back, rounds);
	show("worker killed: running again", working, rounds);
	return STATUS_OK;
}

static void signal_host(const struct deployment *host, int signal)
{
	pid_t children[MOST_CHILDREN];
	size_t count = deployment_children(host->pid, children, MOST_CHILDREN);

	if (host->pid == 0)
		return;
	(void)kill(host->pid, signal);
	for (size_t i = 0; i < count; i++)
		(void)kill(children[i], signal);
}

static enum status silence_host(struct patient *patient, const char *url, struct error *error)
{
	struct recovery recovery;
	enum status status = start(&patient->hosts[1], url, error);

	clock_sleep(10 * CLOCK_SECOND); /* it exists, and has stopped excusing silence */
	signal_host(&patient->hosts[0], SIGSTOP);
	if (status == STATUS_OK)
		status = await(patient, &recovery, error);
	signal_host(&patient->hosts[0], SIGKILL);
	(void)waitpid(patient->hosts[0].pid, NULL, 0);
	patient->hosts[0].pid = 0;
	if (status != STATUS_OK)
		return status;
	show("host silent: ready again", &recovery.given_back, 1);
	show("host silent: running again", &recovery.working, 1);
	return STATUS_OK;
}

static enum status prepare(struct patient *patient, struct error *error)
{
	const struct job_filter left = { .has_state = true, .state = JOB_READY };
	struct new_job jobs[JOBS];
	struct enqueued results[JOBS];
	struct arena *arena = arena_new();
	size_t applied;
	int64_t count;
	enum status status = schema_migrate(patient->db, arena, &applied, error);

	arena_free(arena);
	if (status == STATUS_OK)
		status = job_discard_all(patient->db, &left, &count, error);
	for (size_t i = 0; i < JOBS; i++)
		jobs[i] = (struct new_job){ .class_name = "Sleep" };
	return status == STATUS_OK ? enqueue(patient->db, jobs, JOBS, results, error) : status;
}

static enum status measure(const char *url, size_t rounds, struct error *error)
{
	struct patient patient = { 0 };
	struct recovery first;
	enum status status = db_open(&patient.db, url, NULL, error);

	if (status != STATUS_OK)
		return status;
	(void)printf("%s, %zu rounds, medians\n", db_server(patient.db), rounds);
	status = prepare(&patient, error);
	if (status == STATUS_OK)
		status = start(&patient.hosts[0], url, error);
	if (status == STATUS_OK)
		status = await(&patient, &first, error);
	if (status == STATUS_OK)
		status = kill_workers(&patient, rounds, error);
	if (status == STATUS_OK)
		status = silence_host(&patient, url, error);
	for (size_t i = 0; i < 2; i++) {
		signal_host(&patient.hosts[i], SIGQUIT);
		(void)deployment_stop(&patient.hosts[i]);
		deployment_remove(&patient.hosts[i]);
	}
	db_close(patient.db);
	return status;
}

int main(int argc, char **argv)
{
	static const struct argp argp = { .options = option_table,
					  .parser = take_option,
					  .args_doc = "URL..." };
	struct options options = { .rounds = 20 };
	int code = EXIT_STOPPED;

	if (argp_parse(&argp, argc, argv, 0, NULL, &options) != 0)
		return EXIT_USAGE;
	for (size_t i = 0; i < options.url_count; i++) {
		struct error error = { 0 };
		if (measure(options.urls[i], (size_t)options.rounds, &error) != STATUS_OK) {
			(void)fprintf(stderr, "recovery: %s\n", error.text);
			code = EXIT_ERROR;
		}
		(void)fflush(stdout);
	}
	return code;
}
