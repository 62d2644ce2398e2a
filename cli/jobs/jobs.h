/*
 * cli/jobs/: the commands about jobs: putting them in, showing them, and changing what becomes of
 * them. Those that change many share the options that choose (filter.h) and the way to do it batch
 * by batch (selection.h).
 */
#ifndef CLI_JOBS_H
#define CLI_JOBS_H

#include "cli/cli.h"

extern const struct command enqueue_command;
extern const struct command jobs_command;
extern const struct command job_command;
extern const struct command why_command;
extern const struct command errors_command;
extern const struct command retry_command;
extern const struct command cancel_command;
extern const struct command discard_command;
extern const struct command run_now_command;
extern const struct command move_command;
extern const struct command reprioritize_command;
extern const struct command clear_command;

/*
 * In bulk.c, for `dray enqueue --bulk`: reads path ("-" = standard input) and enqueues in
 * transactions of at most 1000 jobs. Returns EXIT_STOPPED, EXIT_ERROR if there was a bad line, or
 * the exit status of the error that ended it early.
 */
int bulk_enqueue(struct cli *cli, const char *path);

#endif
