/*
 * The progress of a long command: a line on standard error that is overwritten, only on a terminal.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "cli/cli.h"

struct progress {
	const char *done; /* "retried" */
	int64_t total;    /* 0 = unknown */
	bool on;
	bool shown;
	int64_t started;
	int64_t shown_at;
};

/* `done` is a word such as "retried"; `total` is the number of jobs to do, 0 if it is not known. */
void progress_begin(struct progress *progress, const struct cli *cli, const char *done,
		    int64_t total);

/* Shows the number of jobs done, at most a few times a second. */
void progress_show(struct progress *progress, int64_t done);

/* Erases the line, so that others can be printed. */
void progress_erase(struct progress *progress);

#endif
