/* The known queues, for commands that take their names and patterns. */
#ifndef QUEUE_NAMES_H
#define QUEUE_NAMES_H

#include "cli/cli.h"

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
