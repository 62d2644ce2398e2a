/*
 * cli/queues/: the commands about queues: what waits in them, pausing and resuming.
 */
#ifndef CLI_QUEUES_H
#define CLI_QUEUES_H

#include "cli/cli.h"

extern const struct command queues_command;
extern const struct command stats_command;
extern const struct command pause_command;
extern const struct command resume_command;

#endif
