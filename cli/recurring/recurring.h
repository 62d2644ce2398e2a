/*
 * cli/recurring/: `dray recurring` and its verbs: show.c has those that read, act.c those that
 * change something.
 */
#ifndef CLI_RECURRING_H
#define CLI_RECURRING_H

#include "cli/cli.h"
#include "cli/output/table.h"
#include "queue/recurring/task.h"
#include "schedule/schedule.h"

/* The command line of every verb; what a verb does not use is not given to it. */
struct recurring_request {
	const char *verb;
	const char *subject; /* a schedule or a key */
	const char *zone;    /* NULL: the configuration's, else the system's */
	const char *key;     /* for what ~ means; NULL: no task's */
	int64_t after;       /* explain, next */
	int64_t before;      /* history; 0 = all */
	int64_t number;      /* 0 = the verb's default */
	bool compatible, strict;
	const char *reason;
	bool dry_run, yes;
	struct recurring_values values;
	bool has_values;
};

/* The tasks of recurring.yml and those added at run time, with what the database knows of them. */
int recurring_do_list(struct cli *cli, const struct recurring_request *request);

/* When one of them runs next, and when it ran. */
int recurring_do_next(struct cli *cli, const struct recurring_request *request);
int recurring_do_history(struct cli *cli, const struct recurring_request *request);

/* act.c: what changes something. */
int recurring_do_add(struct cli *cli, const struct recurring_request *request);
int recurring_do_change(struct cli *cli, const struct recurring_request *request);
int recurring_do_remove(struct cli *cli, const struct recurring_request *request);
int recurring_do_pause(struct cli *cli, const struct recurring_request *request); /* resume, too */
int recurring_do_run(struct cli *cli, const struct recurring_request *request);

int recurring_do_explain(struct cli *cli, const struct recurring_request *request);

/* tasks.c: for all verbs. cli_connect; then schedules that name no zone have the schedulers'. */
int recurring_connect(struct cli *cli);
enum status recurring_take_zone(struct cli *cli, struct error *error) MUST_CHECK;

/* The task of this key in the configuration's file, or NULL. */
const struct config_task *recurring_file_task(const struct cli *cli, const char *key);

/*
 * cli_fail; but a task that does not exist is a mistake in the command line, unless it is in the
 * file and a scheduler has yet to put it into the database.
 */
int recurring_fail(struct cli *cli, const char *key, const struct error *error);

extern const struct command recurring_command;

#endif
