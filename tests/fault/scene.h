/*
 * One verb of the queue meets one fault: a scene is set up, a child process runs the verb with a
 * point armed, and what it leaves behind is judged. A row of verbs[] (tests/fault/verbs) describes
 * a verb; its points follow from the scripts it runs.
 */
#ifndef FAULT_SCENE_H
#define FAULT_SCENE_H

#include "tests/support/queue.h"

#define SCENE_UNITS 4

/* What the child tells; in shared memory, so that it survives its end. */
struct told {
	enum status status; /* of the last attempt */
	bool ended;         /* it came to its end */
	int64_t done;       /* units that the verb said had taken place */
	char text[ERROR_TEXT_SIZE];
};

struct scene {
	const struct verb *verb;
	struct test_db *test; /* its connection is the parent's; a child never touches it */
	struct db *db;        /* that one, and in the child its own */
	struct told *told;
	int64_t victim; /* the process row of the child, a worker named "victim" */
	int64_t other;  /* the row of a process that is long dead, named "dead"; 0 = none */
	int64_t jobs[SCENE_UNITS];
	struct outcome outcomes[SCENE_UNITS]; /* to be settled, of the victim's claims */
	size_t outcome_count;
	int64_t patience; /* how long a verb is tried, microseconds */
	struct enqueued enqueued[SCENE_UNITS];
	/* of the child alone, from one attempt to the next: */
	struct claim_name held[SCENE_UNITS]; /* claims known */
	size_t held_count;
	int64_t settled; /* outcomes that are in the database */
	int64_t done;    /* units of a success: all, unless the verb says otherwise */
	bool uncertain;  /* a commit's outcome is unknown, or was */
};

enum verb_flag {
	UNDONE = 1,  /* by those who declare the process dead */
	TORN = 2,    /* the scene is no invariant's: a doctor cleans up */
	SEVERAL = 4, /* transactions: the last one has the effect */
};

struct verb {
	const char *name;
	const char *scripts;                 /* those it runs, whose points are tried */
	int64_t units;                       /* how much it does when nothing hinders it */
	void (*set_up)(struct scene *scene); /* NULL: nothing */
	/* In the child, as the verb's caller does it; called again after DOWN and UNCERTAIN. */
	enum status (*run)(struct scene *scene, struct error *error);
	/* How many units are there to be seen, from none to all; more is a defect. */
	int64_t (*effect)(struct scene *scene);
	unsigned flags;
	const struct way *way; /* of round trips: trip.h */
	const char *also;      /* armed as well: what leads to those points */
	/* What is there instead when it is refused for good; 0 = nothing but all or none. */
	int64_t refused;
};

/* set_up, run and effect in one statement. */
#define SET_UP(name, statement)                                                                    \
	static void name(struct scene *scene)                                                      \
	{                                                                                          \
		statement;                                                                         \
	}
#define RUN(name, value)                                                                           \
	static enum status name(struct scene *scene, struct error *error)                          \
	{                                                                                          \
		return (value);                                                                    \
	}
#define EFFECT(name, value)                                                                        \
	static int64_t name(struct scene *scene)                                                   \
	{                                                                                          \
		return (value);                                                                    \
	}

/* The table of a file. */
struct verbs {
	const struct verb *all;
	size_t count;
};

#define VERBS(table)                                                                               \
	{                                                                                          \
		(table), sizeof(table) / sizeof((table)[0])                                        \
	}

extern const struct verbs job_verbs, claim_verbs, process_verbs, doctor_verbs, limit_verbs,
	operator_verbs, action_verbs, recurring_verbs, refused_verbs, finding_verbs;

/* The line of the audit trail that counts what the verb does: begun, its number, its count. */
void scene_begin_line(struct scene *scene, const char *action);
int64_t scene_line(struct scene *scene);
int64_t scene_line_count(struct scene *scene);

/* `there`; and whatever the fault, the line says as many. */
int64_t scene_counted(struct scene *scene, int64_t there);

/* Jobs on queue "a"; the first `count` of scene->jobs. */
void scene_put(struct scene *scene, size_t count);

/* Three, of which an earlier attempt may have done so without knowing it. */
enum status scene_enqueue(struct scene *scene, const struct new_job jobs[3],
			  struct error *error) MUST_CHECK;

/* Three of such a job, due now; and dispatches until all that it is about have moved. */
void scene_put_due(struct scene *scene, const struct new_job *job);
enum status scene_dispatch(struct scene *scene, struct error *error) MUST_CHECK;

/* Jobs on queue "a" that have ended so. */
void scene_end(struct scene *scene, size_t count, enum outcome_kind kind);

/* What runs was cancelled by a person. */
void scene_note_cancelled(struct scene *scene);

/* Jobs claimed by the victim, as outcomes of this kind. */
void scene_claim(struct scene *scene, size_t count, enum outcome_kind kind);

/* All jobs that are there are in one batch of Solid Queue. */
void scene_batch(struct scene *scene);

/* Two claims of a process "dead", silent for long; "Brittle", the second, may never be lost. */
void scene_put_dead(struct scene *scene);
extern const char scene_silence[]; /* SQL: the last heartbeat of "dead" was long ago */
extern const struct loss_policy scene_policy;

/* Jobs in a state. */
int64_t scene_count(struct scene *scene, enum job_state state);

/* Jobs in a state; of those in scene->jobs, the ones that are gone. */
int64_t count_ready(struct scene *scene);
int64_t count_finished(struct scene *scene);
int64_t count_failed(struct scene *scene);
int64_t count_missing(struct scene *scene);

/* Process rows with this name. */
int64_t scene_processes(struct scene *scene, const char *name);

#endif
