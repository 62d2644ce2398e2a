/*
 * cli/deploy/: the commands that start, check and look after a deployment and its database.
 */
#ifndef CLI_DEPLOY_H
#define CLI_DEPLOY_H

#include "cli/cli.h"

/* Of the option --wait. */
#define WAIT_DOC "wait also while the server refuses the login, the database or its tables"

extern const struct command start_command;
extern const struct command worker_command;
extern const struct command dispatcher_command;
extern const struct command scheduler_command;
extern const struct command reload_command;
extern const struct command check_command;
extern const struct command db_command;
extern const struct command processes_command;
extern const struct command doctor_command;
#ifdef DRAY_FAULTS
extern const struct command faults_command;
#endif

#endif
