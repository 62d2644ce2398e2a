/*
 * Why a job is not running. `why_read` gathers what the tables know; `why_explain` turns that, and
 * nothing else, into reasons and a paragraph. Everything that keeps a job is told, not the first
 * thing found.
 */
#ifndef QUEUE_WHY_H
#define QUEUE_WHY_H

#include "queue/look/story.h"
#include "queue/look/survey.h"

#define WHY_MOST_AHEAD 1000 /* jobs before it are counted to here */

/* Workers that serve the job's queue; each is counted once below `alive`. */
struct why_workers {
	int64_t silent; /* for too long */
	int64_t alive;
	int64_t quiet;   /* told to take nothing */
	int64_t paused;  /* by name */
	int64_t leaving; /* leave the job's class to others */
	int64_t takers;  /* none of these */
	int64_t threads; /* of the takers; 0 = one of them does not say */
	int64_t busy;    /* jobs that the takers have claimed */
	int64_t apart;   /* takers that run a job on its last chance while this job is on its own */
};

struct why_facts {
	int64_t now; /* the database's clock */
	const struct job *job;
	const struct story *story;
	const struct loss_policy *policy; /* how many losses a job survives */
	struct pause_row queue_pause;     /* since 0 = not paused; note empty = by somebody else */
	struct pause_row class_pause;
	struct why_workers workers;
	bool dispatcher;      /* is one alive? */
	bool process_silent;  /* the one that has claimed it */
	bool orphan_fails;    /* it is claimed by nobody, and that fails it */
	const char *odd_time; /* of a scheduled job, as it stands; NULL = it can be compared */
	bool never;           /* odd_time says "never" */
	int64_t apart_job;    /* that one of workers.apart runs */
	struct holders holders;
	int64_t ahead;                /* more than WHY_MOST_AHEAD: at least so many */
	struct throughput throughput; /* of its queue */
};

/* Everything in the arena; facts->job, story and policy are there already. `patience` says how
 * long a process may be silent. */
enum status why_read(struct db *db, struct arena *arena, const struct prune *patience,
		     struct why_facts *facts, struct error *error) MUST_CHECK;

enum why_value { WHY_TEXT, WHY_NUMBER, WHY_TIME };

struct why_field {
	const char *name;
	enum why_value type;
	const char *text; /* may be NULL */
	int64_t number;   /* or time, 0 = none */
};

#define WHY_FIELDS 6

struct why_reason {
	const char *kind;
	const char *text; /* a sentence */
	struct why_field fields[WHY_FIELDS];
	size_t field_count;
};

#define WHY_REASONS 32

struct why {
	struct arena *arena; /* of all texts */
	bool running;
	const char *text; /* the paragraph */
	struct why_reason reasons[WHY_REASONS];
	size_t count;
};

/* A pure function; facts->job and facts->story must be there. */
void why_explain(struct arena *arena, const struct why_facts *facts, struct why *why);

#endif
