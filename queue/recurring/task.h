/*
 * A recurring task as a person sees and changes it: what it may say, which row of the database says
 * so, and what becomes of its occurrences. A task comes from a file (static: a scheduler publishes
 * it, queue/recurring/recurring.h) or was added at run time (dynamic: Solid Queue's column static
 * is false). All verbs are one transaction that writes its line of the audit trail. UNCERTAIN: look
 * with recurring_find.
 */
#ifndef QUEUE_RECURRING_TASK_H
#define QUEUE_RECURRING_TASK_H

#include "queue/enqueue/enqueue.h"
#include "queue/pauses/pause.h"
#include "queue/recurring/recurring.h"
#include "schedule/schedule.h"

/* What Solid Queue has no column for (task_keys); NULL and 0 are the defaults. */
struct recurring_options {
	const char *file; /* that declares it; NULL: none */
	bool disabled;
	const char *time_zone; /* of a schedule that names none; NULL = UTC */
	const char *dst_gap;   /* the words are in task_keys */
	const char *dst_overlap;
	const char *misfire;
	int misfire_limit;
	int64_t misfire_window;
	const char *overlap;
	int64_t jitter;
	const char *start_at; /* ISO 8601 */
	const char *end_at;
};

/* A text, or a number or span, of these by its key; 0 and NULL: nothing is said. */
const char *recurring_option_text(const struct recurring_options *options, enum task_key_id id);
int64_t recurring_option_number(const struct recurring_options *options, enum task_key_id id);

/* As recurring_task.settings has them, and back. INVALID: it is no JSON object. */
const char *recurring_options_write(struct arena *arena, const struct recurring_options *options);
enum status recurring_options_read(struct arena *arena, const char *settings,
				   struct recurring_options *options,
				   struct error *error) MUST_CHECK;

/* When it runs; zones outlives it. */
struct recurring_timing {
	const struct schedule *timer;
	int64_t starts, ends; /* INT64_MIN, CLOCK_NEVER: without such a bound */
};

/* How a schedule is read: by which zones, and whether doubtful ones are refused. */
struct recurring_reading {
	struct zones *zones;
	bool strict;
};

/*
 * Reads the schedule and looks at everything a person may have got wrong. INVALID says what, and
 * what was expected.
 */
enum status recurring_check(struct arena *arena, const struct recurring_reading *reading,
			    const struct recurring_task *task,
			    const struct recurring_options *options,
			    struct recurring_timing *timing, struct error *error) MUST_CHECK;

/*
 * Sets what Rails is to read: a schedule that means the same, or nothing at all. Rails' schedulers
 * end when they cannot read a schedule, also that of another's task.
 */
void recurring_rails(struct arena *arena, const struct schedule *timer, struct zones *zones,
		     struct recurring_task *task);

/*
 * The same for a dynamic task: Rails fires those of everybody, and one whose class Ruby cannot
 * have, such as that of commands, is an error in its log at each occurrence.
 */
void recurring_rails_dynamic(struct arena *arena, const struct schedule *timer, struct zones *zones,
			     struct recurring_task *task);

/*
 * Writes dynamic tasks of ours again that Rails reads otherwise than this version would have it, as
 * an earlier one has left them. *mended: how many.
 */
enum status recurring_mend(struct db *db, size_t *mended, struct error *error) MUST_CHECK;

/*
 * Arguments as people give them (JSON: an array, or an object of named ones) as a task has them;
 * NULL stays NULL.
 */
enum status recurring_arguments_store(struct arena *arena, const char *json, const char **stored,
				      struct error *error) MUST_CHECK;

/*
 * The class of tasks that were added with a command line: its words are the arguments, and workers
 * run it whose jobs.yml says so. So the row is like that of any class, also to Rails, which would
 * take what stands in Solid Queue's column for Ruby source.
 */
#define RECURRING_COMMAND_CLASS "dray:command"

/* Makes it such a task. INVALID: the line is empty, is Ruby source or needs a shell. */
enum status recurring_command_set(struct arena *arena, const char *line,
				  struct recurring_task *task, struct error *error) MUST_CHECK;

/* It is to be of a class, or of none yet: the words of a command are no arguments of that. */
void recurring_command_unset(struct recurring_task *task);

