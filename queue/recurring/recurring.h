/*
 * queue/recurring/: recurring tasks in the database.
 *
 * A task has a row in Solid Queue's table, or in dray_recurring_own if Rails could not read it, and
 * its further settings are in dray_recurring_tasks. Each occurrence that was decided on has a row
 * in dray_recurring_runs. That row is unique, and is written in the transaction that enqueues the
 * job (struct new_job, task_key), so an occurrence gets one job, however many schedulers run.
 */
#ifndef QUEUE_RECURRING_H
#define QUEUE_RECURRING_H

#include "queue/look/job.h"
#include "queue/processes/loss.h"

/* How long occurrences are remembered: longer than the largest misfire_window. */
#define RECURRING_MEMORY (7 * CLOCK_DAY)

/* What Solid Queue has no column for (task_keys); NULL and 0 are the defaults. */
struct recurring_options {
	const char *file; /* that declares it; NULL: none */
	bool disabled;
	const char *time_zone; /* of a schedule that names none; NULL = UTC */
	const char *dst_gap;   /* the words are in task_keys */
	const char *dst_overlap;
	const char *misfire;
	int64_t misfire_limit;
	int64_t misfire_window;
	const char *overlap;
	int64_t jitter;
	int64_t timeout;
	const char *start_at; /* ISO 8601 */
	const char *end_at;
	int64_t late_after;
	int64_t failures_after;
};

/* A task as solid_queue_recurring_tasks has it. Texts other than the key may be NULL. */
struct recurring_task {
	const char *key, *schedule;
	const char *rails; /* the schedule for Rails; NULL = the same */
	bool own;          /* Rails cannot express it: the task is in dray_recurring_own */
	const char *command, *class_name; /* one of them */
	const char *arguments;            /* JSON array as Solid Queue stores it */
	const char *queue, *description;
	bool has_priority;
	int priority;
	struct recurring_options options;
	const char *settings; /* of a row: the options as a JSON object; NULL: Rails added it */
};

/* The schedule in the task's row that Rails reads; NULL: it has none. */
const char *recurring_in_rails(const struct recurring_task *task);

/*
 * The tasks of the other live schedulers, which may have different files, permanently or during a
 * deployment: a task that is missing from one file must not be deleted while another one has it.
 * Schedulers report their tasks in their process rows.
 */
struct recurring_others {
	const char **keys;
	size_t count;
	size_t ours;      /* so many of them, the first, come from files of dray schedulers */
	bool partial;     /* a dray scheduler may have more than it reports */
	const char *name; /* of a dray scheduler; NULL = there is none */
};

/* patience->self is left out. Everything in the arena. */
enum status recurring_others_read(struct db *db, struct arena *arena, const struct prune *patience,
				  struct recurring_others *others, struct error *error) MUST_CHECK;

/*
 * A live scheduler of other software that has the task, too; such a scheduler ignores pauses. Its
 * name is in the arena; NULL: there is none.
 */
enum status recurring_elsewhere(struct db *db, struct arena *arena, const struct prune *patience,
				const char *key, const char **scheduler,
				struct error *error) MUST_CHECK;

/* Appends a key. */
void recurring_others_add(struct arena *arena, struct recurring_others *others, const char *key);

/*
 * Makes these the static tasks: adds new ones, updates changed ones, and deletes our tasks that are
 * no longer among them, unless another scheduler has them (others; NULL = there is none) or may
 * have them. Rows of other software in Solid Queue's table stay.
 */
enum status recurring_publish(struct db *db, const struct recurring_task tasks[], size_t count,
			      const struct recurring_others *others,
			      struct error *error) MUST_CHECK;

/* Writes these tasks again, as publishing does; all others stay as they are. */
enum status recurring_restore(struct db *db, const struct recurring_task tasks[], size_t count,
			      struct error *error) MUST_CHECK;

/*
 * Keys of our tasks that are missing from both tables: when a scheduler of Rails starts, it deletes
 * the tasks that it does not know. At most 1000, in the arena.
 */
enum status recurring_missing(struct db *db, struct arena *arena, const char *const **keys,
			      size_t *count, struct error *error) MUST_CHECK;

struct recurring_known {
	const char *key;
	int64_t since; /* when it got its schedule */
	int64_t last;  /* occurrence that was decided on; 0 = none is remembered */
};

/* All published tasks, of any scheduler, sorted by key (as the database sorts). In the arena.
 */
enum status recurring_known(struct db *db, struct arena *arena, struct recurring_known **list,
			    size_t *count, struct error *error) MUST_CHECK;

/*
 * Which of these tasks have an unfinished last job? busy[i]: the occurrence of that job,
 * RECURRING_MANUAL if only a job that was enqueued by hand is unfinished, or 0 if none is.
 */
#define RECURRING_MANUAL 1 /* before all occurrences */
enum status recurring_busy(struct db *db, const char *const keys[], size_t count, int64_t busy[],
			   struct error *error) MUST_CHECK;

/* Consecutive occurrences with the same outcome; they share one row. */
struct recurring_skipped {
	const char *key;
	int64_t at;          /* the last of them */
	int64_t from;        /* the first */
	int64_t count;       /* at most RECURRING_COUNTED */
	const char *outcome; /* "missed", "overlapped" */
};

/* Counting stops here: this number means that there are at least so many. */
#define RECURRING_COUNTED 100000

/* Decides on occurrences that get no job, unless somebody has decided on the last of them already.
 */
enum status recurring_skip(struct db *db, const struct recurring_skipped runs[], size_t count,
			   struct error *error) MUST_CHECK;

/* Deletes some of the occurrences older than RECURRING_MEMORY; *more: there are others. */
enum status recurring_clear(struct db *db, bool *more, struct error *error) MUST_CHECK;

/*
 * A task's stored arguments in the form of its jobs: a mapping at the end becomes keyword
 * arguments, as in Solid Queue. NULL stays NULL. INVALID: they are not a JSON array.
 */
enum status recurring_arguments(struct arena *arena, const char *stored, const char **arguments,
				struct error *error) MUST_CHECK;

#endif
