/*
 * Output of a command, in bounded memory: the last bytes of a stream (for the error of a failed
 * job) and its lines (for the log). The buffers come from the job's arena at the first byte.
 */
#ifndef CAPTURE_H
#define CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"

#define CAPTURE_TAIL ((size_t)64 * 1024)
#define CAPTURE_LINE ((size_t)4 * 1024)

/* A ring of the last CAPTURE_TAIL bytes. Zeroed = empty. */
struct capture {
	char *ring;
	size_t next; /* where the next byte goes */
	bool full;   /* older bytes were overwritten */
};

void capture_add(struct capture *capture, struct arena *arena, const char *data, size_t length);

/*
 * The tail as text: without the partial first line when something was cut, without trailing
 * newlines, bytes that are not UTF-8 (and NUL) replaced by '?', broken into lines of at most
 * CAPTURE_LINE bytes. NULL when nothing was written.
 */
const char *capture_text(const struct capture *capture, struct arena *arena);

/* Receives one line without its newline, as valid text, and how many bytes it lacks. */
typedef void line_callback(void *context, const char *line, size_t lacks);

/* Splits a stream into lines; what a line has beyond CAPTURE_LINE bytes is only counted. */
struct line_cutter {
	char *data;
	size_t length;
	size_t dropped;
	line_callback *call;
	void *context;
};

void lines_add(struct line_cutter *lines, struct arena *arena, const char *data, size_t length);

/* The end of the stream: hands over a last line that has no newline. */
void lines_end(struct line_cutter *lines);

#endif
