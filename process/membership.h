/*
 * One process's place in the database: its connection and its row in solid_queue_processes. The
 * supervisor and every role process have one. Nothing here waits or logs outages; the callers do.
 */
#ifndef MEMBERSHIP_H
#define MEMBERSHIP_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "common/process.h"
#include "common/text/text.h"
#include "config/config.h"
#include "queue/processes/process.h"

#define MEMBERSHIP_NAME_SIZE 64

struct membership {
	const struct config *config;
	int64_t patience;       /* bound on each call in microseconds; 0 = as configured */
	struct db *db;          /* NULL until joined */
	struct process_row row; /* row.id 0 = not registered */
	bool unsure;            /* a registration whose outcome is unknown */
	bool skewed;            /* the warning about clocks has been given */
	int64_t tried_at;       /* clock_monotonic: the last heartbeat, whatever came of it */
	struct text metadata;
	char name[MEMBERSHIP_NAME_SIZE];
	char hostname[HOSTNAME_SIZE];
};

/* Who we are: kind is Solid Queue's word, name the row's. The strings are copied, not config. */
void membership_init(struct membership *member, const struct config *config, const char *kind,
		     const char *name);

/* Closes the connection; the row stays. */
void membership_clear(struct membership *member);

/* A new row name: "worker-<20 hex>". */
void membership_name(const char *word, char name[MEMBERSHIP_NAME_SIZE]);

/* Metadata: the role's own members (may be ""), then our software and heartbeat interval. */
void membership_describe(struct membership *member, const char *members);

/*
 * Opens the connection and checks the schema unless that is done. A heartbeat that is overdue then
 * comes between any two transactions over this connection. INVALID: the url or the schema is wrong
 * and the text says what to do.
 */
enum status membership_connect(struct membership *member, struct error *error) MUST_CHECK;

/* Inserts the row unless that is done; repeating it after any failure is safe. */
enum status membership_register(struct membership *member, struct error *error) MUST_CHECK;

/*
 * Measures the database's clock and writes heartbeat, supervisor and metadata. NONE: the row is
 * gone, others have declared us dead.
 */
enum status membership_heartbeat(struct membership *member, struct error *error) MUST_CHECK;

/*
 * Deletes the row and gives back what we hold, over a fresh connection whose calls are bounded by
 * `patience` microseconds. OK when there was no row. *released counts claims.
 */
enum status membership_leave(struct membership *member, int64_t patience, int64_t *released,
			     struct error *error) MUST_CHECK;

#endif
