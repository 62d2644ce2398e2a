#include "worker/exec/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "common/log/log.h"
#include "common/loop.h"
#include "common/process.h"
#include "worker/state.h"

#define DRAIN_READS 16 /* of EXEC_BUFFER */

static void log_line(void *context, const char *line, size_t lacks)
{
	const struct stream *stream = context;
	const struct job *job = &stream->slot->claim.job;

	log_event(LOG_INFO, "job.output", LOG_INT("job", job->id),
		  LOG_TEXT("class", job->class_name), LOG_TEXT("stream", stream->name),
		  LOG_TEXT("line", line), lacks > 0 ? LOG_INT("truncated", lacks) : LOG_END);
}

/* Logged once a class, not once a job: people who look for the output must learn where it goes. */
static void tell_discarded(const struct stream *stream)
{
	if (!stream->unheard || *stream->unheard == 0)
		return;
	*stream->unheard = 0;
	log_event(LOG_INFO, "job.output_discarded",
		  LOG_TEXT("class", stream->slot->claim.job.class_name),
		  LOG_TEXT("stream", stream->name),
		  LOG_TEXT("message",
			   "what this class's program writes is discarded, except the standard "
			   "error of failed jobs; output: log in jobs.yml logs it"));
}

void stream_init(struct stream *stream, struct worker *worker, const char *name)
{
	*stream = (struct stream){ .worker = worker, .name = name, .fd = -1 };
	stream->lines = (struct line_cutter){ .call = log_line, .context = stream };
}

void worker_close_fd(struct worker *worker, int *fd)
{
	if (*fd < 0)
		return;
	loop_unwatch(worker->loop, *fd);
	(void)close(*fd);
	*fd = -1;
}

/* One read; false when there is nothing (more) to read now. */
static bool stream_read(struct stream *stream)
{
	struct slot *slot = stream->slot;
	char *buffer = stream->worker->buffer;
	ssize_t length;

	if (stream->fd < 0)
		return false;
	length = read(stream->fd, buffer, EXEC_BUFFER);
	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (length <= 0) {
		worker_close_fd(stream->worker, &stream->fd);
		return false;
	}
	if (slot)
		tell_discarded(stream);
	if (slot && stream->tail)
		capture_add(stream->tail, slot->arena, buffer, (size_t)length);
	if (slot && stream->logged)
		lines_add(&stream->lines, slot->arena, buffer, (size_t)length);
	return true;
}

void stream_on_output(void *context)
{
	(void)stream_read(context);
}

/* A process that writes for ever must not hold us up: the number of reads is bounded. */
void stream_drain(struct stream *stream)
{
	for (int i = 0; i < DRAIN_READS && stream_read(stream); i++)
		;
	lines_end(&stream->lines);
}

enum status stream_pipe(int *ours, int *theirs, int our_end, struct error *error)
{
	int fds[2];
	enum status status = process_pipe(fds, false, error);

	if (status != STATUS_OK)
		return status;
	(void)fcntl(fds[our_end], F_SETFL, O_NONBLOCK);
	*ours = fds[our_end];
	*theirs = fds[1 - our_end];
	return STATUS_OK;
}
