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
};

/* Rows of a command's options; its own FILTER_STATE beside them. */
/* clang-format off */
#define FILTER_OPTIONS                                                                             \
	{ "queue", FILTER_QUEUE, "QUEUE", 0, "of this queue", 0 }, FILTER_OTHER_OPTIONS
#define FILTER_OTHER_OPTIONS                                                                       \
	{ "class", FILTER_CLASS, "CLASS", 0, "of this class", 0 },                                 \
	{ "key", FILTER_KEY, "KEY", 0, "with this concurrency key", 0 },                           \
	{ "since", FILTER_SINCE, "TIME", 0,                                                        \
	  "enqueued at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday, 18:00", 0 },        \
	{ "until", FILTER_UNTIL, "TIME", 0, "enqueued before this time", 0 },                      \
	{ "text", FILTER_TEXT, "TEXT", 0,                                                          \
	  "with this text, in either case, anywhere in the payload or the error", 0 },              \
	{ "after", FILTER_AFTER, "ID", 0, "with a number above this one", 0 },                     \
	{ "before", FILTER_BEFORE, "ID", 0, "with a number below this one", 0 }
/* clang-format on */

/* For a command's parser to end with: ARGP_ERR_UNKNOWN when the key is another. */
error_t filter_parse(struct job_filter *filter, int key, const char *value,
		     struct argp_state *state);

/* Says what is wrong with the options together: at ARGP_KEY_END. */
void filter_check(const struct job_filter *filter, const struct argp_state *state);

/* Does it choose by anything but the state? */
bool filter_chooses(const struct job_filter *filter);

/*
 * For people and the audit trail: "failed jobs of queue mail of class A"; without a state `any`
 * stands in its place. In the arena.
 */
const char *filter_text(struct arena *arena, const struct job_filter *filter, const char *any);

#endif
