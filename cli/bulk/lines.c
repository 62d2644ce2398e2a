#include "cli/bulk/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/arena.h"

#define BUFFER_SIZE ((size_t)256 << 10)

void lines_init(struct lines *lines, int fd)
{
	*lines = (struct lines){ .fd = fd, .line.maximum = LINE_MAXIMUM };
	lines->buffer = malloc(BUFFER_SIZE);
	if (!lines->buffer)
		out_of_memory();
}

void lines_clear(struct lines *lines)
{
	free(lines->buffer);
	text_free(&lines->line);
}

/* NONE at the end of the file. */
static enum status fill(struct lines *lines, struct error *error)
{
	ssize_t length;

	do
		length = read(lines->fd, lines->buffer, BUFFER_SIZE);
	while (length < 0 && errno == EINTR);
	if (length < 0)
		return error_set(error, STATUS_FATAL, "cannot read after line %lld: %s",
				 (long long)lines->number, strerrordesc_np(errno));
	lines->begin = 0;
	lines->end = (size_t)length;
	return length == 0 ? STATUS_NONE : STATUS_OK;
}

/* Moves the buffer's part of the line to lines->line. Returns whether the line is complete. */
static bool take(struct lines *lines)
{
	const char *start = lines->buffer + lines->begin;
	size_t length = lines->end - lines->begin;
	const char *newline = memchr(start, '\n', length);

	if (newline)
		length = (size_t)(newline - start);
	text_append(&lines->line, start, length);
	lines->begin += length + (newline ? 1 : 0);
	return newline != NULL;
}

/* Editors and other systems begin a file with it; in UTF-8 it has no meaning. */
static void skip_mark(struct text *line)
{
	static const char mark[] = "\xEF\xBB\xBF";
	const size_t length = sizeof(mark) - 1;

	if (strncmp(text_string(line), mark, length) != 0)
		return;
	line->length -= length;
	memmove(line->data, line->data + length, line->length + 1);
}

enum status lines_next(struct lines *lines, struct error *error)
{
	enum status status = STATUS_OK;
	bool begun = false;
	bool ended = false;

	text_clear(&lines->line);
	while (!ended && status == STATUS_OK) {
		if (lines->begin == lines->end)
			status = fill(lines, error);
		if (status != STATUS_OK)
			break;
		begun = true;
		ended = take(lines);
	}
	if (status != STATUS_OK && !(status == STATUS_NONE && begun))
		return status;
	if (lines->number++ == 0)
		skip_mark(&lines->line);
	lines->too_long = lines->line.truncated;
	return STATUS_OK;
}
