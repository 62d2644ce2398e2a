/*
 * Commands that change jobs given by number, or all jobs that a filter selects
 * (queue/manage/manage.h): their options, the question, and the work, batch by batch.
 */
#ifndef SELECTION_H
#define SELECTION_H

#include "cli/cli.h"
#include "cli/jobs/filter.h"
#include "queue/manage/manage.h"

enum selection_key { SELECTION_ALL = 600, SELECTION_DRY_RUN, SELECTION_YES, SELECTION_REASON };

struct selection {
	const struct selection_verb *verb;
	struct job_filter filter;
	struct arguments ids;
	bool all;
	bool many; /* by the filter, not by numbers */
	bool dry_run;
	bool yes;
	const char *reason;
	const char *queue; /* for ACTION_ARRANGE */
	bool has_priority;
	int priority;
};

struct selection_verb {
	const char *action; /* "retry"; also the audit trail's name for it */
	const char *done;   /* "retried" */
	enum action_kind kind;
	/* if the filter has no state: these, in the order in which a job passes through them */
	enum job_state states[4];
	size_t state_count;
	bool state_or_class; /* the filter must have one of them */
	const char *any;     /* jobs in one of these states, for people; NULL = "waiting" */
};

/* Rows of a command's options, next to FILTER_OPTIONS. */
/* clang-format off */
#define SELECTION_OPTIONS                                                                          \
	{ "dry-run", SELECTION_DRY_RUN, NULL, 0,                                                   \
	  "count the jobs and list some of them, but change nothing", 0 },                         \
	{ "yes", SELECTION_YES, NULL, 0, "do not ask (required when there is no terminal)", 0 },   \
	{ "reason", SELECTION_REASON, "TEXT", 0, "the reason, for `dray audit`", 0 }

#define SELECTION_DOC                                                                              \
	"A job that cannot be changed is reported with the reason; if it was given by its "        \
	"number, the exit status is 1. With a filter, the command asks first on a terminal, and "  \
	"works in transactions of 500 jobs. INT and TERM stop it between two transactions, with "  \
	"the status 130 or 143, and it reports how many jobs it has changed. `dray audit` shows "  \
	"the same count."

#define SELECTION_OUTPUT(done)                                                                     \
	"an object with `" done "` (number), `refused` (array of `id`, `reason`; at most 1000 of " \
	"them), `refused_count` and `interrupted` (boolean). With --dry-run: `dry_run` (true), "   \
	"`count` and `sample` (array of the first jobs, as `dray jobs` prints them)."
/* clang-format on */

/* What all these commands have in common; .parse is selection_parse, unless it asks for more. */
#define SELECTION_COMMAND(of)                                                                      \
	.needs = NEED_DATABASE, .run = selection_run, .input_size = sizeof(struct selection),      \
	.input = &(const struct selection)                                                         \
	{                                                                                          \
		.verb = (of)                                                                       \
	}

/* A command's parser, or its end. */
error_t selection_parse(int key, const char *value, struct argp_state *state);

/*
 * Changes the jobs, and prints how many, and which were refused and why. Returns EXIT_ERROR if a
 * job that was given by number was refused, and 130 or 143 if a signal ended it between two
 * batches.
 */
int selection_run(struct cli *cli, void *input);

#endif
