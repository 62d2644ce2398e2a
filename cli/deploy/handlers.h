/* The check of jobs.yml by `dray start` and `dray worker`, before they start anything. */
#ifndef CLI_HANDLERS_H
#define CLI_HANDLERS_H

#include "cli/cli.h"

/*
 * Loads every module in a process of its own, looks for every program, and prints what is wrong.
 * Returns EXIT_STOPPED, or EXIT_USAGE if a module cannot be used. A missing program is only a
 * warning, because it may be installed later.
 */
int check_handlers(struct cli *cli);

#endif
