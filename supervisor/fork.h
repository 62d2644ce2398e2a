/* The fork: what a child must not inherit, and how it becomes a role process. */
#ifndef SUPERVISOR_FORK_H
#define SUPERVISOR_FORK_H

#include <sys/types.h>

#include "common/loop.h"
#include "supervisor/child.h"

struct fork_plan {
	const struct config *config;
	unsigned generation; /* of the configuration */
	struct loop *loop;   /* the supervisor's, closed in the child */
	struct control *control;
	const struct control_other *others; /* for whom the child waits (control.h) */
	size_t other_count;
	int notice_fd; /* the pipe's writing end */
	int death_fd;  /* the pipe's reading end */
};

/*
 * Forks child->name; the child runs its role and exits, so it never returns. The caller must have
 * closed its database connection. -1 with errno if no process can be made.
 */
pid_t fork_role(const struct fork_plan *plan, const struct child *child);

#endif
