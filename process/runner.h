/*
 * process/: what every process has. The runner is what every role process does, whatever its role:
 * one loop, one connection, the process row and its heartbeats, signals, the death of the
 * supervisor, the order of leaving. The role does only its own work, one unit a tick. The same
 * function runs with and without a supervisor.
 */
#ifndef RUNNER_H
#define RUNNER_H

#include <stddef.h>
#include <stdint.h>

#include "common/role.h"
#include "process/control.h"
#include "process/source.h"

struct runner_options {
	const struct config *config;
	const struct role *const *roles; /* all, ended by NULL: it may lead (lead.h); NULL = not */
	size_t entry;                    /* of the configuration's list for this role */
	const char *name;                /* of the process row; NULL = a new one */
	unsigned lane;  /* of the supervisor, that this process is in: goes into notices */
	bool wait;      /* without a supervisor: also for what a server refuses at a first start */
	bool restarted; /* and this is none: the process has worked with another configuration */
	const struct config_source *source; /* for HUP without a supervisor; NULL = none */
	struct control *control;            /* what the supervisor wants; NULL = no supervisor */
	const struct control_other *others; /* whose runs leave it fewer threads */
	size_t other_count;
	unsigned generation;      /* of the configuration, as the supervisor counts them */
	struct control_view seen; /* of control when this process was forked */
	int notice_fd;            /* where to send notices; -1 = no supervisor */
	int death_fd; /* readable when the supervisor has vanished; -1 = no supervisor */

	/* Of the janitor only: */
	int deaths_fd; /* where it hears which children have died */
	int parent;    /* the supervisor's pid */
	bool again;    /* it is not the first one of this supervisor */
	bool first;    /* the supervisor's start waits for it: what is refused ends it */
	enum status (*prepare)(void *context,
			       struct error *error); /* before all else; NULL = nothing */
	void *context;
};

/* Instead of an exit code: the configuration has changed, and the program must start anew. */
#define RUNNER_RESTART (-1)

/*
 * Runs a role until it is asked to stop, and returns the process's exit code (enum exit_code). TERM
 * and INT: let runs finish within shutdown_timeout, then stop and release the rest. QUIT: at once.
 * A second TERM or INT is like QUIT for a process without a supervisor; under a supervisor it
 * changes nothing, because a terminal or a service manager signals the whole group, and then the
 * supervisor signals its children, too. HUP without a supervisor: another configuration
 * (RUNNER_RESTART). USR1: quiet, take nothing new until the next USR1. USR2: log the state. While
 * the database is unavailable, it waits, also at the start. What the database refuses at a first
 * start (see membership_is_final) ends it with EXIT_USAGE.
 */
int runner_main(const struct role *role, const struct runner_options *options);

#endif
