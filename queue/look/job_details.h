/* What the tables know of one job beyond its own row: what happened to it, and who has to do with
 * it. */
#ifndef JOB_DETAILS_H
#define JOB_DETAILS_H

#include "queue/processes/process.h"

/* A slot of a job. */
struct job_details_slot {
	const char *key;
	int64_t since;
};

/* A row before this one with the same Active Job id. */
struct job_details_attempt {
	int64_t id;
	int64_t created_at;
	int64_t finished_at; /* 0 = not */
};

/* The outcome of what is no run: a person retried the job, of which `process` is the name. */
#define RETRIED_BY_HAND "retried_by_hand"

/* A run of this row that its history has. */
struct job_details_run {
	int64_t attempt; /* 0 = none: it was cancelled while it waited, or RETRIED_BY_HAND */
	int64_t began_at, ended_at;
	const char *process; /* NULL = not known any more */
	const char *hostname;
	const char *outcome; /* "failed", "retried", "discarded", "interrupted", "snoozed",
				"lost", "cancelled", "finished", RETRIED_BY_HAND */
	const char *error;   /* as failed_executions.error; NULL = it succeeded */
	int64_t cpu_time;    /* of its process, microseconds; valid with peak_memory */
	int64_t peak_memory; /* bytes; 0 = not known */
	const char *group;   /* of the error; NULL = it is none, or is older than groups */
};

struct job_details {
	int64_t last_lost_at;   /* 0 = never; with losses: of the last one */
	bool retried;           /* by a person, without losses at that time */
	int64_t interruptions;  /* runs that were cut short, or put the job off */
	int64_t cancelled_at;   /* of a running job: a person has cancelled it; 0 = not */
	const char *cancelled;  /* by whom, and why */
	int64_t blocked_until;  /* of a blocked job */
	const char *waits_for;  /* the one of its keys that a blocked job waits for, else NULL */
	const char **more_keys; /* beside job.concurrency_key */
	size_t more_count;
	struct process_row process; /* that has claimed it; id 0 = none, or it has no row */
	int executions;             /* by Active Job's own count, before this row was enqueued */
	struct job_details_slot *slots;
	size_t slot_count;
	struct job_details_attempt *attempts; /* the last ones, the newest first */
	size_t attempt_count;
	struct job_details_run *runs; /* all that are kept, the newest first */
	size_t run_count;
};

/* Everything in the arena. */
enum status job_details_read(struct db *db, struct arena *arena, const struct job *job,
			     struct job_details *details, struct error *error) MUST_CHECK;

/* Whether the history has a run of the job. */
enum status job_has_run(struct db *db, int64_t id, bool *has, struct error *error) MUST_CHECK;

/* The error group of the failure that the job waits with, or whose retry it waits for; NULL: none.
 */
const char *job_error_group(const struct job *job, const struct job_details *details);

/* A job that has a key's slot. */
struct holder {
	int64_t job_id;
	const char *class_name;
	int64_t since;
	int64_t claimed_at;  /* 0 = ready: it runs soon */
	const char *process; /* name; NULL = not running, or its process has no row */
	int pid;
	const char *hostname;
};

struct holders {
	struct holder *list;
	size_t count;
};

/* The first of them: who holds a slot of ours, and whom Solid Queue lets run. In the arena. */
enum status holders_read(struct db *db, struct arena *arena, const char *key,
			 struct holders *holders, struct error *error) MUST_CHECK;

/*
 * How many jobs come before a ready one in its queue, or before a blocked one that waits for the
 * key; at most `most`. 0 for jobs in other states.
 */
enum status jobs_ahead(struct db *db, const struct job *job, const char *waits_for, int64_t most,
		       int64_t *ahead, struct error *error) MUST_CHECK;

#endif
