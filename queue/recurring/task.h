/*
 * A recurring task as people see and change it. A task comes from a file (static: a scheduler
 * publishes it, queue/recurring/recurring.h) or was added at run time (dynamic: Solid Queue's
 * column static is false). Every verb is one transaction, which also writes a line of the audit
 * trail. After UNCERTAIN, look with recurring_find.
 */
#ifndef QUEUE_RECURRING_TASK_H
#define QUEUE_RECURRING_TASK_H

#include "queue/enqueue/enqueue.h"
#include "queue/pauses/pause.h"
#include "queue/recurring/recurring.h"
#include "schedule/schedule.h"

/* A text of these by its key; NULL: nothing is said. */
const char *recurring_option_text(const struct recurring_options *options, enum task_key_id id);

/* Sets a text, or a number or span, by its key. */
void recurring_option_set_text(struct recurring_options *options, enum task_key_id id,
			       const char *text);
void recurring_option_set_number(struct recurring_options *options, enum task_key_id id,
				 int64_t number);

/* As a row's settings have them, and back. INVALID: it is not a JSON object. */
const char *recurring_options_write(struct arena *arena, const struct recurring_options *options);
enum status recurring_options_read(struct arena *arena, const char *settings,
				   struct recurring_options *options,
				   struct error *error) MUST_CHECK;

/* When it runs; zones outlives it. */
struct recurring_timing {
	const struct schedule *timer;
	int64_t starts, ends; /* INT64_MIN, CLOCK_NEVER: without such a bound */
};

/* The first occurrence within these bounds strictly after an instant; false: there is none. */
bool recurring_next(const struct recurring_timing *timing, int64_t after,
		    struct schedule_occurrence *occurrence);

/* How to read a schedule: with which zones, and whether to refuse doubtful ones. */
struct recurring_reading {
	struct zones *zones;
	bool strict;
};

/*
 * Reads the schedule and checks all settings. INVALID: the error says what is wrong, and what was
 * expected.
 */
enum status recurring_check(struct arena *arena, const struct recurring_reading *reading,
			    const struct recurring_task *task, struct recurring_timing *timing,
			    struct error *error) MUST_CHECK;

/*
 * Sets the schedule for Rails: one that means the same, or none. A scheduler of Rails ends if it
 * finds one that it cannot read, even in a task that is not its own.
 */
void recurring_rails(struct arena *arena, const struct schedule *timer, struct zones *zones,
		     struct recurring_task *task);

/*
 * The same for a dynamic task. Rails runs all dynamic tasks, and logs an error at each occurrence
 * of one whose class cannot exist in Ruby, such as that of commands.
 */
void recurring_rails_dynamic(struct arena *arena, const struct schedule *timer, struct zones *zones,
			     struct recurring_task *task);

/*
 * Rewrites our dynamic tasks whose schedule for Rails is not as dray writes it. *mended: how many.
 */
enum status recurring_mend(struct db *db, size_t *mended, struct error *error) MUST_CHECK;

/*
 * Turns arguments as people give them (JSON: an array, or an object of named ones) into the stored
 * form. NULL stays NULL.
 */
enum status recurring_arguments_store(struct arena *arena, const char *json, const char **stored,
				      struct error *error) MUST_CHECK;

/*
 * The class of tasks that were added with a command line. The words are the arguments; workers run
 * it if their jobs.yml has this class. So the row looks like that of any class, also to Rails,
 * which would run the text in Solid Queue's column `command` as Ruby source.
 */
#define RECURRING_COMMAND_CLASS "dray:command"

/* The command line of a task, of a file or not; NULL = it has none. */
const char *recurring_command_line(struct arena *arena, const struct recurring_task *task);

/* An occurrence and its outcome. */
struct recurring_run {
	int64_t run_at;
	int64_t job_id;      /* 0 = it got none */
	int64_t decided_at;  /* this and the next two not of recurring_row.last */
	int64_t first_at;    /* the first of the occurrences that this row stands for */
	int64_t occurrences; /* how many; at most RECURRING_COUNTED */
	const char *outcome; /* "missed", "overlapped", "enqueued", "manual" */
	const char *state; /* of its job: "waiting", "retrying", "running", "finished", "discarded",
			      "cancelled", "failed"; NULL = no job */
};

struct recurring_row {
	struct recurring_task task;
	bool is_static;
	bool ours; /* otherwise Rails added it, and only the task is known */
	int64_t since;
	int64_t updated_at;
	int64_t paused_at;         /* 0 = it is not paused */
	int64_t resumed_at;        /* the last time; 0 = never */
	struct pause_note note;    /* of the pause; never ends_at */
	struct recurring_run last; /* run_at 0 = none is remembered */
};

/* Every task there is, by key; in the arena. */
enum status recurring_rows(struct db *db, struct arena *arena, struct recurring_row **list,
			   size_t *count, struct error *error) MUST_CHECK;

