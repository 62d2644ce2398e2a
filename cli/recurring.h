/* dray recurring: the verbs that take files of their own. */
#ifndef CLI_RECURRING_H
#define CLI_RECURRING_H

#include "cli/cli.h"
#include "cli/table.h"
#include "schedule/schedule.h"

/* The command line of every verb; what a verb does not use is not given to it. */
struct recurring_request {
	const char *verb;
	const char *subject; /* a schedule or a key */
	const char *zone;    /* NULL: the configuration's, else the system's */
	const char *key;     /* for what ~ means; NULL: no task's */
	int64_t after;
	int64_t until; /* no run after this */
	int64_t number;
	bool compatible, strict;
};

/* The tasks of recurring.yml, with what the database knows of them. */
int recurring_list(struct cli *cli, const struct recurring_request *request);

/* When one of them runs next. */
int recurring_next(struct cli *cli, const struct recurring_request *request);

/* The runs after request->after, until request->until, as an array of objects, and as a table. */
json_t *recurring_runs(const struct schedule *schedule, const struct recurring_request *request);
void recurring_print_runs(struct cli *cli, json_t *runs);

int recurring_explain(struct cli *cli, const struct recurring_request *request);

#endif
