/*
 * The `dray` command: a table of commands, one file each. main parses nothing but the command's
 * name; every command has its own argp with the global options as a child, so that options may
 * stand on either side of the command's arguments.
 */
#ifndef CLI_H
#define CLI_H

#include <argp.h>
#include <stdbool.h>

#include "common/arena.h"
#include "config/config.h"
#include "db/db.h"

/* What the global options and the configuration come to; main owns it. */
struct cli {
	struct arena *arena;
	struct config_request request;
	struct config *config; /* NULL until cli_configure */
	struct db *db;         /* NULL until cli_connect */
	bool json;
	bool quiet;
	bool verbose;
	bool color;
};

struct command {
	const char *name;
	const char *summary; /* one line for `dray help` */
	/* argv[0] is "dray NAME"; returns an exit code of common/process.h. */
	int (*run)(struct cli *cli, int argc, char **argv);
};

/* The table, ended by a row without a name. */
extern const struct command commands[];

/* The global options as an argp child: its input is the struct cli. */
extern const struct argp global_argp;

/* Loads the configuration and sets up logging; prints every mistake. EXIT_STOPPED or EXIT_USAGE. */
int cli_configure(struct cli *cli);

/* cli_configure, then connects and checks the schema. EXIT_STOPPED, EXIT_USAGE or EXIT_DATABASE. */
int cli_connect(struct cli *cli);

/* Prints "dray: text" on standard error and returns the exit code that fits the error's status. */
int cli_fail(const struct error *error);

#endif
