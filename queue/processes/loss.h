/*
 * Dead processes, which ended without leaving in good order, and claims without a process. Each job
 * they were running has been lost once more (dray_losses); it is ready again, or ends when it has
 * been lost too often (it fails, or what its class says of that), so that a job that kills its
 * worker cannot do so for ever.
 */
#ifndef LOSS_H
#define LOSS_H

#include "queue/look/job.h"
#include "queue/pauses/pause.h"

/* How a job ends that was lost too often. */
struct loss_end {
	enum loss_fate { LOSS_FAILS, LOSS_RETRIES, LOSS_DISCARDS } fate;
	int64_t wait;     /* LOSS_RETRIES: until it runs again */
	const char *rule; /* the same: for payload_count_execution */
};

/* How often a job may be lost; one more loss ends it. */
struct loss_policy {
	int64_t max_losses;    /* where its class declares nothing; 0 = the first loss fails */
	bool alike;            /* whatever its class declares */
	int64_t audit;         /* the line of the audit trail that counts the jobs; 0 = none */
	int64_t keep_attempts; /* how many runs of a job its history has */
	/*
	 * The end of a job whose class declares this (struct class_policy.lost_end) and that was
	 * executed so often before; NULL = they all fail.
	 */
	struct loss_end (*end)(struct arena *arena, const char *declared, int executions);
	/*
	 * A job that a process of other software was running fails at its first loss, as in that
	 * software. Where other software shares the tables, only jobs of classes that declare how
	 * many losses they survive count as ours among the claims whose process is unknown.
	 */
	bool others_fail;
	const char *other_class; /* for shared_look */
};

/* How many losses a job survives whose class declares so many, or JOB_NO_BOUND. */
int64_t loss_bound(const struct loss_policy *policy, int64_t declared);

/*
 * For claims without a process. Nothing says which software made them; where there is other
 * software, a class of dray's makes a claim dray's.
 */
enum status loss_policy_orphans(struct db *db, const struct loss_policy *policy,
				struct loss_policy *own, struct error *error) MUST_CHECK;

#define LOSS_WHO_SIZE 512

/* What was done. */
struct loss_result {
	int64_t processes; /* rows deleted */
	int64_t released;  /* jobs that run again, at once or later */
	int64_t failed;    /* jobs that were lost too often: they failed, or were discarded */
	/* process_prune: their names, "Worker worker-1 (host-1, pid 7)"; "..." = and more */
	char who[LOSS_WHO_SIZE];
	int64_t locked; /* process_prune: dead processes whose rows others have locked */
};

struct burial {
	const char *name; /* of the process row */
	int pid;
	const char *how; /* a sentence: "Exited with status 1.", "Received unhandled signal 9." */
};

/* For a supervisor whose own child has died. NONE when there is no such row. */
enum status process_bury(struct db *db, const struct burial *burial,
			 const struct loss_policy *policy, struct loss_result *result,
			 struct error *error) MUST_CHECK;

struct prune {
	int64_t self;            /* the process with this ID is left alone */
	int64_t threshold;       /* microseconds of silence; at least five heartbeats of ours */
	int64_t other_threshold; /* for rows of other software, which publish no interval */
	int64_t slack;           /* added to thresholds longer than `watched` */
	int64_t watched;         /* the time we have watched; heartbeats may have failed before */
};

/*
 * For the configured thresholds of dray's processes and of others; the latter's is never the
 * shorter one.
 */
struct prune prune_after(int64_t threshold, int64_t others, int64_t self);

/* Is a process with this metadata silent if its last heartbeat is so old (microseconds)? */
bool process_silent(const struct prune *prune, const char *metadata, int64_t silence);

/*
 * Buries processes whose heartbeat is older than their own threshold, and remembers whether some
 * are of other software (queue/processes/shared.h). RETRY with result->locked > 0: all are buried
 * but some whose rows are still locked by a session of their own, which the server has not ended
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

/* The first of them after the claim `after`. */
enum status process_orphans(struct db *db, int64_t after, struct orphans *orphans,
			    struct error *error) MUST_CHECK;

/* Loses the jobs of claims whose process row does not exist. */
enum status process_lose_orphans(struct db *db, const struct loss_policy *policy,
				 struct loss_result *result, struct error *error) MUST_CHECK;

/*
 * Dead processes that are remembered: those that were buried or pruned, recorded in the transaction
 * that did so (process_lose). Of those that left in good order only the ones without a supervisor
 * are there, for the sake of their host, and gone_list leaves them out.
 */
#define GONE_KEPT  CLOCK_DAY
#define GONE_SHOWN CLOCK_HOUR
#define GONE_MOST  1000

struct gone {
	int64_t process_id;
	const char *kind;
	const char *name;
	const char *hostname; /* NULL = not known */
	int64_t pid;
	int64_t last_heartbeat_at;
	/* gone_list and gone_read only: */
	const char *how; /* a sentence: "Exited with status 1."; NULL = it left in good order */
	int64_t released;
	int64_t failed;
	int64_t at;
};

/* Those of the last hour (GONE_SHOWN), the latest first, at most GONE_MOST. */
enum status gone_list(struct db *db, struct arena *arena, struct gone **out, size_t *count,
		      struct error *error) MUST_CHECK;

/* The same of a day (GONE_KEPT), and those that left in good order. */
enum status gone_read(struct db *db, struct arena *arena, struct gone **out, size_t *count,
		      struct error *error) MUST_CHECK;

/* Forgets those of a host, with a line in the audit trail. NONE: there are none. */
enum status gone_forget(struct db *db, const char *hostname, const struct pause_note *note,
			struct error *error) MUST_CHECK;

/* Deletes some older ones; *more: there may be more of them. */
enum status gone_clear(struct db *db, bool *more, struct error *error) MUST_CHECK;

#endif
