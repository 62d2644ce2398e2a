/*
 * What a process writes, in bounded memory: a ring of its last bytes, its lines, and the pipe that
 * they come from. No process can hold the worker up: a long line is cut, a read is bounded, and
 * bytes that are no text become '?'.
 */
#include "worker/exec/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/log/log.h"
#include "common/loop.h"
#include "common/process.h"
#include "common/text/text.h"
#include "worker/state.h"

/* the tail and the lines */

static void sanitize(char *text, size_t length)
{
	size_t fault;

	while (length > 0 && !utf8_valid(text, length, &fault)) {
		text[fault] = '?';
		text += fault + 1;
		length -= fault + 1;
	}
}

void capture_add(struct capture *capture, struct arena *arena, const char *data, size_t length)
{
	if (!capture->ring)
		capture->ring = arena_alloc(arena, CAPTURE_TAIL);
	if (length > CAPTURE_TAIL) {
		data += length - CAPTURE_TAIL;
		length = CAPTURE_TAIL;
		capture->full = true;
	}
	while (length > 0) {
		size_t room = CAPTURE_TAIL - capture->next;
		size_t part = length < room ? length : room;

		memcpy(capture->ring + capture->next, data, part);
		capture->next += part;
		data += part;
		length -= part;
		if (capture->next == CAPTURE_TAIL) {
			capture->next = 0;
			capture->full = true;
		}
	}
}

/* The ring in one piece, without a first line or character whose beginning is lost. */
static char *unroll(const struct capture *capture, struct arena *arena, size_t *length)
{
	size_t older = capture->full ? CAPTURE_TAIL - capture->next : 0;
	char *text = arena_alloc(arena, older + capture->next + 1);
	char *newline;

	memcpy(text, capture->ring + capture->next, older);
	memcpy(text + older, capture->ring, capture->next);
	*length = older + capture->next;
	newline = capture->full ? memchr(text, '\n', *length) : NULL;
	if (newline && newline + 1 < text + *length) {
		*length -= (size_t)(newline + 1 - text);
		return newline + 1;
	}
	for (int i = 0; capture->full && i < 3 && *length > 0 && (*text & 0xc0) == 0x80; i++) {
		text++;
		--*length;
	}
	return text;
}

/*
 * Splits long lines, so that the last part of an endless line is kept where only whole lines are.
 */
static const char *break_lines(struct arena *arena, const char *text, size_t length)
{
	char *out = arena_alloc(arena, length + length / CAPTURE_LINE + 1);
	size_t column = 0;
	char *to = out;

	for (size_t i = 0; i < length; i++) {
		bool boundary = text[i] != '\n' && (text[i] & 0xc0) != 0x80;

		if (column >= CAPTURE_LINE && boundary) {
			*to++ = '\n';
			column = 0;
		}
		column = text[i] == '\n' ? 0 : column + 1;
		*to++ = text[i];
	}
	return out;
}

const char *capture_text(const struct capture *capture, struct arena *arena)
{
	size_t length;
	char *text;

	if (!capture->ring)
		return NULL;
	text = unroll(capture, arena, &length);
	while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
		text[--length] = '\0';
	sanitize(text, length);
	return break_lines(arena, text, length);
}

const char *capture_last(const struct capture *one, const struct capture *other,
			 struct arena *arena)
{
	const char *text = capture_text(one, arena);

	return text ? text : capture_text(other, arena);
}

static void hand_over(struct line_cutter *lines)
{
	size_t length = lines->length;

	while (length > 0 && lines->data[length - 1] == '\r')
		length--;
	sanitize(lines->data, length);
	lines->data[length] = '\0';
	lines->call(lines->context, lines->data, lines->dropped);
	lines->length = 0;
	lines->dropped = 0;
}

static void keep(struct line_cutter *lines, const char *data, size_t length)
{
	size_t room = CAPTURE_LINE - lines->length;
	size_t part = length < room ? length : room;

	memcpy(lines->data + lines->length, data, part);
	lines->length += part;
	lines->dropped += length - part;
}

void lines_add(struct line_cutter *lines, struct arena *arena, const char *data, size_t length)
{
	if (!lines->data)
		lines->data = arena_alloc(arena, CAPTURE_LINE + 1);
	while (length > 0) {
		const char *newline = memchr(data, '\n', length);
		size_t part = !newline ? length : (size_t)(newline - data);

		keep(lines, data, part);
		if (!newline)
			return;
		hand_over(lines);
		data += part + 1;
		length -= part + 1;
	}
}

void lines_end(struct line_cutter *lines)
{
	if (lines->data && lines->length > 0)
		hand_over(lines);
}

/* the stream */

#define DRAIN_READS 16 /* of EXEC_BUFFER */

static void log_line(void *context, const char *line, size_t lacks)
{
	const struct stream *stream = context;
	const struct job *job = &stream->run->claim.job;

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
		  LOG_TEXT("class", stream->run->claim.job.class_name),
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
	struct run *run = stream->run;
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
	if (run)
		tell_discarded(stream);
	if (run && stream->tail)
		capture_add(stream->tail, run->arena, buffer, (size_t)length);
	if (run && stream->logged)
		lines_add(&stream->lines, run->arena, buffer, (size_t)length);
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
