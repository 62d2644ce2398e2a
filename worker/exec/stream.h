/*
 * Standard output or error of a process that runs jobs: its lines are logged, and its end is kept
 * for the error of a failed job. The memory is from the arena of the run whose output it is. Main
 * thread only.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "common/error.h"

struct run;
struct worker;

/*
 * Output of a command, in bounded memory: the last bytes of a stream (for the error of a failed
 * job) and its lines (for the log). The buffers come from the job's arena at the first byte.
 */

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

/* The text of the first of both in which something was written; NULL = of neither. */
const char *capture_last(const struct capture *one, const struct capture *other,
			 struct arena *arena);

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

struct stream {
	struct worker *worker;
	struct run *run; /* NULL = no job's: the output is dropped */
	const char *name;
	int fd; /* -1 = closed, or not wanted */
	bool logged;
	unsigned *unheard;    /* struct handler's; NULL = nothing to report */
	struct capture *tail; /* NULL = not kept */
	struct line_cutter lines;
};

/* Closed at first. The stream must not be moved from now on. */
void stream_init(struct stream *stream, struct worker *worker, const char *name);

/* Loop callback. */
void stream_on_output(void *context);

/* Reads what is there, at most a fixed amount, and hands over an unfinished last line. */
void stream_drain(struct stream *stream);

/* Makes a pipe of which only our end (0 = we read, 1 = we write) does not block. */
enum status stream_pipe(int *ours, int *theirs, int our_end, struct error *error) MUST_CHECK;

/* Unwatches and closes it, if open, and sets it to closed. */
void worker_close_fd(struct worker *worker, int *fd);

#endif
