/* The options that choose jobs, the same in every command that takes them. */
#ifndef FILTER_H
#define FILTER_H

#include <argp.h>

#include "queue/look/look.h"

enum filter_key {
	FILTER_STATE = 500,
	FILTER_QUEUE,
	FILTER_CLASS,
	FILTER_KEY,
	FILTER_SINCE,
	FILTER_UNTIL,
	FILTER_TEXT,
	FILTER_AFTER,
	FILTER_BEFORE,
	FILTER_ERROR,
};

/* Rows of a command's options; the command adds its own FILTER_STATE. */
/* clang-format off */
#define FILTER_OPTIONS                                                                             \
	{ "queue", FILTER_QUEUE, "QUEUE", 0, "only jobs of this queue", 0 }, FILTER_OTHER_OPTIONS
#define FILTER_OTHER_OPTIONS                                                                       \
	{ "class", FILTER_CLASS, "CLASS", 0, "only jobs of this class", 0 },                       \
	{ "key", FILTER_KEY, "KEY", 0, "only jobs with this concurrency key", 0 },                 \
	{ "since", FILTER_SINCE, "TIME", 0,                                                        \
	  "only jobs enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday", 0 },    \
	{ "until", FILTER_UNTIL, "TIME", 0, "only jobs enqueued before this time", 0 },            \
	{ "text", FILTER_TEXT, "TEXT", 0,                                                          \
	  "only jobs with this text in the payload or the error, ignoring case", 0 },              \
	{ "after", FILTER_AFTER, "ID", 0, "only jobs with a number above this one", 0 },           \
	{ "before", FILTER_BEFORE, "ID", 0, "only jobs with a number below this one", 0 }

/* For commands that take failed jobs. */
#define FILTER_ERROR_OPTION                                                                        \
	{ "error", FILTER_ERROR, "GROUP", 0,                                                       \
	  "only failed jobs whose error is of this group of `dray errors`", 0 }
/* clang-format on */

/* An error group as `dray errors` shows it, or reports what is wrong with it. */
const char *filter_group(const char *value, const char *what, const struct argp_state *state);

/* For the end of a command's parser: ARGP_ERR_UNKNOWN if the key is not one of these options. */
error_t filter_parse(struct job_filter *filter, int key, const char *value,
		     struct argp_state *state);

/* Reports options that contradict each other; call at ARGP_KEY_END. */
void filter_check(const struct job_filter *filter, const struct argp_state *state);

/* Whether it filters by anything other than the state. */
bool filter_chooses(const struct job_filter *filter);

/*
 * For people and the audit trail: "failed jobs of queue mail of class A". If there is no state,
 * `any` takes its place. In the arena.
 */
const char *filter_text(struct arena *arena, const struct job_filter *filter, const char *any);

#endif
