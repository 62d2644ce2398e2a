/*
 * What a recurring task may say beside its schedule: what the keys are called, what may be said,
 * and what holds where nothing is. recurring.yml, the database, schedulers and `dray recurring`
 * take it from here.
 */
#ifndef TASK_KEYS_H
#define TASK_KEYS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A local time that a change of the clocks leaves out, and one that it brings twice. By default a
 * time that does not exist runs at the next valid instant and one that exists twice runs once; but
 * what runs in every hour runs in each real hour, once.
 */
enum schedule_gap { SCHEDULE_GAP_DEFAULT, SCHEDULE_GAP_SKIP, SCHEDULE_GAP_NEXT_VALID };
enum schedule_overlap { SCHEDULE_OVERLAP_DEFAULT, SCHEDULE_OVERLAP_FIRST, SCHEDULE_OVERLAP_BOTH };

/* What becomes of occurrences that passed while nobody was there to enqueue their jobs. */
enum task_misfire { MISFIRE_ONCE, MISFIRE_SKIP, MISFIRE_ALL };

/* What an occurrence does while the task's previous job is unfinished. */
enum task_overlap { OVERLAP_ALLOW, OVERLAP_SKIP, OVERLAP_QUEUE };

/* Their words, by these enums; the first is the default, NULL the end. */
extern const char *const task_gaps[], *const task_twices[];
extern const char *const task_misfires[], *const task_overlaps[];

/*
 * The queue of jobs of recurring commands whose task and class name none. It is not Solid Queue's
 * own queue of commands, whose workers would fail these jobs.
 */
#define COMMAND_QUEUE "dray_commands"

/* The defaults, least and greatest values. */
#define TASK_LIMIT_USUAL    "100"
#define TASK_LIMIT_LEAST    "1"
#define TASK_LIMIT_MOST     "10000"
#define TASK_WINDOW_USUAL   "1d"
#define TASK_WINDOW_LEAST   "10s"
#define TASK_WINDOW_MOST    "6d"
#define TASK_JITTER_USUAL   "0s"
#define TASK_JITTER_LEAST   "0s"
#define TASK_JITTER_MOST    "1d"
#define TASK_TIMEOUT_LEAST  "1ms"
#define TASK_TIMEOUT_MOST   "365d"
#define TASK_LATE_USUAL     "5m" /* beyond the jitter */
#define TASK_LATE_LEAST     "1s"
#define TASK_LATE_MOST      "6d"
#define TASK_FAILURES_LEAST "1"
#define TASK_FAILURES_MOST  "1000"

enum task_kind { TASK_TEXT, TASK_WORD, TASK_NUMBER, TASK_SPAN };

struct task_key {
	const char *name;  /* in the database; an option of the command has - instead of _ */
	const char *shown; /* to people, as in recurring.yml */
	enum task_kind kind;
	bool moves;                       /* with it the schedule has other occurrences */
	const char *const *words;         /* of a word */
	const char *usual, *least, *most; /* of numbers and spans; usual NULL = none */
};

/* In the order in which the database has them. */
enum task_key_id {
	TASK_TIME_ZONE,
	TASK_DST_GAP,
	TASK_DST_OVERLAP,
	TASK_MISFIRE,
	TASK_MISFIRE_LIMIT,
	TASK_MISFIRE_WINDOW,
	TASK_OVERLAP,
	TASK_JITTER,
	TASK_TIMEOUT,
	TASK_START_AT,
	TASK_END_AT,
	TASK_LATE_AFTER,
	TASK_FAILURES_AFTER,
	TASK_KEYS,
};
extern const struct task_key task_keys[TASK_KEYS];

/* Of a number, or of a span in microseconds. */
int64_t task_usual(enum task_key_id id);
int64_t task_least(enum task_key_id id);
int64_t task_most(enum task_key_id id);

/* The place of a word among those of its key, 0 for NULL; -1: it is none of them. */
int task_word(enum task_key_id id, const char *word);

#endif
