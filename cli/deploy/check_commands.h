/* Recurring tasks with a command: does any worker take their queues, and do others' take them? */
#ifndef CLI_CHECK_COMMANDS_H
#define CLI_CHECK_COMMANDS_H

#include "cli/cli.h"
#include "queue/processes/takers.h"

/* Sentences in the arena, ended by NULL. Without a database (cli->db NULL) of the files alone. */
enum status check_commands(struct cli *cli, const char ***warnings, struct error *error) MUST_CHECK;

/* Workers of other software that take the queues of these and of the database's tasks. */
enum status commands_takers(struct cli *cli, struct takers *takers, struct error *error) MUST_CHECK;

#endif
