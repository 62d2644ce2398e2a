/*
 * Checks limits by the traces of the runs. The run of a finished job's last claim is the one that
 * ended it, so the job held its slot from before that run began until after it ended. Runs of lost
 * claims (of killed and frozen processes) prove nothing, and do not count.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/soak.h"
#include "common/clock.h"
#include "db/operations.h"
#include "queue/limits/heal.h"

#define EVERY    CLOCK_SECOND
/* Healing looks every second, and may be delayed by a frozen process that holds a lock (10 s). */
#define PATIENCE (30 * CLOCK_SECOND)

/* A run of a key begins (1) or ends (-1). */
struct turn {
	int64_t time;
	int64_t job;
	int change;
};

struct turns {
	struct turn *all; /* room for all of the history */
	size_t count;
};

/* At the same time, ends come before beginnings. */
static int by_time(const void *left, const void *right)
{
	const struct turn *a = left;
	const struct turn *b = right;

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

static bool has_key(const struct soak_job *job, int key)
{
	for (int i = 0; i < SOAK_EACH; i++)
		if (job->keys[i] == key)
			return true;
	return false;
}

static void collect(const struct soak *soak, int key, struct turns *turns)
{
	turns->count = 0;
	for (size_t i = 0; i < soak->job_count; i++) {
		const struct soak_job *job = &soak->jobs[i];
		const struct run *run = NULL;
		if (has_key(job, key) && !job->discarded)
			run = last_run(soak, job->id);
		if (!run || run->end == 0)
			continue;
		turns->all[turns->count++] = (struct turn){ run->begin, run->job, 1 };
		turns->all[turns->count++] = (struct turn){ run->end, run->job, -1 };
	}
	if (turns->count > 0)
		qsort(turns->all, turns->count, sizeof(*turns->all), by_time);
}

static void check_key(struct soak *soak, int key, struct turns *turns)
{
	const struct soak_key *limit = &soak_keys[key - 1];
	int running = 0;
	int most = 0;

	collect(soak, key, turns);
	for (size_t i = 0; i < turns->count; i++) {
		running += turns->all[i].change;
		if (running > most)
			most = running;
		if (turns->all[i].change > 0 && running > limit->slots)
			soak_violation(soak, "ran above its limit", turns->all[i].job);
	}
	(void)printf("  key %s: %zu runs, at most %d of %d at once; waited for with a free slot"
		     " for %.0f s at most\n",
		     limit->name, turns->count / 2, most, limit->slots,
		     (double)soak->idle[key - 1].longest / CLOCK_SECOND);
}

/* The key's number, from 1; 0 = it is none of the soak's. */
static int number_of(const char *name)
{
	for (int i = 0; i < SOAK_KEYS; i++)
		if (strcmp(soak_keys[i].name, name) == 0)
			return i + 1;
	return 0;
}

/* One row of slots_examine: the state of the key in one snapshot. */
static void look_at_key(struct soak *soak, const struct db_rows *rows, size_t row, bool seen[])
{
	int key = number_of(db_text(rows, row, SLOTS_EXAMINE_KEY));
	int64_t held =
		db_int(rows, row, SLOTS_EXAMINE_LIVE) + db_int(rows, row, SLOTS_EXAMINE_STALE);

	if (key == 0) {
		soak_violation(soak, "or another has a key that nobody gave it", 0);
		return;
	}
	if (held > soak_keys[key - 1].slots)
		soak_violation(soak, "or another holds a slot more than there are", 0);
	seen[key - 1] =
		db_int(rows, row, SLOTS_EXAMINE_WAITING) != 0 && held < soak_keys[key - 1].slots;
}

static void count_idle(struct soak *soak, int key, bool idle, int64_t now)
{
	if (!idle) {
		soak->idle[key].since = 0;
		return;
	}
	if (soak->idle[key].since == 0)
		soak->idle[key].since = now;
	int64_t span = now - soak->idle[key].since;
	if (span > soak->idle[key].longest)
		soak->idle[key].longest = span;
	if (span > PATIENCE) {
		soak_violation(soak, "or another waits for a key that has a free slot", 0);
		soak->idle[key].since = now;
	}
}

enum status soak_look_at_limits(struct soak *soak, struct error *error)
{
	int64_t now = clock_monotonic();
	struct db_rows rows = { 0 };

	if (now < soak->looked_at + EVERY)
		return STATUS_OK;
	struct arena *arena = arena_new();
	enum status status = db_query(
		soak->db, arena,
		DB_CALL(slots_examine, .after = P_TEXT(""), .limit = P_INT(10 * SOAK_KEYS)), &rows,
		error);
	if (status == STATUS_OK) {
		bool idle[SOAK_KEYS] = { false };
		soak->looked_at = now;
		soak->looks++;
		for (size_t i = 0; i < rows.count; i++)
			look_at_key(soak, &rows, i, idle);
		for (int key = 0; key < SOAK_KEYS; key++)
			count_idle(soak, key, idle[key], now);
	}
	arena_free(arena);
	return status == STATUS_RETRY ? STATUS_OK : status;
}

enum status soak_check_limits(struct soak *soak, struct error *error)
{
	struct turns turns = { .all = calloc(2 * soak->history.count + 1, sizeof(*turns.all)) };
	struct heal look = { 0 };

	if (!turns.all)
		return error_set(error, STATUS_FATAL, "out of memory");
	for (int key = 1; key <= SOAK_KEYS; key++)
		check_key(soak, key, &turns);
	(void)printf("  %zu looks at all keys\n", soak->looks);
	free(turns.all);
	enum status status = heal(soak->db, &look, error);
	if (status == STATUS_OK && (look.memory.before.count > 0 || look.admitted > 0))
		soak_violation(soak, "or another: a key has slots that do not add up", 0);
	heal_clear(&look);
	return status;
}
