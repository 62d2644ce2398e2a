/*
 * How a run may end. Settling, the worker and the tests read what follows from each way in one
 * table, so that a new way is a row here and a script in db/sql/settle.
 */
#ifndef OUTCOMES_H
#define OUTCOMES_H

#include "queue/claim/claim.h"

enum outcome_kind {
	OUTCOME_FINISHED,
	OUTCOME_RECORDED,    /* finished, and the history of its class has that, too */
	OUTCOME_FAILED,      /* the job waits for a person */
	OUTCOME_RELEASED,    /* it never began: it counts for nothing */
	OUTCOME_RETRIED,     /* it failed, and the job is executed again later */
	OUTCOME_DISCARDED,   /* it failed in a way that ends the job */
	OUTCOME_INTERRUPTED, /* it was cut short: no failure, and no execution */
	OUTCOME_SNOOZED,     /* it put the job off: the same */
	OUTCOME_CANCELLED,   /* a person ended the job */
	OUTCOMES
};

struct outcome_rule {
	const char *operation; /* the script, for many claims at once */
	const char *deletes;   /* instead, where finished jobs are not preserved; NULL = the same */
	enum job_state next;   /* where it leaves the job */
	bool in_history;       /* each claim comes with the end of its run, for the history */
};

extern const struct outcome_rule outcome_rules[OUTCOMES];

/* Does its job wait to be claimed again? */
bool outcome_runs_again(enum outcome_kind kind);

/* How one run ended. */
struct outcome {
	struct claim_name claim;
	enum outcome_kind kind;
	const char *error;          /* payload_error's text; NULL = it succeeded */
	int64_t attempt;            /* where in_history: its number, job_attempt */
	const char *group;          /* of an error: its fingerprint; NULL = it is none */
	int64_t began_at, ended_at; /* clock_monotonic; 0 = now */
	int64_t cpu_time;           /* of its process, microseconds; valid with peak_memory */
	int64_t peak_memory;        /* resident bytes of its process at most; 0 = not known */
	int64_t wait;               /* where the job is scheduled: microseconds from now */
	const char *payload;        /* OUTCOME_RETRIED: the job's new one; NULL = as it is */
	bool limited;               /* its job has a concurrency key */
	bool refused;               /* result: the claim is gone, so nothing was changed */
	const char *why;            /* result: a sentence that says why, when refused or told */
	bool told;                  /* result: the job was cancelled, and has ended so */
	bool aside;                 /* result: the database refuses it: it must be offered again */
};

#endif
