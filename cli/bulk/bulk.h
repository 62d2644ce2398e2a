/* cli/bulk/: enqueues jobs from a file. A job for every line of a stream, with constant memory. */
#ifndef BULK_H
#define BULK_H

#include "cli/cli.h"

/*
 * Reads path ("-" = standard input) and enqueues in transactions of 1000 jobs. Bad lines are
 * reported with their numbers and skipped. Returns EXIT_STOPPED, EXIT_ERROR if there was a bad
 * line, or the exit status of the error that ended it early.
 */
int bulk_enqueue(struct cli *cli, const char *path);

#endif
