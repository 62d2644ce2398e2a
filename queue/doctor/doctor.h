/*
 * queue/doctor/: finds, explains and repairs rows that do not fit together.
 *
 * What can be wrong with the rows that make up the queue, whatever the cause, and how each kind is
 * repaired without losing a job. Every look is one statement, so one snapshot: a job that moves
 * from one table to another is never seen between them. Every repair is a transaction that looks
 * again behind locks, so that workers and other doctors may run at the same time.
 *
 * A job that is in several tables keeps the state that is furthest on: finished, claimed, failed,
 * ready, blocked, scheduled. So a running job is not run twice, a failure waits for a person as
 * failures do, and a job that has a slot keeps it.
 */
#ifndef DOCTOR_H
#define DOCTOR_H

#include "queue/processes/loss.h"

/*
 * In the order in which they are looked for and repaired: what one repair produces, a later one
 * finds.
 */
enum ailment {
	AILMENT_SEQUENCE,       /* a sequence whose next number is taken (PostgreSQL) */
	AILMENT_MISSING_JOB,    /* an execution row whose job does not exist */
	AILMENT_FINISHED,       /* a finished job that is still in a table */
	AILMENT_SILENT,         /* a process whose heartbeat is too old */
	AILMENT_NO_SUPERVISOR,  /* the same, and its supervisor has no row either */
	AILMENT_NO_PROCESS,     /* a claim whose process has no row */
	AILMENT_TIME,           /* a time of an unfinished job that cannot be compared */
	AILMENT_NOWHERE,        /* an unfinished job in no table */
	AILMENT_SEVERAL_TABLES, /* an unfinished job in more than one */
	AILMENT_BEYOND,         /* ready or running without a slot, above the limit of its key */
	AILMENT_EMPTY_KEY,      /* blocked by the empty key, which no job holds */
	AILMENT_VALUE,          /* a semaphore whose value does not match the held slots */
	AILMENT_SLOT,           /* a slot whose job is neither ready nor running */
	AILMENT_REFUSED,        /* a job that the database refuses to change (queue/refused) */
	AILMENTS
};

#define DOCTOR_EXAMPLES    5
#define DOCTOR_DETAIL_SIZE 96

/* One kind of ailment, with the first few examples. */
struct ailment_found {
	int64_t count;
	int64_t examples[DOCTOR_EXAMPLES];
	/* What is wrong with each example, as stored in the database; "" = the same for all. */
	char details[DOCTOR_EXAMPLES][DOCTOR_DETAIL_SIZE];
};

struct ailment_text {
	const char *name;    /* for programs: "jobs_in_no_table" */
	const char *title;   /* a few words */
	const char *example; /* what the examples' numbers are of: "job", "process" */
	const char *meaning; /* sentences: what it is and where it comes from */
	const char *mend;    /* sentences: what a repair does */
};

/* Static. */
const struct ailment_text *ailment_text(enum ailment ailment);

struct doctor {
	struct db *db;
	struct prune prune;                   /* when a process is silent */
	struct loss_policy policy;            /* what becomes of the jobs of dead processes */
	int64_t patience;                     /* between two looks at slots, in microseconds */
	bool mend;                            /* repair what is found */
	int64_t audit;                        /* the audit entry that counts repairs; 0 = none */
	struct ailment_found found[AILMENTS]; /* result: what was found before any repair */
};

/*
 * Looks at every unfinished job, every execution, every process and every slot, a thousand at a
 * time, and repairs what it finds if doctor->mend. Slots come last, because other repairs may leave
 * some behind; if the slots do not add up, they take twice the patience. An error ends it; repairs
 * made before it remain.
 */
enum status doctor_examine(struct doctor *doctor, struct error *error) MUST_CHECK;

/*
 * The part of it that is about sequences, with which a repair may have to begin: while that of the
 * audit trail is behind, no entry can be made there.
 */
enum status doctor_sequences(struct doctor *doctor, struct error *error) MUST_CHECK;

/*
 * Counts the processes that are silent now. After an outage, processes may not have sent their next
 * heartbeat yet, which doctor cannot tell; so before a repair it waits for heartbeats.
 */
enum status doctor_silent(const struct doctor *doctor, int64_t *count,
			  struct error *error) MUST_CHECK;

/* Whether anything was found. */
bool doctor_found(const struct doctor *doctor);

#endif
