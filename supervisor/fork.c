#include "supervisor/fork.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/fault.h"
#include "process/control.h"
#include "process/runner.h"

/*
 * Closes everything but the three standard descriptors and the child's own ends of the two pipes.
 */
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
 * The supervisor's memory stays as it is, shared until written; the loop's descriptors are closed,
 * which does not affect the supervisor's. The child's signals stay blocked until its own loop
 * handles them, so that none is lost or ends it before.
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
		.generation = plan->generation,
		.seen = seen,
		.slot = child->slot,
		.others = plan->others,
		.other_count = plan->other_count,
		.notice_fd = plan->notice_fd,
		.death_fd = plan->death_fd,
	};

	become_child(plan);
	control_seal(plan->control);
	FAULT_ROLE_POINT(child->kind->role->word, "forked");
	return runner_main(child->kind->role, &options);
}

pid_t fork_role(const struct fork_plan *plan, const struct child *child)
{
	/* The child has seen what is valid now; it is signalled about later changes. */
	struct control_view seen = control_look(plan->control);

	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		int code = run_child(plan, child, seen);
		exit(code); /* NOLINT(concurrency-mt-unsafe): its only thread */
	}
	return pid;
}
