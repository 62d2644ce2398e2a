/* The switches of Solid Queue's bin/jobs, for the commands that it has: start and check. */
#ifndef CLI_SWITCHES_H
#define CLI_SWITCHES_H

#include "cli/cli.h"

struct switches {
	enum config_said skip_recurring, only_recurring;
	const char *mode; /* NULL = not said */
};

enum switch_key { SWITCH_SKIP = 2000, SWITCH_ONLY, SWITCH_NO_SKIP, SWITCH_NO_ONLY, SWITCH_MODE };

/* Rows of a table of options. What bin/jobs also understands is hidden. */
#define SWITCH_OPTIONS                                                                             \
	{ "skip-recurring", SWITCH_SKIP, NULL, 0, "without the scheduler and recurring.yml", 0 },  \
		{ "skip_recurring", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0 },              \
		{ "only-recurring", SWITCH_ONLY, NULL, 0, "the scheduler alone", 0 },              \
		{ "only_recurring", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0 },              \
		{ "no-skip-recurring", SWITCH_NO_SKIP, NULL, OPTION_HIDDEN, "", 0 },               \
		{ "no-skip_recurring", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0 },           \
		{ "no-only-recurring", SWITCH_NO_ONLY, NULL, OPTION_HIDDEN, "", 0 },               \
		{ "no-only_recurring", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0 },           \
	{                                                                                          \
		"mode", SWITCH_MODE, "fork|async", OPTION_HIDDEN, "", 0                            \
	}

/* As argp's parser: ARGP_ERR_UNKNOWN when the key is none of these. */
error_t switches_parse(struct switches *switches, int key, const char *value,
		       const struct argp_state *state);

/* Before the configuration is loaded. Warns of a mode that dray has not. */
void switches_request(const struct switches *switches, struct cli *cli);

#endif
