/*
 * Standard output or error of a process that runs jobs: what comes through its pipe is logged line
 * by line, and its end kept for the error of a failed job. Memory is the arena's of the slot whose
 * output it is. Main thread only.
 */
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>

#include "common/error.h"
#include "worker/exec/capture.h"

struct slot;
struct worker;

struct stream {
	struct worker *worker;
	struct slot *slot; /* NULL = nobody's: what comes is dropped */
	const char *name;
	int fd; /* -1 = closed, or not wanted */
	bool logged;
	unsigned *unheard;    /* struct handler's; NULL = there is nothing to say */
	struct capture *tail; /* NULL = not kept */
	struct line_cutter lines;
};

/* Closed. The stream keeps its address from now on. */
void stream_init(struct stream *stream, struct worker *worker, const char *name);

/* Loop callback. */
void stream_on_output(void *context);

/* Reads what there is, at most a fixed amount, and hands over an unfinished last line. */
void stream_drain(struct stream *stream);

/* A pipe of which only our end (0 = we read, 1 = we write) does not block. */
enum status stream_pipe(int *ours, int *theirs, int our_end, struct error *error) MUST_CHECK;

/* Unwatches and closes, if open, and marks it closed. */
void worker_close_fd(struct worker *worker, int *fd);

#endif
