/*
 * A process's membership: its connection to the database and its row in solid_queue_processes. The
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

struct control;

struct membership {
	const struct config *config;
	int64_t patience;             /* bound on each call in microseconds; 0 = as configured */
	struct db *db;                /* NULL until joined */
	struct process_row row;       /* row.id 0 = not registered */
	bool published;               /* our classes are, by us or another process, or later ones */
	const struct control *parent; /* beats only while its loop turns; NULL = in any case */
	unsigned turn;                /* of the parent, that was seen with the last heartbeat */
	bool let_in;                  /* the database was opened */
	bool unsure;                  /* the row may be there already: it is looked for by name */
	bool skewed;                  /* the warning about clocks has been given */
	int64_t epoch;                /* it leads the deployment (lead.h); 0 = it does not */
	int64_t tried_at; /* clock_monotonic: the last heartbeat, whether it succeeded or not */
	struct text metadata;
	char name[MEMBERSHIP_NAME_SIZE];
	char hostname[HOSTNAME_SIZE];
};

/*
 * `kind` is Solid Queue's word for the process, `name` the name of its row. The strings are copied,
 * config is not.
 */
void membership_init(struct membership *member, const struct config *config, const char *kind,
		     const char *name);

/* Closes the connection; the row stays. */
void membership_clear(struct membership *member);

/* A new row name: "worker-<20 hex>". */
void membership_name(const char *word, char name[MEMBERSHIP_NAME_SIZE]);

/*
 * Sets the metadata: the role's own members (may be ""), then dray's version and the heartbeat
 * interval.
 */
void membership_describe(struct membership *member, const char *members);

/*
 * Opens the connection and checks the schema, unless that is done. From then on an overdue
 * heartbeat is sent between any two transactions of this connection. INVALID: the URL or the schema
 * is wrong, and the text says what to do.
 */
enum status membership_connect(struct membership *member, struct error *error) MUST_CHECK;

/*
 * Of a failure at a first start: does waiting not help? A file or folder that cannot be used stays
 * so; what a server refuses (the login, the tables) may be mended if somebody says to `wait`.
 */
bool membership_is_final(const struct membership *member, enum status status, bool wait);

/* Publishes the classes, unless that is done. */
enum status membership_publish(struct membership *member, struct error *error) MUST_CHECK;

/*
 * Inserts the row, unless that is done, and before it publishes the classes. It is safe to repeat
 * this after any failure. A row that is taken over needs no classes: it can beat without them.
 */
enum status membership_register(struct membership *member, struct error *error) MUST_CHECK;

/* Has the parent's loop turned since the last heartbeat? */
bool membership_may_beat(const struct membership *member);

/*
 * Measures the database's clock and writes heartbeat, supervisor and metadata. NONE: the row is
 * gone, because other processes presumed us dead.
 */
enum status membership_heartbeat(struct membership *member, struct error *error) MUST_CHECK;

/*
 * Gives up the lead, deletes the row and releases our claims, over a new connection whose calls
 * take `patience` microseconds at most. OK if there was no row. *released is the number of claims.
 */
enum status membership_leave(struct membership *member, int64_t patience, int64_t *released,
			     struct error *error) MUST_CHECK;

#endif
