/*
 * The `dray` command: a table of commands, one file each. main parses the global options before
 * the command's name; each command has its own argp with the global options as a child, so that
 * options may stand on either side of the command's arguments. A command prints its result on
 * standard output through cli/output/table.h and its mistakes as "dray: ..." lines on standard
 * error.
 */
#ifndef CLI_H
#define CLI_H

#include <argp.h>
#include <stdbool.h>

#include "common/arena.h"
#include "config/config.h"
#include "db/db.h"
#include "schedule/instant.h"

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* What the global options and the configuration come to; main owns it. */
struct cli {
	struct arena *arena;
	struct config_request request;
	struct config *config; /* NULL until cli_configure */
	struct db *db;         /* NULL until cli_open */
	bool json;
	bool wide;
	bool quiet;
	bool verbose;
	enum color color;
	const char *understood; /* of times as people say them; NULL = nothing to say */
};

struct command {
	const char *name;
	const char *summary; /* one line for `dray help` */
	/* Its own options, arguments and help: "description\vexamples", two spaces before each. */
	const struct argp *argp;
	/* As argp's parser; state->input is the input. NULL = no options or arguments. */
	error_t (*parse)(int key, const char *value, struct argp_state *state);
	/* Its argument is a name of this kind (`dray complete`): the first, or the one behind one
	 * of the words names_after; NULL = it is none, or the first. */
	const char *names, *names_after;
	const char *words;  /* what may stand as first argument, for completions; NULL = anything */
	const char *output; /* what --json prints, for the reference; NULL = nothing of its own */
	size_t input_size;  /* of what its parser fills, zeroed before */
	unsigned needs; /* set of enum config_need: mistakes elsewhere do not stop it; 0 = all */
	/* Returns an exit code of common/process.h. */
	int (*run)(struct cli *cli, void *input);
};

/* The table, ended by NULL. */
extern const struct command *const commands[];

/* The same of those that programs call, and no help names. */
extern const struct command *const hidden_commands[];

/* NULL when there is none; cli_unknown_command then says so and names the nearest. */
const struct command *command_find(const char *name);
int cli_unknown_command(const char *name);

/* Parses (argv[0] is "dray NAME") and runs; --help and mistakes end the program. */
int command_run(const struct command *command, struct cli *cli, int argc, char **argv);

/* All commands with their summaries, and how to go on. */
extern const struct argp root_argp;

/* An argp help_filter: puts the exit statuses at the end. */
char *help_filter(int key, const char *text, void *input);

/* The global options as an argp child: its input is the struct cli. */
extern const struct argp global_argp;

/*
 * A command's arguments are the rest of argv once its parser sees the first (argp has moved the
 * options before them). Call at ARGP_KEY_ARG.
 */
struct arguments {
	char **list;
	size_t count;
};
void arguments_take(struct arguments *arguments, struct argp_state *state);

/* argp_parse; nothing in its messages about the words deceives a terminal (cell_clean). */
error_t arguments_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
			void *input) MUST_CHECK;

/* Ends the program with a message about the command line. */
void argument_error(const struct argp_state *state, const char *format, ...) PRINTF_LIKE(2, 3);

/* Values of options and arguments; a mistake ends the program with a message. */
int64_t argument_number(const char *text, const char *what, int64_t minimum,
			const struct argp_state *state);
int argument_limit(const char *text, const struct argp_state *state); /* rows of a page */
int64_t argument_duration(const char *text, const char *what, const struct argp_state *state);
/* The last such time before now, or the next; what was understood is said to people. */
int64_t argument_time(const char *text, const char *what, enum instant_side side,
		      const struct argp_state *state);

/*
 * Loads the configuration and sets up logging; prints every mistake in what the command needs, and
 * one warning about all others. EXIT_STOPPED or EXIT_USAGE.
 */
int cli_configure(struct cli *cli);

/* The same, warnings included. */
int cli_configure_loudly(struct cli *cli);

/*
 * config_load once more with the same global options, for a reload: --quiet and --verbose are in
 * the configuration then, as cli_keep_level puts them into cli->config.
 */
enum status cli_load(const struct cli *cli, struct arena *arena, struct config **config,
		     struct config_problems *problems) MUST_CHECK;
void cli_keep_level(struct cli *cli);

/*
 * Configures and connects, whatever state the schema is in; CLI_CREATE makes the file of an
 * embedded database that is not there yet, CLI_CREATE_FOLDERS those that it is in, too, which those
 * of the default need not be told. EXIT_STOPPED or what went wrong.
 */
enum cli_open { CLI_EXISTING, CLI_CREATE, CLI_CREATE_FOLDERS };
int cli_open(struct cli *cli, enum cli_open how);

/* cli_open, then insists on this program's schema. EXIT_STOPPED or what went wrong. */
int cli_connect(struct cli *cli);

/* Opens with the configuration at hand: for `check`, which goes on when that fails. */
enum status cli_database(struct cli *cli, enum cli_open how, struct error *error) MUST_CHECK;

/* Prints "dray: text" on standard error and returns the exit code that fits the error's status. */
int cli_fail(const struct error *error);

/* One "dray: warning: ..." line, unless --quiet. */
void cli_warn(const struct cli *cli, const char *format, ...) PRINTF_LIKE(2, 3);

/* One "dray: ..." line. */
void cli_complain(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
