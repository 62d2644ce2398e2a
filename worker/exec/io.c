#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "worker/exec/exec.h"
#include "worker/state.h"

struct exec *exec_new(struct slot *slot, const char *program, const char *input)
{
	struct exec *exec = arena_alloc(slot->arena, sizeof(*exec));

	exec->slot = slot;
	exec->program = program;
	exec->pidfd = exec->report = exec->input = -1;
	exec->unsent = input;
	exec->unsent_length = input ? strlen(input) : 0;
	stream_init(&exec->out, slot->worker, "stdout");
	stream_init(&exec->err, slot->worker, "stderr");
	exec->out.slot = exec->err.slot = slot;
	exec->out.logged = exec->err.logged = slot->handler->class->output == OUTPUT_LOG;
	exec->out.unheard = exec->err.unheard = slot->handler->unheard;
	exec->err.tail = &exec->tail;
	return exec;
}

void exec_close_all(struct exec *exec)
{
	struct worker *worker = exec->slot->worker;

	worker_close_fd(worker, &exec->pidfd);
	worker_close_fd(worker, &exec->report);
	worker_close_fd(worker, &exec->input);
	worker_close_fd(worker, &exec->out.fd);
	worker_close_fd(worker, &exec->err.fd);
	cgroup_give_back(&worker->cgroups, exec->cgroup);
	exec->cgroup = NULL;
}

void exec_on_input(void *context)
{
	struct exec *exec = context;
	ssize_t length = write(exec->input, exec->unsent, exec->unsent_length);

	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (length > 0) {
		exec->unsent += length;
		exec->unsent_length -= (size_t)length;
	}
	/* A program that does not read its input (EPIPE) is not in error. */
	if (length <= 0 || exec->unsent_length == 0)
		worker_close_fd(exec->slot->worker, &exec->input);
}
