/*
 * queue/doctor/: rows that do not fit together: finding, explaining and mending them.
 *
 * What can be wrong with the rows that make up the queue, whoever left them so, and how each kind
 * is mended without losing a job. Every look is one statement, so one snapshot: a job that is on
 * its way from table to table is never seen between them. Every mend is a transaction that looks
 * again behind locks, so that workers and other doctors may go on beside it.
 *
 * The order of precedence for a job that is in several tables is how far it has come: finished,
 * claimed, failed, ready, blocked, scheduled. So a run under way is not doubled, a failure waits
 * for a person as failures do, and what has a slot keeps it.
 */
#ifndef DOCTOR_H
#define DOCTOR_H

#include "queue/processes/loss.h"

/* In the order in which they are looked for and mended: what one mend leaves, a later one sees. */
enum ailment {
	AILMENT_MISSING_JOB,    /* an execution row whose job does not exist */
	AILMENT_FINISHED,       /* a finished job that still is in a table */
	AILMENT_SILENT,         /* a process whose heartbeat is too old */
	AILMENT_NO_SUPERVISOR,  /* the same, and its supervisor has no row either */
	AILMENT_NO_PROCESS,     /* a claim whose process has no row */
	AILMENT_TIME,           /* a time of an unfinished job that cannot be compared */
	AILMENT_NOWHERE,        /* an unfinished job in no table */
	AILMENT_SEVERAL_TABLES, /* an unfinished job in more than one */
	AILMENT_BEYOND,         /* ready or running without a slot, beyond the limit of its key */
	AILMENT_EMPTY_KEY,      /* blocked by the empty key, which nothing holds */
	AILMENT_VALUE,          /* a semaphore that does not count what is held */
	AILMENT_SLOT, /* a slot of a concurrency key whose job is not ready and does not run */
	AILMENTS
};

#define DOCTOR_EXAMPLES    5
#define DOCTOR_DETAIL_SIZE 96

/* One kind: the first few of them by number. */
struct finding {
	int64_t count;
	int64_t examples[DOCTOR_EXAMPLES];
	/* What is wrong with each, as it stands in the database; "" = the same as with all. */
	char details[DOCTOR_EXAMPLES][DOCTOR_DETAIL_SIZE];
};

struct ailment_text {
	const char *name;    /* a word for programs: "jobs_in_no_table" */
	const char *title;   /* a few words */
	const char *example; /* what the examples number: "job", "process" */
	const char *meaning; /* a sentence: what it is and where it comes from */
	const char *mend;    /* a sentence: what mending does */
};

/* Static. */
const struct ailment_text *ailment_text(enum ailment ailment);

struct doctor {
	struct db *db;
	struct prune prune;             /* who is silent */
	struct loss_policy policy;      /* what becomes of the jobs of the dead */
	int64_t patience;               /* between two looks at slots, microseconds */
	bool mend;                      /* not only look */
	int64_t audit;                  /* the line that counts what is mended; 0 = none */
	struct finding found[AILMENTS]; /* results: what there was before any mending */
};

/*
 * Looks at every unfinished job, every execution, every process and every slot, a thousand at a
 * time, and mends what it finds if doctor->mend. Slots come last, because other mends may leave
 * some behind, and take twice the patience if any do not add up. An error ends it: what was mended
 * before it stays mended.
 */
enum status doctor_examine(struct doctor *doctor, struct error *error) MUST_CHECK;

/*
 * Counts the processes that are silent now. After an outage they may only not have beaten again
 * yet, which a doctor who has just come cannot know: one who mends listens first.
 */
enum status doctor_silent(const struct doctor *doctor, int64_t *count,
			  struct error *error) MUST_CHECK;

/* Was anything found? */
bool doctor_found(const struct doctor *doctor);

#endif
