/* The result of a soak: every job's fate, every run, and processes that have grown. */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/audit.h"
#include "bench/soak.h"
#include "common/clock.h"
#include "db/operations.h"
#include "queue/manage/manage.h"

#define PAGE          2000
#define SHOWN         10 /* violations of one kind, by example */
#define MOST_CHILDREN 32
#define STANDSTILL    CLOCK_MINUTE /* a slow server may take long, but some progress is required */
#define LOOK          (50 * CLOCK_MILLISECOND)
#define ROOM          INT64_C(4194304) /* bytes: caches that fill, buffers that find their size */
#define DESCRIPTORS   4

/* A job as the database has it. */
struct fate {
	int64_t id;
	int64_t finished_at;
	bool planned; /* it was planned to fail */
};

struct fates {
	struct fate *all;
	size_t count;
	size_t capacity;
};

struct figures {
	size_t finished;
	size_t failed;
	size_t discarded;
	size_t rerun;
	size_t late; /* runs that frozen processes began after the job had finished */
};

void soak_violation(struct soak *soak, const char *what, int64_t job)
{
	if (soak->violations++ < SHOWN)
		(void)fprintf(stderr, "soak: job %" PRId64 " %s\n", job, what);
}

static size_t descriptors_of(pid_t pid)
{
	char path[64];
	size_t count = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	DIR *directory = opendir(path);
	if (!directory)
		return 0;
	while (readdir(directory)) /* NOLINT(concurrency-mt-unsafe): its only thread */
		count++;
	(void)closedir(directory);
	return count;
}

void soak_measure(struct soak *soak, bool first)
{
	pid_t children[MOST_CHILDREN];
	pid_t supervisor = soak->hosts[SOAK_HOSTS - 1].pid;

	if (first) {
		size_t count = deployment_children(supervisor, children, MOST_CHILDREN);
		soak->growth[soak->growth_count++].pid = supervisor;
		for (size_t i = 0; i < count && soak->growth_count < 8; i++)
			soak->growth[soak->growth_count++].pid = children[i];
	}
	for (size_t i = 0; i < soak->growth_count; i++) {
		struct soak_growth *growth = &soak->growth[i];
		growth->memory[!first] = deployment_memory_of(growth->pid);
		growth->descriptors[!first] = descriptors_of(growth->pid);
	}
}

/*
 * With SQLite a process that is frozen in a transaction keeps all others from sending heartbeats.
 */
static bool may_be_locked_out(const struct soak *soak)
{
	return db_dialect_of(soak->db) == DB_SQLITE;
}

/* Prints the lines of the logs that have one of these, but those about failed jobs: how many. */
static size_t tell(const struct soak *soak, const char *text, const char *other)
{
	char *line = NULL;
	size_t room = 0;
	size_t count = 0;

	for (size_t i = 0; i < SOAK_HOSTS; i++) {
		const char *path = arena_printf(soak->arena, "%s/log", soak->hosts[i].directory);
		FILE *log = fopen(path, "re");
		while (log && getline(&line, &room, log) > 0)
			if ((strstr(line, text) || strstr(line, other)) &&
			    !strstr(line, "job.failed")) {
				(void)fprintf(stderr, "soak: host %zu: %s", i + 1, line);
				count++;
			}
		if (log)
			(void)fclose(log);
	}
	free(line);
	return count;
}

static void tell_of(const struct soak *soak, pid_t pid)
{
	(void)tell(soak, arena_printf(soak->arena, ":%d,", (int)pid),
		   arena_printf(soak->arena, ":%d}", (int)pid));
}

/* All that dies here is replaced, and what is paused goes on: nobody is to be told of that. */
static void check_findings(struct soak *soak)
{
	if (tell(soak, "\"finding.began\"", "\"alarm.failed\"") > 0)
		soak_violation(soak, "(0 = all): a finding was reported", 0);
}

