/*
 * What every role process does, whatever its role: one loop, one connection, the process row and
 * its heartbeats, signals, the death of the supervisor, the order of leaving. The role only does
 * its own work, a unit a tick. With or without a supervisor it is the same function.
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
	size_t entry;                       /* of the configuration's list for this role */
	const char *name;                   /* of the process row; NULL = a new one */
	unsigned slot;                      /* of the supervisor's child: goes into notices */
	const struct config_source *source; /* for HUP without a supervisor; NULL = none */
	const struct control *control;      /* what the supervisor wants; NULL = no supervisor */
	struct control_view seen;           /* of control when this process was forked */
	int notice_fd;                      /* where to say that we are ready; -1 = no supervisor */
	int death_fd; /* readable when the supervisor has vanished; -1 = no supervisor */
};

/* Instead of an exit code: the program is to begin anew, its configuration has changed. */
#define RUNNER_RESTART (-1)

/*
 * Runs a role until it is told to stop, and returns the process's exit code (enum exit_code). TERM
 * and INT: finish what runs within shutdown_timeout, stop and give back the rest. QUIT: at once. A
 * second TERM or INT is like QUIT for a process without supervisor; under one it changes nothing,
 * because a terminal or a service manager signals the whole group and the supervisor then does so
 * again. HUP without supervisor: another configuration (RUNNER_RESTART). USR1: quiet, take nothing
 * new until the next one. USR2: the state goes to the log. A database that is away is waited for,
 * also at the start.
 */
int runner_main(const struct role *role, const struct runner_options *options);

#endif
