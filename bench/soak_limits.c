/*
 * Limits, by what the runs have left behind. Of a job that ended, the run of its last claim is the
 * one that ended it, so that the job held its slot from before that run began until after it ended.
 * Runs of claims that were lost (by the killed and the frozen) prove nothing, and do not count.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/soak.h"
#include "queue/heal.h"

/* A run of a key begins (1) or ends (-1). */
struct moment {
	int64_t time;
	int64_t job;
	int change;
};

struct moments {
	struct moment *all; /* room for all of the history */
	size_t count;
};

/* Whoever ends does so before the next begins. */
static int by_time(const void *left, const void *right)
{
	const struct moment *a = left;
	const struct moment *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->change - b->change;
}

static const struct run *last_run(const struct soak *soak, int64_t job)
{
	size_t count;
	const struct run *runs = history_of(&soak->history, job, &count);
	const struct run *last = NULL;

	for (size_t i = 0; i < count; i++)
		if (!last || runs[i].claim > last->claim)
			last = &runs[i];
	return last;
}

static void collect(const struct soak *soak, int key, struct moments *moments)
{
	moments->count = 0;
	for (size_t i = 0; i < soak->job_count; i++) {
		const struct soak_job *job = &soak->jobs[i];
		const struct run *run = NULL;
		if (job->key == key && !job->discarded)
			run = last_run(soak, job->id);
		if (!run || run->end == 0)
			continue;
		moments->all[moments->count++] = (struct moment){ run->begin, run->job, 1 };
		moments->all[moments->count++] = (struct moment){ run->end, run->job, -1 };
	}
	if (moments->count > 0)
		qsort(moments->all, moments->count, sizeof(*moments->all), by_time);
}

static void check_key(struct soak *soak, int key, struct moments *moments)
{
	int running = 0;
	int most = 0;

	collect(soak, key, moments);
	for (size_t i = 0; i < moments->count; i++) {
		running += moments->all[i].change;
		if (running > most)
			most = running;
		if (moments->all[i].change > 0 && running > SOAK_SLOTS)
			soak_violation(soak, "ran above its limit", moments->all[i].job);
	}
	(void)printf("  key %d: %zu runs, at most %d of %d at once\n", key, moments->count / 2,
		     most, SOAK_SLOTS);
}

enum status soak_check_limits(struct soak *soak, struct error *error)
{
	struct moments moments = { .all = calloc(2 * soak->history.count + 1,
						 sizeof(*moments.all)) };
	struct heal look = { 0 };

	if (!moments.all)
		return error_set(error, STATUS_FATAL, "out of memory");
	for (int key = 1; key <= SOAK_KEYS; key++)
		check_key(soak, key, &moments);
	free(moments.all);
	enum status status = heal(soak->db, &look, error);
	if (status == STATUS_OK && (look.seen_count > 0 || look.admitted > 0))
		soak_violation(soak, "or another: a key has slots that do not add up", 0);
	heal_clear(&look);
	return status;
}
