#include "supervisor/fork.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/fault.h"
#include "process/control.h"
#include "process/runner.h"

/* Everything but the standard three and the two ends that are the child's own. */
static void close_others(unsigned low, unsigned high)
{
	if (low > high) {
		unsigned swapped = low;
		low = high;
		high = swapped;
	}
	if (low > STDERR_FILENO + 1)
		close_range(STDERR_FILENO + 1, low - 1, 0);
	if (high > low + 1)
		close_range(low + 1, high - 1, 0);
	close_range(high + 1, ~0U, 0);
}

/*
 * Memory of the supervisor stays as it is, shared until written; the loop's descriptors are closed
 * (which does not touch the supervisor's own). Its signals stay blocked until its own loop listens
 * to them, so that none is lost or ends it before that.
 */
static void become_child(const struct fork_plan *plan)
{
	loop_free(plan->loop);
	close_others((unsigned)plan->notice_fd, (unsigned)plan->death_fd);
}

static int run_child(const struct fork_plan *plan, const struct child *child,
		     struct control_view seen)
{
	struct runner_options options = {
		.config = plan->config,
		.entry = child->entry,
		.name = child->name,
		.control = plan->control,
		.seen = seen,
		.slot = child->slot,
		.notice_fd = plan->notice_fd,
		.death_fd = plan->death_fd,
	};

	become_child(plan);
	FAULT_ROLE_POINT(child->kind->role->word, "forked");
	return runner_main(child->kind->role, &options);
}

pid_t fork_role(const struct fork_plan *plan, const struct child *child)
{
	/* What the child has seen is what holds now: the rest it is signalled about. */
	struct control_view seen = control_look(plan->control);

	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		int code = run_child(plan, child, seen);
		exit(code); /* NOLINT(concurrency-mt-unsafe): its only thread */
	}
	return pid;
}
