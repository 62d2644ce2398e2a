/*
 * Another configuration for a running deployment (HUP). It is loaded and checked as a whole; a
 * separate process checks its modules and the database, because modules run code, while the
 * supervisor continues. If anything is wrong, the old configuration stays as it is.
 */
#ifndef RELOAD_H
#define RELOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "config/config.h"
#include "process/source.h"

struct supervisor;

struct reload {
	const struct config_source *source; /* NULL = there is none: HUP is refused */
	struct config *own;                 /* the current one, if it was loaded here */
	struct config *next;                /* being checked; NULL = none */
	struct config_diff diff;
	pid_t checker;
	int report;        /* of the checker: a pipe's reading end */
	bool handing;      /* it has worked, and has an outcome when it is handed over */
	size_t adopting;   /* how many take it over; and of them, when it has an outcome: */
	size_t unanswered; /* how many have not done so yet */
	int64_t answer_by; /* clock_monotonic: we wait for them until then; 0 = not yet handed over
			    */
	bool asked;
	unsigned count; /* reloads so far that have an outcome */
	bool worked;    /* did the last one work? */
	char outcome[SOURCE_OUTCOME_SIZE];
};

/*
 * Continues a reload that was asked for, if any; called once for each turn of the supervisor's
 * loop.
 */
void reload_step(struct supervisor *supervisor);

/* When to call it next, in any case: clock_monotonic. */
int64_t reload_due(const struct reload *reload);

/* Ends a check that is under way and frees its configuration, which is not used. */
void reload_end(struct reload *reload);

#endif
