/* Which queues there are, for commands that take their names and patterns. */
#ifndef QUEUE_NAMES_H
#define QUEUE_NAMES_H

#include "cli/cli.h"

/* Names of queues; they live in the arena of the cli. */
struct queue_names {
	const char **list;
	size_t count;
};

/*
 * The queues with unfinished jobs or a pause, and those that the configuration names for workers
 * and classes, each once; or only the paused ones.
 */
enum queue_kind { QUEUES_KNOWN, QUEUES_PAUSED };
enum status queue_names_read(struct cli *cli, enum queue_kind kind, struct queue_names *names,
			     struct error *error) MUST_CHECK;

/* Only those that the configuration names. */
void queue_names_configured(struct cli *cli, struct queue_names *names);

/* Those that a pattern ("prefix*" or "*") stands for. */
void queue_names_match(struct queue_names *names, const char *pattern);

/* A name that nobody knows may be meant, and may be a typing error: warns. */
void queue_names_warn(const struct cli *cli, const struct queue_names *known, const char *queue);

#endif
