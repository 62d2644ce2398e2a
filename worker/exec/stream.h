/*
 * Standard output or error of a process that runs jobs: its lines are logged, and its end is kept
 * for the error of a failed job. The memory is from the arena of the slot whose output it is. Main
 * thread only.
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
	struct slot *slot; /* NULL = no job's: the output is dropped */
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
