/* A command of many transactions: how far it is, and whether it was asked to end. */
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

/* Blocks INT and TERM, for interrupt_asked. */
void interrupt_hold(void);

/* The signal that is pending, or 0. */
int interrupt_asked(void);

/* The exit status of a command that was ended by the signal, as shells report it: 130 or 143. */
#define INTERRUPT_STATUS(signal) (128 + (signal))

#endif
