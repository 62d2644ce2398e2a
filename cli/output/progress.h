/* How far a long command is: one line on a terminal's standard error that is written over. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include "cli/cli.h"

struct progress {
	const char *done; /* "retried" */
	int64_t total;    /* 0 = not known */
	bool on;
	bool shown;
	int64_t started;
	int64_t shown_at;
};

/* `done` and the number of jobs to do, 0 when it is not known; nothing but on a terminal. */
void progress_begin(struct progress *progress, const struct cli *cli, const char *done,
		    int64_t total);

/* So many are done; shows it a few times a second. */
void progress_show(struct progress *progress, int64_t done);

/* Makes room for other lines. */
void progress_erase(struct progress *progress);

#endif