static void check_growth(struct soak *soak)
{
	for (size_t i = 0; i < soak->growth_count; i++) {
		const struct soak_growth *growth = &soak->growth[i];
		(void)printf("  process %-8d PSS %6.1f -> %6.1f MiB, descriptors %zu -> %zu\n",
			     (int)growth->pid, (double)growth->memory[0] / 1048576,
			     (double)growth->memory[1] / 1048576, growth->descriptors[0],
			     growth->descriptors[1]);
		if (growth->memory[1] == 0 && !may_be_locked_out(soak)) {
			soak_violation(soak, "(a process that nobody disturbed) has gone",
				       growth->pid);
			tell_of(soak, growth->pid);
		}
		if (growth->memory[1] > growth->memory[0] * 5 / 4 + ROOM)
			soak_violation(soak, "(a process) has grown", growth->pid);
		if (growth->descriptors[1] > growth->descriptors[0] + DESCRIPTORS)
			soak_violation(soak, "(a process) has more and more descriptors",
				       growth->pid);
	}
}

static enum status any_in(struct soak *soak, enum job_state state, int64_t *id, struct error *error)
{
	struct arena *arena = arena_new();
	const struct job_filter filter = { .has_state = true, .state = state, .limit = 1 };
	struct job *jobs;
	size_t count = 0;
	enum status status = job_list(soak->db, arena, &filter, &jobs, &count, error);

	if (status == STATUS_OK && count > 0)
		*id = jobs[0].id;
	arena_free(arena);
	return status;
}

enum status soak_drain(struct soak *soak, struct error *error)
{
	static const enum job_state states[] = { JOB_SCHEDULED, JOB_READY, JOB_CLAIMED,
						 JOB_BLOCKED };
	int64_t deadline = 0;
	enum status status = STATUS_OK;
	int64_t left = 1;
	size_t lines = 0;

	while (status == STATUS_OK && left != 0) {
		left = 0;
		if (history_lines(soak->effects) > lines || deadline == 0)
			deadline = clock_monotonic() + STANDSTILL;
		lines = history_lines(soak->effects);
		for (size_t i = 0; i < 4 && status == STATUS_OK && left == 0; i++)
			status = any_in(soak, states[i], &left, error);
		if (left != 0 && clock_monotonic() > deadline) {
			soak_violation(soak, "is not run", left);
			break;
		}
		clock_sleep(LOOK);
		if (status == STATUS_OK)
			status = soak_look_after(soak, error);
		if (status == STATUS_OK)
			status = soak_look_at_limits(soak, error);
	}
	return status;
}

static void add_fate(struct fates *fates, const struct job *job)
{
	if (fates->count == fates->capacity) {
		fates->capacity = fates->capacity * 2 + PAGE;
		fates->all = realloc(fates->all, fates->capacity * sizeof(*fates->all));
		if (!fates->all)
			out_of_memory();
	}
	fates->all[fates->count++] = (struct fate){
		.id = job->id,
		.finished_at = job->finished_at,
		.planned = job->error && strstr(job->error, "Effect::Planned"),
	};
}

static enum status read_fates(struct soak *soak, enum job_state state, struct fates *fates,
			      struct error *error)
{
	struct job_filter filter = { .has_state = true, .state = state, .limit = PAGE };
	enum status status = STATUS_OK;
	size_t count = PAGE;

	while (status == STATUS_OK && count == PAGE) {
		struct arena *arena = arena_new();
		struct job *jobs;
		count = 0;
		status = job_list(soak->db, arena, &filter, &jobs, &count, error);
		for (size_t i = 0; i < count; i++)
			add_fate(fates, &jobs[i]);
		if (count > 0)
			filter.before = jobs[count - 1].id;
		arena_free(arena);
	}
	return status;
}

static int by_id(const void *left, const void *right)
{
	int64_t a = ((const struct fate *)left)->id;
	int64_t b = ((const struct fate *)right)->id;

	return a < b ? -1 : a > b;
}

static void check_runs(struct soak *soak, const struct fate *fate, struct figures *figures)
{
	size_t count;
	const struct run *runs = history_of(&soak->history, fate->id, &count);

	if (count == 0)
		soak_violation(soak, "has an end but was never run", fate->id);
	figures->rerun += count > 1;
	for (size_t i = 0; i < count && fate->finished_at > 0; i++)
		figures->late += runs[i].begin > fate->finished_at + CLOCK_SECOND;
}

static void check_job(struct soak *soak, const struct soak_job *job, const struct fates *fates,
		      struct figures *figures)
{
	const struct fate key = { .id = job->id };
	const struct fate *fate = NULL;

