/*
 * cli/bulk/: enqueueing many jobs from a file.
 *
 * Enqueues one job for every line of a stream, in flat memory.
 */
#ifndef BULK_H
#define BULK_H

#include "cli/cli.h"

/*
 * Reads path ("-" = standard input) and enqueues in batches of 1000 jobs a transaction. Bad lines
 * are reported with their numbers and left out. EXIT_STOPPED, EXIT_ERROR when there was a bad
 * line, or what ended it early.
 */
int bulk_enqueue(struct cli *cli, const char *path);

#endif
