/* dray recurring: the verbs that take files of their own. */
#ifndef RECURRING_H
#define RECURRING_H

#include "cli/cli.h"

/* The command line of every verb; what a verb does not use is not given to it. */
struct recurring_request {
	const char *verb;
	const char *subject; /* a schedule or a key */
	const char *zone;    /* NULL: the configuration's, else the system's */
	const char *key;     /* for what ~ means; NULL: no task's */
	int64_t after;
	int64_t number;
	bool compatible, strict;
};

int recurring_explain(struct cli *cli, const struct recurring_request *request);

#endif
