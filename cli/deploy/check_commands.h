/*
 * Recurring tasks with a command: whether a worker serves their queues, and whether workers of
 * other software do.
 */
#ifndef CLI_CHECK_COMMANDS_H
#define CLI_CHECK_COMMANDS_H

#include "cli/cli.h"
#include "queue/processes/takers.h"

/*
 * Finds what is wrong: sentences in the arena, ended by NULL. Without a database (cli->db is NULL)
 * only the files are checked.
 */
enum status check_commands(struct cli *cli, const char ***warnings, struct error *error) MUST_CHECK;

/*
 * Finds workers of other software that serve the queues of these tasks and of those in the
 * database.
 */
enum status commands_takers(struct cli *cli, struct takers *takers, struct error *error) MUST_CHECK;

#endif
