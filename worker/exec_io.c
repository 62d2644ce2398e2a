#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "common/log.h"
#include "common/loop.h"
#include "worker/exec.h"
#include "worker/state.h"

#define DRAIN_READS 16 /* of EXEC_BUFFER, after the child's end */

static void log_line(void *context, const char *line)
{
	const struct stream *stream = context;
	const struct job *job = &stream->exec->slot->claim.job;

	log_event(LOG_INFO, "job.output", LOG_INT("job", job->id),
		  LOG_TEXT("class", job->class_name), LOG_TEXT("stream", stream->name),
		  LOG_TEXT("line", line));
}

struct exec *exec_new(struct slot *slot, const char *program)
{
	struct exec *exec = arena_alloc(slot->arena, sizeof(*exec));
	bool logged = slot->handler->class->output == OUTPUT_LOG;

	exec->slot = slot;
	exec->program = program;
	exec->pidfd = exec->report = exec->input = -1;
	exec->unsent = slot->claim.job.payload;
	exec->unsent_length = strlen(exec->unsent);
	exec->out = (struct stream){ .exec = exec, .name = "stdout", .fd = -1, .logged = logged };
	exec->err = (struct stream){ .exec = exec, .name = "stderr", .fd = -1, .logged = logged };
	exec->err.captured = true;
	exec->out.lines = (struct line_cutter){ .call = log_line, .context = &exec->out };
	exec->err.lines = (struct line_cutter){ .call = log_line, .context = &exec->err };
	return exec;
}

void exec_close_fd(struct worker *worker, int *fd)
{
	if (*fd < 0)
		return;
	loop_unwatch(worker->loop, *fd);
	(void)close(*fd);
	*fd = -1;
}

void exec_close_all(struct exec *exec)
{
	struct worker *worker = exec->slot->worker;

	exec_close_fd(worker, &exec->pidfd);
	exec_close_fd(worker, &exec->report);
	exec_close_fd(worker, &exec->input);
	exec_close_fd(worker, &exec->out.fd);
	exec_close_fd(worker, &exec->err.fd);
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
	/* A program that does not read its input (EPIPE) is none the worse for it. */
	if (length <= 0 || exec->unsent_length == 0)
		exec_close_fd(exec->slot->worker, &exec->input);
}

/* One read; false when there is nothing (more) to be had now. */
static bool stream_read(struct stream *stream)
{
	struct slot *slot = stream->exec->slot;
	char *buffer = slot->worker->buffer;
	ssize_t length;

	if (stream->fd < 0)
		return false;
	length = read(stream->fd, buffer, EXEC_BUFFER);
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (length <= 0) {
		exec_close_fd(slot->worker, &stream->fd);
		return false;
	}
	if (stream->captured)
		capture_add(&stream->exec->tail, slot->arena, buffer, (size_t)length);
	if (stream->logged)
		lines_add(&stream->lines, slot->arena, buffer, (size_t)length);
	return true;
}

void exec_on_output(void *context)
{
	(void)stream_read(context);
}

/* A survivor that writes for ever must not hold us: the number of reads is bounded. */
void exec_drain(struct stream *stream)
{
	for (int i = 0; i < DRAIN_READS && stream_read(stream); i++)
		;
	lines_end(&stream->lines);
}
