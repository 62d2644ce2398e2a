/*
 * Why a job is not running. `why_read` reads what the tables know; `why_explain` turns only that
 * into reasons and a paragraph. It gives every reason that applies, not only the first.
 */
#ifndef QUEUE_WHY_H
#define QUEUE_WHY_H

#include "queue/look/job_details.h"
#include "queue/look/survey.h"

#define WHY_MOST_AHEAD 1000 /* jobs ahead are counted up to this number */

/*
 * Workers that serve the job's queue. Each living one is counted in `alive` and in one of the
 * others.
 */
struct why_workers {
	int64_t silent; /* sent no heartbeat for too long */
	int64_t alive;
	int64_t quiet;       /* told to claim nothing (USR1) */
	int64_t paused;      /* by name */
	int64_t ending;      /* are leaving after a reload: claim nothing, end their jobs */
	int64_t ending_jobs; /* theirs, and of those for whom the takers may wait */
	int64_t held;        /* wait for one that leaves and has not said that it claims no more */
	int64_t troubled;    /* cannot work: see `trouble` */
	int64_t strangers;   /* leave the job's class, which they do not know */
	int64_t takers;      /* none of the above: may claim it */
	int64_t threads;     /* of the takers; 0 = unknown for one of them */
	int64_t busy;        /* jobs that the takers have claimed */
	int64_t apart;       /* takers that run a job on its last chance, if this is one, too */
	const struct server *trouble; /* one of those that cannot work; NULL = there is none */
};

struct why_facts {
	int64_t now; /* the database's clock */
	const struct job *job;
	const struct job_details *details;
	const struct loss_policy *policy; /* how many losses a job survives */
	struct pause_row queue_pause;     /* since 0 = not paused; empty note = by other software */
	struct pause_row class_pause;
	struct pause_row refused; /* since 0 = it is not set aside (queue/refused) */
	struct why_workers workers;
	bool declared;    /* jobs.yml has its class, so a reload would help who leaves it */
	int64_t attempts; /* `attempts` of its class in jobs.yml; 0 = it says none */
	bool dispatcher;  /* one is alive, and can work as far as is known */
	const struct server *stuck_dispatcher; /* one that is alive and cannot work */
	bool process_silent;                   /* that of the process that claimed it */
	bool orphan_fails;    /* its claim has no process, and it will fail for that */
	const char *odd_time; /* the raw time of a scheduled job; NULL = it can be compared */
	bool never;           /* odd_time means "never" */
	int64_t apart_job;    /* run by one of workers.apart */
	struct holders holders;
	int64_t ahead;                /* if more than WHY_MOST_AHEAD: at least so many */
	struct throughput throughput; /* of its queue */
};

/*
 * Allocates in the arena. facts->job, details and policy must be set. `patience` is how long a
 * process may be silent.
 */
enum status why_read(struct db *db, struct arena *arena, const struct prune *patience,
		     struct why_facts *facts, struct error *error) MUST_CHECK;

enum why_value { WHY_TEXT, WHY_NUMBER, WHY_TIME };

struct why_field {
	const char *name;
	enum why_value type;
	const char *text; /* may be NULL */
	int64_t number;   /* or a time, 0 = none */
};

#define WHY_FIELDS 7

struct why_reason {
	const char *kind;
	const char *text; /* a sentence */
	struct why_field fields[WHY_FIELDS];
	size_t field_count;
};

#define WHY_REASONS 32

struct why {
	struct arena *arena; /* holds all texts */
	bool running;
	const char *text; /* the paragraph */
	struct why_reason reasons[WHY_REASONS];
	size_t count;
};

/* A pure function; facts->job and facts->details must be set. */
void why_explain(struct arena *arena, const struct why_facts *facts, struct why *why);

/* An execution row of a job that does not exist. */
struct why_left {
	const char *state;
	int64_t since;
	int64_t due_at;      /* of a scheduled one */
	const char *queue;   /* NULL: a claimed or failed one */
	int64_t process_id;  /* of a claimed one */
	const char *process; /* its name; NULL = it is gone */
};

/* Tells what is left of a job that does not exist. NONE: nothing is. */
enum status why_read_left(struct db *db, struct arena *arena, int64_t id, struct why *why,
			  struct error *error) MUST_CHECK;

/* The pure function of that. */
void why_explain_left(struct arena *arena, int64_t id, int64_t now, const struct why_left list[],
		      size_t count, struct why *why);

#endif
