/* A task that was added at run time: from its row in the database to what a scheduler runs. */
#ifndef SCHEDULER_ENTRY_H
#define SCHEDULER_ENTRY_H

#include "config/config.h"
#include "queue/recurring/task.h"

/* In an arena of its own. */
struct entry {
	struct arena *arena;
	const char *key;
	const char *print; /* everything that the database says of it */
	int64_t since;     /* 0 = not known */
	struct config_task config;
	const char *arguments;
	bool faulty; /* it cannot run */
};

/* The zones outlive the entries. */
struct entry_zones {
	struct zones *zones;
	const char *fallback; /* of Rails' tasks without a zone of their own; NULL = UTC */
};

/* All values of the row as one text, in the arena. */
const char *entry_print(struct arena *arena, const struct recurring_dynamic *row);

/*
 * Makes the entry of a row. If it cannot run, that is logged, and the entry is faulty until the row
 * changes.
 */
struct entry *entry_new(const struct entry_zones *zones, const struct recurring_dynamic *row,
			const char *print);
void entry_free(struct entry *entry);

#endif
