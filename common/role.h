/*
 * What a role is. A role process (worker, dispatcher, scheduler) is one of these tables driven by
 * the supervisor's runner, which owns everything they have in common: the connection, the
 * process row, heartbeats, signals, the death of the supervisor and the shutdown deadline. A role
 * only does its own work, one unit a tick.
 */
#ifndef ROLE_H
#define ROLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/text/text.h"

struct config;
struct db;
struct loop;

struct role_context {
	const struct config *config;
	size_t entry;       /* which entry of config's list for this role */
	struct loop *loop;  /* the process's loop: add watches freely */
	struct db *db;      /* open before start, replaced by nobody */
	int64_t process_id; /* our row in solid_queue_processes, registered before start */
	const char *name;   /* our row's name */
	bool stopping;      /* set before role->stop is called */
	bool lost;          /* declared dead: what it does is given to others */
	bool quiet;         /* take nothing new; may change between ticks, a tick follows at once */
	void *state;        /* the role's own, made by start, freed by close */
};

struct role {
	const char *kind; /* "Worker": solid_queue_processes.kind */
	const char *word; /* "worker": commands, logs, process names */

	/* Prepares; INVALID means bad configuration (the process exits with EXIT_USAGE). */
	enum status (*start)(struct role_context *context, struct error *error);

	/*
	 * Does one unit of work and says in *wait how many microseconds may pass before the next
	 * call (0 = at once, CLOCK_NEVER = until woken with loop_wake). Never waits itself, except
	 * for the database. Not OK: the runner logs it and ticks again after a backoff.
	 */
	enum status (*tick)(struct role_context *context, int64_t *wait, struct error *error);

	/*
	 * Does its work advance, or has it a reason not to? While it does not, the process says to
	 * nobody that it is alive, so that whoever looks after it replaces it. NULL = it does as
	 * long as the loop turns.
	 */
	bool (*advances)(const struct role_context *context);

	/* Take nothing new from now on; tick goes on until idle. May be NULL. */
	void (*stop)(struct role_context *context);

	/*
	 * Stop what runs: shutdown_timeout is over, or the process was declared dead. It may tick
	 * for stop_grace more before close. May be NULL.
	 */
	void (*hurry)(struct role_context *context);

	/* Is nothing running? The runner leaves when stopping and idle. NULL = always. */
	bool (*idle)(const struct role_context *context);

	/* Ends what still runs (kill), waits for it, frees state. Claims are released by the
	 * runner. */
	void (*close)(struct role_context *context);

	/* Adds the metadata members ("\"queues\":\"*\",...") without braces, and the title's text.
	 */
	void (*describe)(const struct role_context *context, struct text *metadata,
			 struct text *title);

	/* Logs what it is doing, for a person (USR2): one event a line. Only after start. NULL =
	 * nothing to tell. */
	void (*dump)(const struct role_context *context);
};

#endif
