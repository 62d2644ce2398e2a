/*
 * queue/recurring/: recurring tasks in the database.
 *
 * Recurring tasks in the database: Solid Queue's table of them, ours beside it
 * (dray_recurring_tasks), and in its place for tasks that Rails could not read
 * (dray_recurring_own), and each occurrence that was decided on (dray_recurring_runs). An
 * occurrence's row is unique, and is written in the transaction that enqueues its job (struct
 * new_job, task_key), so that any number of schedulers yield one job for it.
 */
#ifndef QUEUE_RECURRING_H
#define QUEUE_RECURRING_H

#include "queue/look/job.h"

/* How long occurrences are remembered: longer than anybody looks back for missed ones. */
#define RECURRING_MEMORY (7 * CLOCK_DAY)

/* A task of a file, as solid_queue_recurring_tasks has it. Texts may be NULL but for the first. */
struct recurring_task {
	const char *key, *schedule;
	const char *rails; /* the schedule that Rails reads; NULL = the same */
	bool own;          /* Rails has none that means it: the task is in dray_recurring_own */
	const char *command, *class_name; /* one of them */
	const char *arguments;            /* JSON array as Solid Queue stores it */
	const char *queue, *description;
	bool has_priority;
	int priority;
	const char *settings; /* JSON object: what Solid Queue has no column for */
};

/* The schedule in the task's row that Rails reads; NULL: it has none. */
const char *recurring_in_rails(const struct recurring_task *task);

/*
 * Makes these the static tasks: new ones are added, changed ones changed, and those of ours that
 * are not among them any more removed, unless another scheduler has them (others; NULL = there is
 * none) or may have them. What others have put into Solid Queue's table stays.
 */
struct recurring_others;
enum status recurring_publish(struct db *db, const struct recurring_task tasks[], size_t count,
			      const struct recurring_others *others,
			      struct error *error) MUST_CHECK;

/* Writes these tasks again, as publishing does, and leaves all others alone. */
enum status recurring_restore(struct db *db, const struct recurring_task tasks[], size_t count,
			      struct error *error) MUST_CHECK;

/*
 * Keys of tasks of ours that are in neither table any more: a scheduler of Rails deletes
 * those it does not know when it starts. At most 1000, in the arena.
 */
enum status recurring_missing(struct db *db, struct arena *arena, const char *const **keys,
			      size_t *count, struct error *error) MUST_CHECK;

struct recurring_known {
	const char *key;
	int64_t since; /* it has had its schedule */
	int64_t last;  /* occurrence that was decided on; 0 = none that is remembered */
};

/* All published tasks, also those of others, sorted by key (as the database sorts). In the arena.
 */
enum status recurring_known(struct db *db, struct arena *arena, struct recurring_known **list,
			    size_t *count, struct error *error) MUST_CHECK;

/*
 * Which of these tasks have a last job that is not done? busy[i]: its occurrence, RECURRING_MANUAL
 * when somebody wanted it and the last one of the schedule is done; 0 = none.
 */
#define RECURRING_MANUAL 1 /* before all occurrences */
enum status recurring_busy(struct db *db, const char *const keys[], size_t count, int64_t busy[],
			   struct error *error) MUST_CHECK;

/* A run of occurrences one after the other, as one row however many they are. */
struct recurring_skipped {
	const char *key;
	int64_t at;          /* the last of them */
	int64_t from;        /* the first */
	int64_t count;       /* at most RECURRING_COUNTED */
	const char *outcome; /* "missed", "overlapped" */
};

/* So many occurrences of a run are counted, and not more: then there are at least so many. */
#define RECURRING_COUNTED 100000

/* Decides on occurrences that get no job, unless somebody has decided on the last of them already.
 */
enum status recurring_skip(struct db *db, const struct recurring_skipped runs[], size_t count,
			   struct error *error) MUST_CHECK;

/* Forgets some of the occurrences that are older than RECURRING_MEMORY; more: there are others. */
enum status recurring_clear(struct db *db, bool *more, struct error *error) MUST_CHECK;

/*
 * A task's stored arguments as its jobs have them: a mapping at the end becomes keyword arguments,
 * as Solid Queue does it. NULL stays NULL. INVALID: they are no JSON array.
 */
enum status recurring_arguments(struct arena *arena, const char *stored, const char **arguments,
				struct error *error) MUST_CHECK;

#endif