/* NONE: there is no such task; the text names the nearest that there is. */
enum status recurring_find(struct db *db, struct arena *arena, const char *key,
			   struct recurring_row *row, struct error *error) MUST_CHECK;

struct recurring_page {
	const char *key;
	int64_t until; /* occurrences before that; 0 = all */
	int64_t limit; /* at most so many */
};

/* The occurrences of a task that were decided on, latest first. None is not an error. */
enum status recurring_history(struct db *db, struct arena *arena, const struct recurring_page *page,
			      struct recurring_run **list, size_t *count,
			      struct error *error) MUST_CHECK;

/*
 * Adds a dynamic task. CONFLICT: there is a task with this key, and the error says whose; INVALID:
 * the error says what is wrong.
 */
enum status recurring_add(struct db *db, const struct recurring_task *task,
			  const struct pause_note *note, struct error *error) MUST_CHECK;

/*
 * Applies a change to a task. May be called several times, each time with the task as it is then.
 * Texts belong in the arena.
 */
typedef enum status recurring_edit(struct arena *arena, struct recurring_task *task, void *input,
				   struct error *error);

/*
 * A change as people give it. NULL and 0 leave what is there; "" and what is below 0 restore the
 * default.
 */
struct recurring_values {
	const char *schedule, *queue, *description;
	const char *class_name; /* replaces a command, and a command replaces a class */
	const char *command;
	const char *arguments; /* JSON: an array, or an object of named ones */
	enum { PRIORITY_STAYS, PRIORITY_OF_CLASS, PRIORITY_GIVEN } has_priority;
	int priority;
	int enabled;
	struct recurring_options options; /* its keys of task_keys */
};

/*
 * Applies them. INVALID: the arguments are not JSON, or not a list; the command is not valid, or is
 * given beside a class or arguments.
 */
enum status recurring_apply(const struct recurring_values *values, struct arena *arena,
			    struct recurring_task *task, struct error *error) MUST_CHECK;

/*
 * Changes a dynamic task; edit NULL: only what Rails reads of it. Nothing counts as missed by a new
 * schedule before the change. NONE: there is no such task; INVALID: it is not dynamic, or the
 * changed task is not valid.
 */
enum status recurring_change(struct db *db, const char *key, recurring_edit *edit, void *input,
			     const struct pause_note *note, struct error *error) MUST_CHECK;

/* May this task be changed and removed? INVALID: it comes from a file. */
enum status recurring_changeable(const struct recurring_row *row, struct error *error) MUST_CHECK;

/* May this task be paused and resumed? INVALID: only Rails runs it. */
enum status recurring_pausable(const struct recurring_row *row, struct error *error) MUST_CHECK;

/* Removes a dynamic task. NONE and INVALID as above. */
enum status recurring_remove(struct db *db, const char *key, const struct pause_note *note,
			     struct error *error) MUST_CHECK;

/*
 * Occurrences that fall due while a task is paused are dropped: neither enqueued later nor missed.
 * So are older ones that were still undecided when it is resumed. *changed: false if it was paused
 * (or not) already. NONE: there is no such task; INVALID: it is a task of Rails.
 */
enum status recurring_pause(struct db *db, const char *key, const struct pause_note *note,
			    bool *changed, struct error *error) MUST_CHECK;
enum status recurring_resume(struct db *db, const char *key, const struct pause_note *note,
			     bool *changed, struct error *error) MUST_CHECK;

/*
 * Enqueues a job of a task at once, even if it is paused. The job gets an occurrence of its own,
 * now, with the outcome "manual". *defaults (NULL = none) has the queue and priority of the class.
 * NONE: there is no such task.
 */
struct recurring_ran {
	struct enqueued job;
	int64_t run_at;
};
enum status recurring_run_now(struct db *db, const char *key, const struct new_job *defaults,
			      const struct pause_note *note, struct recurring_ran *ran,
			      struct error *error) MUST_CHECK;

/* The class of a task's jobs: its own, or that of its command. */
const char *recurring_class(struct arena *arena, const struct recurring_task *task);

/* Their queue: its own, else the class's (NULL: it names none), else that of commands; or NULL. */
const char *recurring_queue(const struct recurring_task *task, const char *of_class);

/* For schedulers. */
struct recurring_paused {
	const char *key;
	int64_t paused_at;  /* 0 = it is not paused */
	int64_t resumed_at; /* the last time; 0 = never */
};
struct recurring_changes {
	struct recurring_row *dynamic; /* added at run time; only the task, unread, and since */
	size_t dynamic_count;
	struct recurring_paused *paused;
	size_t paused_count;
};
/* Without `dynamic`, only tasks that are or were paused. */
enum status recurring_changes(struct db *db, struct arena *arena, bool dynamic,
			      struct recurring_changes *changes, struct error *error) MUST_CHECK;

#endif