/* The command line of a task, of a file or not; NULL = it has none. */
const char *recurring_command_line(struct arena *arena, const struct recurring_task *task);

/* An occurrence and what has become of it. */
struct recurring_run {
	int64_t run_at;
	int64_t job_id;      /* 0 = it got none */
	int64_t decided_at;  /* this and the next two not of recurring_row.last */
	int64_t first_at;    /* it is the last of so many occurrences since then */
	int64_t occurrences; /* at most RECURRING_COUNTED */
	const char *outcome; /* "missed", "overlapped", "enqueued", "manual" */
	const char
		*state; /* of its job: "waiting", "running", "finished", "failed"; NULL = no job */
};

struct recurring_row {
	struct recurring_task task;
	struct recurring_options options;
	bool is_static;
	bool ours; /* else Rails has put it there, and nothing but the task is known */
	int64_t since;
	int64_t updated_at;
	int64_t paused_at;         /* 0 = it is not paused */
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

/* The occurrences of a task that were decided on, the latest first. Nothing is no error. */
enum status recurring_history(struct db *db, struct arena *arena, const struct recurring_page *page,
			      struct recurring_run **list, size_t *count,
			      struct error *error) MUST_CHECK;

/*
 * Adds a dynamic task (its settings are made of the options). CONFLICT: there is one of this key,
 * and whose; INVALID: what is wrong with it.
 */
enum status recurring_add(struct db *db, const struct recurring_task *task,
			  const struct recurring_options *options, const struct pause_note *note,
			  struct error *error) MUST_CHECK;

/*
 * What is to be another in a task; may be called several times, each time with what it is then.
 * Texts go to the arena.
 */
typedef enum status recurring_edit(struct arena *arena, struct recurring_task *task,
				   struct recurring_options *options, void *input,
				   struct error *error);

/*
 * Changes a dynamic task. It misses nothing of the time before its schedule was new. NONE: there is
 * no such task; INVALID: it is not dynamic, or what is wrong with it then.
 */
enum status recurring_change(struct db *db, const char *key, recurring_edit *edit, void *input,
			     const struct pause_note *note, struct error *error) MUST_CHECK;

/* May this one be changed and removed? INVALID: it comes from a file. */
enum status recurring_changeable(const struct recurring_row *row, struct error *error) MUST_CHECK;

/* May this one be paused and resumed? INVALID: it is Rails' alone. */
enum status recurring_pausable(const struct recurring_row *row, struct error *error) MUST_CHECK;

/* Removes a dynamic task. NONE and INVALID as above. */
enum status recurring_remove(struct db *db, const char *key, const struct pause_note *note,
			     struct error *error) MUST_CHECK;

/*
 * Occurrences while it is paused are none: neither enqueued later nor missed. It begins anew when
 * it is resumed: what nobody had decided on before is none either. *changed: was it not so before?
 * NONE: there is no such task; INVALID: it is Rails'.
 */
enum status recurring_pause(struct db *db, const char *key, const struct pause_note *note,
			    bool *changed, struct error *error) MUST_CHECK;
enum status recurring_resume(struct db *db, const char *key, const struct pause_note *note,
			     bool *changed, struct error *error) MUST_CHECK;

/*
 * Enqueues a job of a task at once, paused or not: its occurrence is now, with the outcome
 * "manual", and is nobody else's. *defaults (NULL = none) has the queue and priority of its class.
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

/* For schedulers: what was added at run time, by key. */
struct recurring_dynamic {
	struct recurring_task task;
	int64_t since; /* 0 = not known: Rails has added it */
};                     /* task.rails: what Rails reads; task.own: nothing */
struct recurring_paused {
	const char *key;
	int64_t paused_at;  /* 0 = it is not paused */
	int64_t resumed_at; /* the last time; 0 = never */
};
struct recurring_changes {
	struct recurring_dynamic *dynamic;
	size_t dynamic_count;
	struct recurring_paused *paused;
	size_t paused_count;
};
/* Without `dynamic` only what is or was paused. */
enum status recurring_changes(struct db *db, struct arena *arena, bool dynamic,
			      struct recurring_changes *changes, struct error *error) MUST_CHECK;

#endif
