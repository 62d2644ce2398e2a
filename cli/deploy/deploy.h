/*
 * cli/deploy/: the commands that start, check and look after a deployment and its database.
 */
#ifndef CLI_DEPLOY_H
#define CLI_DEPLOY_H

#include "cli/cli.h"

/* Of the option --wait. */
#define WAIT_DOC "wait also while the server refuses the login, the database or its tables"

extern const struct command start_command;
extern const struct command watch_command;
extern const struct command reload_command;
extern const struct command check_command;
extern const struct command db_command;
extern const struct command processes_command;
extern const struct command doctor_command;
extern const struct command health_command;
#ifdef DRAY_FAULTS
extern const struct command faults_command;

/* Arms the points that DRAY_FAULT names. Reports a mistake in it and returns false. */
bool faults_are_known(struct arena *arena);
#endif

/*
 * In start.c: makes the commands that run one role alone, in the order of their sections, and
 * returns how many they are: at most ROLES_MOST.
 */
#define ROLES_MOST 8
size_t role_commands(struct arena *arena, const struct command *commands[]);

/* In start.c: the switches of Solid Queue's bin/jobs, for start and check. */
struct switches {
	enum config_said skip_recurring, only_recurring;
	const char *mode; /* NULL = not given */
};

enum switch_key { SWITCH_SKIP = 2000, SWITCH_ONLY, SWITCH_NO_SKIP, SWITCH_NO_ONLY, SWITCH_MODE };

/* Rows of a table of options. The other spellings of bin/jobs are hidden. */
#define SWITCH_OPTIONS                                                                             \
	{                                                                                          \
		"skip-recurring",                                                                  \
		SWITCH_SKIP,                                                                       \
		NULL,                                                                              \
		0,                                                                                 \
		"leave out the scheduler and recurring.yml",                                       \
		0                                                                                  \
	},                                                                                         \
		{ "skip_recurring", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0 },              \
		{ "only-recurring", SWITCH_ONLY, NULL, 0, "only the scheduler", 0 },               \
		{ "only_recurring", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0 },              \
		{ "no-skip-recurring", SWITCH_NO_SKIP, NULL, OPTION_HIDDEN, "", 0 },               \
		{ "no-skip_recurring", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0 },           \
		{ "no-only-recurring", SWITCH_NO_ONLY, NULL, OPTION_HIDDEN, "", 0 },               \
		{ "no-only_recurring", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0 },           \
	{                                                                                          \
		"mode", SWITCH_MODE, "fork|async", OPTION_HIDDEN, "", 0                            \
	}

/* Like argp's parser: ARGP_ERR_UNKNOWN if the key is not one of these. */
error_t switches_parse(struct switches *switches, int key, const char *value,
		       const struct argp_state *state);

/* To be called before the configuration is loaded. Warns of a mode that dray does not have. */
void switches_request(const struct switches *switches, struct cli *cli);

#endif
