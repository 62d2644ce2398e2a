/*
 * The dead: processes that ended without leaving in good order, and claims without a process. Each
 * job they were running has been lost once more (dray_losses); it is ready again, or fails when it
 * has been lost too often, so that a job that kills its worker cannot do so for ever.
 */
#ifndef LOSS_H
#define LOSS_H

#include "queue/look/job.h"

/* How often a job may be lost; one more loss fails it. */
struct loss_policy {
	int64_t max_losses; /* 0 = the first loss fails */
	const char
		*classes; /* JSON [{"class_name", "max_losses"}]: those that differ; "[]" = none */
	int64_t audit;    /* the line of the audit trail that counts what is done; 0 = none */
	/*
	 * What a process of other software was running fails at its first loss, by that software's
	 * rule. `declared` is `classes` with every class of ours: where other software shares the
	 * tables, only these are ours among the claims whose process nobody knows any more.
	 */
	bool others_fail;
	const char *declared;    /* with others_fail */
	const char *other_class; /* for shared_look */
};

/* How many losses a job of this class survives. */
int64_t loss_bound(const struct loss_policy *policy, const char *class_name);

#define LOSS_WHO_SIZE 512

/* What was done. */
struct loss_result {
	int64_t processes; /* rows deleted */
	int64_t released;  /* jobs that are ready again */
	int64_t failed;    /* jobs that were lost too often */
	/* process_prune: who they were, "Worker worker-1 (host-1, pid 7)"; "..." = and more */
	char who[LOSS_WHO_SIZE];
	int64_t locked; /* process_prune: dead processes that wait for somebody's locks */
};

struct burial {
	const char *name; /* of the process row */
	int pid;
	const char *how; /* a sentence: "Exited with status 1.", "Received unhandled signal 9." */
};

/* What a supervisor does for a child of its own that died. NONE when there is no such row. */
enum status process_bury(struct db *db, const struct burial *burial,
			 const struct loss_policy *policy, struct loss_result *result,
			 struct error *error) MUST_CHECK;

struct prune {
	int64_t self;            /* this process id is left alone */
	int64_t threshold;       /* microseconds of silence; ours may miss five beats at least */
	int64_t other_threshold; /* for rows of other software, which publish no interval */
	int64_t slack;           /* so much longer may be the silence of those whose threshold is */
	int64_t watched;         /* longer than we have watched: perhaps they could not beat */
};

/* For the configured thresholds of ours and of others, who are never judged sooner than ours. */
struct prune prune_after(int64_t threshold, int64_t others, int64_t self);

/* Has this process, by its metadata, not beaten for longer (microseconds) than it may? */
bool process_silent(const struct prune *prune, const char *metadata, int64_t silence);

/*
 * Buries processes whose heartbeat is older than their own threshold, and remembers that there are
 * some of other software (queue/processes/shared.h). RETRY with result->locked >
 * 0: all but some whose rows are locked, by a session of their own that the server has not ended
 * yet.
 */
enum status process_prune(struct db *db, const struct prune *prune,
			  const struct loss_policy *policy, struct loss_result *result,
			  struct error *error) MUST_CHECK;

#define ORPHANS_MOST 500

/* Some claims whose process row does not exist, and their jobs. */
struct orphans {
	int64_t claims[ORPHANS_MOST];
	int64_t jobs[ORPHANS_MOST];
	size_t count;
};

/* The first of them above the claim `after`. */
enum status process_orphans(struct db *db, int64_t after, struct orphans *orphans,
			    struct error *error) MUST_CHECK;

/* The same for claims whose process row does not exist. */
enum status process_lose_orphans(struct db *db, const struct loss_policy *policy,
				 struct loss_result *result, struct error *error) MUST_CHECK;

#endif
