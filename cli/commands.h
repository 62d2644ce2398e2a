/* All commands, by their rooms; the table of them is in main.c. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "cli/deploy/deploy.h"
#include "cli/jobs/jobs.h"
#include "cli/queues/queues.h"
#include "cli/recurring/recurring.h"
#include "cli/reference/reference.h"
#include "cli/top/top.h"

extern const struct command audit_command;
extern const struct command version_command;

#endif
