/*
 * The soak: hosts (deployments with a supervisor of their own) on one database, random actions from
 * a seed, then a full account of every job. Single-threaded. The server is not disturbed, so every
 * failure is a violation, except for locks that frozen processes hold.
 */
#ifndef SOAK_H
#define SOAK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bench/deployment.h"
#include "bench/history.h"
#include "db/db.h"

#define SOAK_HOSTS  3 /* the last one is not disturbed: its processes live as long as the soak */
#define SOAK_JOBS   2000000
#define SOAK_FROZEN 16 /* at once */
#define SOAK_KEYS   5
#define SOAK_EACH   2 /* keys of a job, at most */

enum soak_action {
	SOAK_ENQUEUE,
	SOAK_RETRY,
	SOAK_DISCARD,
	SOAK_PAUSE,
	SOAK_RESUME,
	SOAK_KILL_WORKER,
	SOAK_KILL_DISPATCHER,
	SOAK_STOP_WORKER,
	SOAK_FREEZE,
	SOAK_KILL_SUPERVISOR,
	SOAK_RESTART,
	SOAK_ACTIONS
};

extern const char *const soak_action_names[SOAK_ACTIONS];

/* A concurrency key, and how many of its jobs may run at once, as jobs.yml says. */
struct soak_key {
	const char *name;
	int slots;
};

extern const struct soak_key soak_keys[SOAK_KEYS];

/* A job, and the fate that is planned for it. */
struct soak_job {
	int64_t id;
	int8_t keys[SOAK_EACH]; /* from 1 to SOAK_KEYS; 0 = none, and none after it */
	bool fails;
	bool discarded;
};

/* A process that lives long, to see whether it grows. Bytes and descriptors at first, and now. */
struct soak_growth {
	pid_t pid;
	int64_t memory[2];
	size_t descriptors[2];
};

struct soak {
	const char *url;
	uint64_t random; /* state */
	struct db *db;
	struct arena *arena;
	char effects[64];
	struct deployment hosts[SOAK_HOSTS];
	struct {
		pid_t pid; /* 0 = free */
		int64_t until;
	} frozen[SOAK_FROZEN];
	struct soak_job *jobs;
	size_t job_count;
	struct soak_growth growth[8];
	size_t growth_count;
	size_t done[SOAK_ACTIONS];
	size_t retried; /* jobs */
	size_t refused; /* actions of our own: a frozen process held the lock for too long */
	struct {
		int64_t since; /* 0 = no job waits for this key while it has a free slot */
		int64_t longest;
	} idle[SOAK_KEYS]; /* at the looks at it */
	int64_t looked_at;
	size_t looks;
	struct history history;
	size_t violations;
};

/* Uniform from 0 to below - 1. */
uint64_t soak_random(struct soak *soak, uint64_t below);

/*
 * soak_actions.c: a random action; thaws processes that were frozen long enough and restarts those
 * that have ended.
 */
enum status soak_act(struct soak *soak, struct error *error) MUST_CHECK;
enum status soak_look_after(struct soak *soak, struct error *error) MUST_CHECK;

/* Thaws every process and resumes every queue. */
enum status soak_calm(struct soak *soak, struct error *error) MUST_CHECK;

/* soak_verify.c: looks at the processes that are not disturbed, at first and later. */
void soak_measure(struct soak *soak, bool first);

/* Waits until no job is ready, scheduled, blocked or running. A violation when none is run for a
 * minute. */
enum status soak_drain(struct soak *soak, struct error *error) MUST_CHECK;

/* Prints a violation, and counts it. */
void soak_violation(struct soak *soak, const char *what, int64_t job);

/*
 * soak_limits.c: looks at all keys about once a second: is any held by more jobs than it has slots,
 * or waited for although it has a free one, and still so after healing has had its time?
 */
enum status soak_look_at_limits(struct soak *soak, struct error *error) MUST_CHECK;

/*
 * At the end, from the runs, each of which counts for every key of its job: was no key ever held by
 * more jobs than it has slots, and is every slot free?
 */
enum status soak_check_limits(struct soak *soak, struct error *error) MUST_CHECK;

/* Accounts for every job; prints figures and violations, and counts these. */
enum status soak_verify(struct soak *soak, struct error *error) MUST_CHECK;

#endif
