/*
 * One verb of the queue meets one fault: a scene is set up, a child process runs the verb with a
 * point armed, and what it leaves behind is judged. A row of verbs[] (tests/fault/verbs) describes
 * a verb; its points follow from the scripts it runs.
 */
#ifndef FAULT_SCENE_H
#define FAULT_SCENE_H

#include "queue/processes/loss.h"
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
	struct test_db *test; /* the parent's connection; a child never touches it */
	struct told *told;
	int64_t victim; /* the process row of the child, a worker named "victim" */
	int64_t other;  /* the row of a process that is long dead, named "dead"; 0 = none */
	int64_t jobs[SCENE_UNITS];
	struct outcome outcomes[SCENE_UNITS]; /* to be settled, of the victim's claims */
	size_t outcome_count;
	int64_t unit_count;
	int64_t patience; /* how long a verb is tried, microseconds */
	struct enqueued enqueued[SCENE_UNITS];
	/* of the child alone, from one attempt to the next: */
	struct claim_name held[SCENE_UNITS]; /* claims known */
	size_t held_count;
	int64_t settled; /* outcomes that are in the database */
	bool uncertain;  /* a commit's outcome is unknown */
};

struct verb {
	const char *name;
	const char *const scripts[8]; /* those it runs, whose points are tried */
	const char *also;             /* armed as well: what leads to those points */
	int64_t units;                /* how much it does when nothing hinders it */
	bool undone;                  /* by those who declare the process dead */
	bool torn;                    /* the scene is no invariant's: a doctor cleans up */
	bool several;                 /* transactions: the last one has the effect */
	void (*set_up)(struct scene *scene);
	/* In the child, as the verb's caller does it; called again after DOWN and UNCERTAIN. */
	enum status (*run)(struct scene *scene, struct db *db, int64_t *done, struct error *error);
	/* How many units are there to be seen, from none to all; more is a defect. */
	int64_t (*effect)(struct scene *scene);
};

extern const struct verb job_verbs[];
extern const size_t job_verb_count;
extern const struct verb claim_verbs[];
extern const size_t claim_verb_count;
extern const struct verb process_verbs[];
extern const size_t process_verb_count;
extern const struct verb doctor_verbs[];
extern const struct verb operator_verbs[];
extern const size_t doctor_verb_count;
extern const struct verb limit_verbs[];
extern const size_t limit_verb_count;
extern const size_t operator_verb_count;
extern const struct verb action_verbs[];
extern const size_t action_verb_count;
extern const struct verb recurring_verbs[];
extern const size_t recurring_verb_count;

/* The line of the audit trail that counts what the verb does: begun, its number, its count. */
void scene_begin_line(struct scene *scene, const char *action);
int64_t scene_line(struct scene *scene);
int64_t scene_line_count(struct scene *scene);

/* `there`; and whatever the fault, the line says as many. */
int64_t scene_counted(struct scene *scene, int64_t there);

/* Jobs on queue "a"; the first `count` of scene->jobs. */
void scene_put(struct scene *scene, size_t count);

/* Jobs claimed by the victim, as outcomes of this kind. */
void scene_claim(struct scene *scene, size_t count, enum outcome_kind kind);

/*
 * Two jobs claimed by a process "dead" whose last heartbeat was long ago; the second is of class
 * "Brittle", which scene_policy lets be lost never.
 */
void scene_put_dead(struct scene *scene);
extern const struct loss_policy scene_policy;

/* Jobs in a state. */
int64_t scene_count(struct scene *scene, enum job_state state);

/* Process rows with this name. */
int64_t scene_processes(struct scene *scene, const char *name);

#endif
