/*
 * The supervisor's own work in the database: its row and heartbeat, burying children that died,
 * pruning processes of hosts that vanished, healing orphaned claims. It all happens between forks:
 * maintenance_disconnect leaves nothing open that a child could inherit, and the next call
 * connects again. Every call is bounded to a few seconds, because children wait meanwhile.
 */
#ifndef MAINTENANCE_H
#define MAINTENANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "process/healing.h"
#include "process/membership.h"
#include "process/outage.h"

struct grave;

struct maintenance {
	struct membership member;
	struct healing healing;
	struct outage outage;
	struct grave *graves; /* children that died and still have a row */
	int64_t beat_at;      /* clock_monotonic */
	int64_t retry_at;     /* in an outage: when to try again */
	int64_t clock; /* the database's, minus clock_monotonic, when it was last looked at */
	bool clock_known;
	bool unpublished; /* the limits of a new configuration are not in the database yet */
};

void maintenance_init(struct maintenance *maintenance, const struct config *config);
void maintenance_clear(struct maintenance *maintenance);

/*
 * Connects, checks the schema, registers, prunes and heals orphans. DOWN and similar: call again,
 * and it continues where it failed. INVALID: the text says which command to run.
 */
enum status maintenance_boot(struct maintenance *maintenance, struct error *error) MUST_CHECK;

/* Sets further members of our row's metadata (JSON), for people; written soon. */
void maintenance_describe(struct maintenance *maintenance, const char *members);

/* Replaces the configuration; `reconnect`: the database is the same, but reached differently. */
void maintenance_adopt(struct maintenance *maintenance, const struct config *config,
		       bool reconnect);

/* Notes a child that died, with its wait status: the next maintenance_run handles its lost jobs. */
void maintenance_bury(struct maintenance *maintenance, const char *name, int pid, int status);

/* How many children died and still have a row. */
size_t maintenance_unburied(const struct maintenance *maintenance);

/* When something is due, clock_monotonic. */
int64_t maintenance_due(const struct maintenance *maintenance);

/*
 * Does what is due and logs it; an error is logged once for each outage, and what failed is tried
 * again later.
 */
void maintenance_run(struct maintenance *maintenance);

/* The jobs that the processes with these names hold, as a text: for people, if we can look. */
const char *maintenance_jobs(struct maintenance *maintenance, struct arena *arena,
			     const char *const names[], size_t count);

/* Must be called before every fork. */
void maintenance_disconnect(struct maintenance *maintenance);

/*
 * Buries the children that are left and deletes our row, in about `patience` microseconds; logs
 * errors.
 */
void maintenance_end(struct maintenance *maintenance, int64_t patience);

#endif
