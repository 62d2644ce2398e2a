/*
 * cli/queues/: the commands about queues: what waits in them, pausing and resuming; and what other
 * commands need of that: the JSON of a queue, and the names of queues.
 */
#ifndef CLI_QUEUES_H
#define CLI_QUEUES_H

#include <jansson.h>

#include "cli/cli.h"
#include "queue/look/survey.h"
#include "queue/processes/servers.h"

extern const struct command queues_command;
extern const struct command stats_command;
extern const struct command pause_command;
extern const struct command resume_command;

/* Prints a line for each of show_unserved; nothing with --json. Takes the reference. */
void unserved_print(const struct cli *cli, json_t *unserved);

/* Names of queues, in the arena of the cli. */
struct queue_names {
	const char **list;
	size_t count;
};

/*
 * QUEUES_KNOWN: queues with unfinished jobs or a pause, and those that the configuration names for
 * workers and classes, each once.
 */
enum queue_kind { QUEUES_KNOWN, QUEUES_PAUSED };
enum status queue_names_read(struct cli *cli, enum queue_kind kind, struct queue_names *names,
			     struct error *error) MUST_CHECK;

/* Only the queues that the configuration names. */
void queue_names_configured(struct cli *cli, struct queue_names *names);

/* Keeps only the names that match a pattern ("prefix*" or "*"). */
void queue_names_match(struct queue_names *names, const char *pattern);

/* Warns of an unknown name, which may be meant or may be a typing error. */
void queue_names_warn(const struct cli *cli, const struct queue_names *known, const char *queue);

#endif
