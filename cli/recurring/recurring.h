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

/* The options of `dray recurring add` and `change`: the keys of recurring.yml. */
enum field_key {
	FIELD_SCHEDULE = 700,
	FIELD_CLASS,
	FIELD_COMMAND,
	FIELD_ARGS,
	FIELD_QUEUE,
	FIELD_DESCRIPTION,
	FIELD_TIME_ZONE,
	FIELD_DST_GAP,
	FIELD_DST_OVERLAP,
	FIELD_MISFIRE,
	FIELD_OVERLAP,
	FIELD_START_AT,
	FIELD_END_AT,
	FIELD_TEXTS, /* those before are texts */
	FIELD_PRIORITY,
	FIELD_MISFIRE_LIMIT,
	FIELD_MISFIRE_WINDOW,
	FIELD_JITTER,
	FIELD_TIMEOUT,
	FIELD_ENABLED,
	FIELD_END,
};

/* clang-format off */
#define FIELD_OPTIONS                                                                              \
	{ "schedule", FIELD_SCHEDULE, "SCHEDULE", 0, "when it runs (see explain)", 2 },            \
	{ "class", FIELD_CLASS, "CLASS", 0, "class of its jobs", 2 },                              \
	{ "command", FIELD_COMMAND, "LINE", 0, "instead of a class: a program and its arguments, " \
	  "run without a shell", 2 },                                                              \
	{ "args", FIELD_ARGS, "JSON", 0, "arguments of its jobs: an array, or an object of "       \
	  "named ones", 2 },                                                                       \
	{ "queue", FIELD_QUEUE, "QUEUE", 0, "where its jobs go (default: its class's)", 2 },       \
	{ "priority", FIELD_PRIORITY, "N", 0, "smaller runs first (default: its class's)", 2 },    \
	{ "description", FIELD_DESCRIPTION, "TEXT", 0, "a note for people", 2 },                   \
	{ "time-zone", FIELD_TIME_ZONE, "ZONE", 0, "if the schedule names none (default: "         \
	  "time_zone of queue.yml)", 2 },                                                          \
	{ "dst-gap", FIELD_DST_GAP, "WHAT", 0, "a time that does not exist: default, skip or "     \
	  "next_valid", 2 },                                                                       \
	{ "dst-overlap", FIELD_DST_OVERLAP, "WHAT", 0, "a time that exists twice: default, first " \
	  "or both", 2 },                                                                          \
	{ "misfire", FIELD_MISFIRE, "WHAT", 0, "missed occurrences: once, skip or all", 2 },       \
	{ "misfire-limit", FIELD_MISFIRE_LIMIT, "N", 0, "with all: how many at most", 2 },         \
	{ "misfire-window", FIELD_MISFIRE_WINDOW, "DURATION", 0, "older occurrences are "          \
	  "ignored", 2 },                                                                          \
	{ "overlap", FIELD_OVERLAP, "WHAT", 0, "while its previous job is unfinished: allow, "     \
	  "skip or queue", 2 },                                                                    \
	{ "jitter", FIELD_JITTER, "DURATION", 0, "delay each job by up to this much", 2 },         \
	{ "timeout", FIELD_TIMEOUT, "DURATION", 0, "how long a run of its jobs may take "         \
	  "(default: as its class says)", 2 },                                                     \
	{ "enabled", FIELD_ENABLED, "BOOL", 0, "false: keep the task, but do not run it", 2 },     \
	{ "start-at", FIELD_START_AT, "TIME", 0, "no occurrence before this time", 2 },            \
	{ "end-at", FIELD_END_AT, "TIME", 0, "no occurrence after this time", 2 }
/* clang-format on */

struct recurring_fields {
	const char *texts[FIELD_TEXTS - FIELD_SCHEDULE]; /* NULL: not given */
	bool given[FIELD_END - FIELD_SCHEDULE];
	bool any;
	bool has_priority;
	int priority;
	int misfire_limit;
	int64_t misfire_window, jitter, timeout;
	bool disabled;
};

/* The command line of every verb; what a verb does not use is not given to it. */
struct recurring_request {
	const char *verb;
	const char *subject; /* a schedule or a key */
	const char *zone;    /* NULL: the configuration's, else the system's */
	const char *key;     /* for what ~ means; NULL: no task's */
	int64_t after;       /* explain, next */
	int64_t until;       /* no run after this */
	int64_t before;      /* history; 0 = all */
	int64_t number;      /* 0 = the verb's default */
	bool compatible, strict;
	const char *reason;
	bool dry_run, yes;
	struct recurring_fields fields;
};

/* The tasks of recurring.yml and those added at run time, with what the database knows of them. */
int recurring_do_list(struct cli *cli, const struct recurring_request *request);

/* When one of them runs next, and when it ran. */
int recurring_do_next(struct cli *cli, const struct recurring_request *request);
int recurring_do_history(struct cli *cli, const struct recurring_request *request);

/* For the command's parser; ARGP_ERR_UNKNOWN if the key is not one of these options. */
error_t recurring_fields_parse(struct recurring_fields *fields, int key, const char *value,
			       const struct argp_state *state);

/* act.c: what changes something. */
int recurring_do_add(struct cli *cli, const struct recurring_request *request);
int recurring_do_change(struct cli *cli, const struct recurring_request *request);
int recurring_do_remove(struct cli *cli, const struct recurring_request *request);
int recurring_do_pause(struct cli *cli, const struct recurring_request *request);
int recurring_do_resume(struct cli *cli, const struct recurring_request *request);
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
