/*
 * Another configuration for a running deployment (HUP). A whole new one is loaded and checked, its
 * modules and the database by a process of their own, since modules run code; the supervisor goes
 * on meanwhile. Whatever is wrong with it, the old one stays as it is.
 */
#ifndef RELOAD_H
#define RELOAD_H

#include <stdbool.h>
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
	int report; /* of the checker: a pipe's reading end */
	bool asked;
	unsigned count; /* reloads that have an outcome */
	bool worked;    /* the last one */
	char outcome[SOURCE_OUTCOME_SIZE];
};

/* Goes on with what was asked, if anything; once a turn of the supervisor's loop. */
void reload_step(struct supervisor *supervisor);

/* Ends a check that is under way and frees what is left; its configuration is not used. */
void reload_end(struct reload *reload);

#endif