	if (fates->count > 0)
		fate = bsearch(&key, fates->all, fates->count, sizeof(*fates->all), by_id);
	if (job->discarded) {
		figures->discarded++;
		if (fate)
			soak_violation(soak, "was discarded and is still there", job->id);
		return;
	}
	if (!fate) {
		soak_violation(soak, "is lost", job->id);
		return;
	}
	check_runs(soak, fate, figures);
	figures->finished += fate->finished_at > 0;
	figures->failed += fate->planned;
	if (job->fails ? !fate->planned : fate->finished_at == 0)
		soak_violation(soak, "did not end as planned", job->id);
}

static enum status check_fates(struct soak *soak, struct figures *figures, struct error *error)
{
	struct fates fates = { 0 };
	enum status status = read_fates(soak, JOB_FINISHED, &fates, error);

	if (status == STATUS_OK)
		status = read_fates(soak, JOB_FAILED, &fates, error);
	if (fates.count > 0)
		qsort(fates.all, fates.count, sizeof(*fates.all), by_id);
	for (size_t i = 0; i < soak->job_count && status == STATUS_OK; i++)
		check_job(soak, &soak->jobs[i], &fates, figures);
	free(fates.all);
	return status;
}

static enum status check_invariant(struct soak *soak, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(soak->db, arena, DB_PLAIN(invariant), &rows, error);

	for (size_t i = 0; i < rows.count && status == STATUS_OK; i++)
		soak_violation(soak, db_text(&rows, i, INVARIANT_PROBLEM),
			       db_int(&rows, i, INVARIANT_EXAMPLE));
	arena_free(arena);
	return status;
}

/* How many runs have ended without success, each in a way that some must have taken. */
static enum status check_history(struct soak *soak, struct error *error)
{
	static const char *const outcomes[] = { "discarded", "retried", "snoozed" };
	enum status status = STATUS_OK;

	for (size_t i = 0; i < sizeof(outcomes) / sizeof(*outcomes) && status == STATUS_OK; i++) {
		int64_t count = 0;
		status = audit_ask(soak->url,
				   arena_printf(soak->arena,
						"SELECT COUNT(*) FROM dray_attempts "
						"WHERE outcome = '%s'",
						outcomes[i]),
				   &count, error);
		(void)printf("  %6" PRId64 " runs %s\n", count, outcomes[i]);
		if (status == STATUS_OK && count == 0)
			soak_violation(soak, "(0 = all): no run was of this kind", 0);
	}
	return status;
}

static void show(const struct soak *soak, const struct figures *figures)
{
	(void)printf("  %zu jobs: %zu finished, %zu failed as planned, %zu discarded\n",
		     soak->job_count, figures->finished, figures->failed, figures->discarded);
	(void)printf("  %zu runs; %zu jobs ran more than once, %zu runs were begun late by "
		     "processes that had been frozen\n",
		     soak->history.count, figures->rerun, figures->late);
	for (size_t i = 0; i < SOAK_ACTIONS; i++)
		(void)printf("  %6zu %s\n", soak->done[i], soak_action_names[i]);
	(void)printf("  %6zu of these refused for the lock of a frozen process\n", soak->refused);
}

enum status soak_verify(struct soak *soak, struct error *error)
{
	struct figures figures = { 0 };
	int64_t twice = 0;
	int64_t example = 0;
	enum status status = history_read(&soak->history, soak->effects, error);

	if (status == STATUS_OK)
		status = check_fates(soak, &figures, error);
	if (status == STATUS_OK)
		status = check_invariant(soak, error);
	if (status == STATUS_OK)
		status = soak_check_limits(soak, error);
	if (status == STATUS_OK)
		status = audit_ask(soak->url, "SELECT COALESCE(MIN(job_id), 0) FROM twice", &twice,
				   error);
	if (status == STATUS_OK)
		status = check_history(soak, error);
	if (status != STATUS_OK)
		return status;
	if (twice > 0)
		soak_violation(soak, "(and perhaps others) was finished twice", twice);
	if (history_repeated(&soak->history, &example) > 0)
		soak_violation(soak, "was run twice for one claim", example);
	show(soak, &figures);
	check_growth(soak);
	check_findings(soak);
	return STATUS_OK;
}
