/* Every command's function; the table is in main.c. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include "cli/cli.h"

int command_start(struct cli *cli, int argc, char **argv);
int command_db(struct cli *cli, int argc, char **argv);

#endif
