/*
 * supervisor/: what only the supervisor does. It forks the configured dispatchers, workers and
 * schedulers, replaces those that die, releases their jobs, and stops all in order. It runs no job
 * and moves none.
 */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#include "config/config.h"
#include "process/source.h"
#include "supervisor/roles.h"

struct supervisor_options {
	const struct role *const *roles;    /* NULL = all_roles; tests provide their own */
	const struct config_source *source; /* for a reload; NULL = there is none */
	bool wait;                          /* at the start also for what a server refuses */

	/* Before anything else in the database; leaves no connection. NULL = nothing. */
	enum status (*prepare)(void *context, struct error *error);
	void *context;
};

/*
 * Runs in the foreground until told to stop, and returns the exit code (enum exit_code): 0 after
 * TERM, INT or QUIT, EXIT_USAGE if the configuration has no process to run or the database refuses
 * the start (see membership_is_final), EXIT_ERROR if the pidfile names a live supervisor or no
 * child can be kept running. Everything is logged. `options` may be NULL.
 */
int supervisor_run(const struct config *config, const struct supervisor_options *options);

#endif
