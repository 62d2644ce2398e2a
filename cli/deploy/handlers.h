/* What `dray start` and `dray worker` find out about jobs.yml before anything is started. */
#ifndef CLI_HANDLERS_H
#define CLI_HANDLERS_H

#include "cli/cli.h"

/*
 * Loads every module in a process of its own and looks for every program; prints what is wrong.
 * EXIT_STOPPED, or EXIT_USAGE when a module cannot be used: a program that is missing may be
 * installed later.
 */
int check_handlers(struct cli *cli);

#endif
