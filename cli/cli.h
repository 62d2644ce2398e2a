/*
 * The `dray` command: a table of commands. main parses the global options before the command's
 * name. Each command has its own argp with the global options as a child, so that options may stand
 * before or after the command's arguments. A command prints its result to standard output through
 * cli/output/table.h, and its errors to standard error as "dray: ..." lines.
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

struct command;

/* The global options and what is built from them; owned by main. */
struct cli {
	/*
	 * All commands, those that are called by programs and not listed in the help (each ended by
	 * NULL), and the help of `dray` itself. main has these tables and hands them down, because
	 * it calls the commands, which therefore cannot call main.
	 */
	const struct command *const *commands;
	const struct command *const *hidden_commands;
	const struct argp *root;

	struct arena *arena;
	struct config_request request;
	struct config *config; /* NULL until cli_configure */
	struct db *db;         /* NULL until cli_open */
	bool json;
	bool wide;
	bool quiet;
	bool verbose;
	enum color color;
	const char *understood; /* how argument_time read a time, or NULL */
};

struct command {
	const char *name;
	const char *summary; /* one line for `dray help` */
	/*
	 * Its own options, arguments and help: "description\vexamples", each example indented by
	 * two spaces.
	 */
	const struct argp *argp;
	/*
	 * Like argp's parser; state->input is the command's input. NULL = no options and no
	 * arguments.
	 */
	error_t (*parse)(int key, const char *value, struct argp_state *state);
	/*
	 * For completion: the kind of name that its argument is (`dray complete`); NULL = not a
	 * name. The name is the first argument, or the one after one of the words in names_after.
	 */
	const char *names, *names_after;
	const char *words;  /* for completion: what the first argument may be; NULL = anything */
	const char *output; /* what --json prints, for the reference; NULL = no JSON output */
	size_t input_size;  /* of the struct that its parser fills */
	const void *input;  /* what that is at first; NULL = zeros */
	unsigned needs; /* set of enum config_need, 0 = all: mistakes elsewhere do not stop it */
	/*
	 * Of one that judges: its exit status when it cannot, also for a mistake in its command
	 * line. 0 = it is like all others.
	 */
	int unknown;
	/* Returns an exit status of common/process.h, or its own if it judges. */
	int (*run)(struct cli *cli, void *input);
};

/*
 * NULL if there is no such command; cli_unknown_command then reports that and suggests the nearest.
 */
const struct command *command_find(const struct cli *cli, const char *name);
int cli_unknown_command(const struct cli *cli, const char *name);

/*
 * Parses the command line (argv[0] is "dray NAME") and runs the command; --help and mistakes end
 * the program.
 */
int command_run(const struct command *command, struct cli *cli, int argc, char **argv);

/* An argp help_filter that appends the exit statuses; those of a command that judges. */
char *help_filter(int key, const char *text, void *input);
char *help_filter_judging(int key, const char *text, void *input);

/* The global options as an argp child: its input is the struct cli. */
extern const struct argp global_argp;

/*
 * All arguments of a command. argp has moved the options before them, so when the parser sees the
 * first argument the rest of argv are the others. Call at ARGP_KEY_ARG.
 */
struct arguments {
	char **list;
	size_t count;
};
void arguments_take(struct arguments *arguments, struct argp_state *state);

/*
 * argp_parse, but its messages go through cell_clean, because they quote words of the command line.
 */
error_t arguments_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
			void *input) MUST_CHECK;

/* Reports a mistake in the command line and ends the program. */
void argument_error(const struct argp_state *state, const char *format, ...) PRINTF_LIKE(2, 3);

/* Values of options and arguments; if one is invalid, a message is printed and the program ends. */
int64_t argument_number(const char *text, const char *what, int64_t minimum,
			const struct argp_state *state);
int argument_limit(const char *text, const struct argp_state *state); /* rows of a page */
int64_t argument_duration(const char *text, const char *what, const struct argp_state *state);
/*
 * `side` chooses between the last such time before now and the next one. How the text was read is
 * printed for people.
 */
int64_t argument_time(const char *text, const char *what, enum instant_side side,
		      const struct argp_state *state);

/*
 * Loads the configuration and sets up logging. Prints every mistake in the parts that the command
 * needs, and one warning for all other parts. Returns EXIT_STOPPED or EXIT_USAGE. With
 * request.keep_faulty no mistake stops the command, and those in other parts are not its business.
 */
int cli_configure(struct cli *cli);

/* The same, and prints the configuration's warnings, too. */
int cli_configure_loudly(struct cli *cli);

/*
 * config_load, and then no longer as root where the files are the system's and its state belongs to
 * another user. INVALID without cli->config: it cannot.
 */
enum status cli_read(struct cli *cli, struct config_problems *problems) MUST_CHECK;

/*
 * config_load with the same global options, for a reload. Sets the log level by --quiet and
 * --verbose, as cli_keep_level does for cli->config.
 */
enum status cli_load(const struct cli *cli, struct arena *arena, struct config **config,
		     struct config_problems *problems) MUST_CHECK;
void cli_keep_level(struct cli *cli);

/*
 * Configures and connects, whatever state the schema is in. CLI_CREATE creates a missing SQLite
 * file; CLI_CREATE_FOLDERS also creates its folders (CLI_CREATE does so only for the default path).
 * Returns EXIT_STOPPED or the exit status of the error.
 */
enum cli_open { CLI_EXISTING, CLI_CREATE, CLI_CREATE_FOLDERS };
int cli_open(struct cli *cli, enum cli_open how);

/*
 * cli_open, and fails unless the database has this program's schema. Returns EXIT_STOPPED or the
 * exit status of the error.
 */
int cli_connect(struct cli *cli);

/* Opens the database of cli->config: for `check`, which continues if that fails. */
enum status cli_database(struct cli *cli, enum cli_open how, struct error *error) MUST_CHECK;

/*
 * INVALID if this path of `what` is below the folder of the service, and that does not exist: what
 * root made in a folder that root made, the service could not use.
 */
enum status cli_require_state(const struct config *config, const char *what, const char *path,
			      struct error *error) MUST_CHECK;

/* Prints "dray: text" to standard error and returns the exit status for the error's status. */
int cli_fail(const struct error *error);

/*
 * The same for what a database lacks or a server refuses, which is no mistake of the command line
 * or the files.
 */
int cli_refused(const struct error *error);

/* Prints a "dray: warning: ..." line, unless --quiet. */
void cli_warn(const struct cli *cli, const char *format, ...) PRINTF_LIKE(2, 3);

/* Prints a "dray: ..." line. */
void cli_complain(const char *format, ...) PRINTF_LIKE(1, 2);

#endif
