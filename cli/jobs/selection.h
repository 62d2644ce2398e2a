/*
 * Commands that do something to jobs named by number, or to all that a filter chooses
 * (queue/manage/action.h): what their options mean, asking first, and doing it batch by batch.
 */
#ifndef SELECTION_H
#define SELECTION_H

#include "cli/cli.h"
#include "cli/jobs/filter.h"
#include "queue/manage/action.h"

enum selection_key { SELECTION_ALL = 600, SELECTION_DRY_RUN, SELECTION_YES, SELECTION_REASON };

struct selection {
	struct job_filter filter;
	struct arguments ids;
	bool all;
	bool many; /* the filter, not the numbers */
	bool dry_run;
	bool yes;
	const char *reason;
	const char *queue; /* of ACTION_ARRANGE */
	bool has_priority;
	int priority;
};

struct selection_verb {
	const char *action; /* "retry", also in the audit trail */
	const char *done;   /* "retried" */
	enum action_kind kind;
	enum job_state states[4]; /* what a filter without one means, in this order */
	size_t state_count;       /* 0 = a filter needs a state */
};

/* Rows of a command's options beside FILTER_OPTIONS. */
/* clang-format off */
#define SELECTION_OPTIONS                                                                          \
	{ "dry-run", SELECTION_DRY_RUN, NULL, 0, "count them, show some, and change nothing", 0 }, \
	{ "yes", SELECTION_YES, NULL, 0, "do not ask, as on no terminal one must", 0 },            \
	{ "reason", SELECTION_REASON, "TEXT", 0, "why, for `dray audit`", 0 }

#define SELECTION_DOC                                                                              \
	"A job that cannot be done is named with the reason, and the status is 1 when it was "     \
	"given by its number. What a filter chooses is done in transactions of 500, and asked "    \
	"about on a terminal first; INT and TERM end it between two of them, with the status 130 " \
	"or 143, and it says how many were done. `dray audit` counts them, transaction by "        \
	"transaction."

#define SELECTION_OUTPUT(done)                                                                     \
	"an object with `" done "` (number), `refused` (array of `id`, `reason`; at most 1000 of " \
	"them), `refused_count` and `interrupted` (boolean). With --dry-run: `dry_run` (true), "   \
	"`count` and `sample` (array of the first jobs, as `dray jobs` prints them)."
/* clang-format on */

/* For a command's parser to end with. */
error_t selection_parse(struct selection *selection, const struct selection_verb *verb, int key,
			const char *value, struct argp_state *state);

/*
 * Does it and prints how many, and which not and why. EXIT_ERROR when one that was named could not
 * be done; 130 or 143 when a signal ended it between two batches.
 */
int selection_run(struct cli *cli, struct selection *selection, const struct selection_verb *verb);

/* selection_perform.c: the same, for numbers and for what a filter chooses, once it is to be done.
 */
int selection_perform(struct cli *cli, struct selection *selection,
		      const struct selection_verb *verb, int64_t total);

#endif
