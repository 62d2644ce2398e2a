/*
 * queue/findings/: what the processes of a deployment do only once together: one of them leads, and
 * remembers what stands against all of them.
 *
 * Who leads is one row with a number, the epoch, that grows each time the lead is taken. A leader
 * that was frozen or cut off may not know yet that it is none any more: so each write of its own is
 * guarded by that number, which locks the row, too, and leads on for LEAD_SPAN.
 */
#ifndef LEADER_H
#define LEADER_H

#include "common/clock.h"
#include "db/db.h"

#define LEAD_SPAN (30 * CLOCK_SECOND) /* unless it is said again; by the database's clock */

struct leader {
	const char *name; /* of its process; "" = nobody ever led */
	int64_t epoch;
	bool over; /* its time has ended: who wants to may take the lead */
};

/* Who leads; everything is in the arena. */
enum status leader_read(struct db *db, struct arena *arena, struct leader *leader,
			struct error *error) MUST_CHECK;

/*
 * Takes the lead after this leader, whose time is over, or which has our name: *epoch is the new
 * lead's. NONE: others have been faster.
 */
enum status leader_take(struct db *db, const char *name, const struct leader *after, int64_t *epoch,
			struct error *error) MUST_CHECK;

/* Leads on. NONE: others lead. */
enum status leader_renew(struct db *db, int64_t epoch, struct error *error) MUST_CHECK;

/* Gives the lead up, so that others need not wait for its end. NONE: others lead. */
enum status leader_give_up(struct db *db, int64_t epoch, struct error *error) MUST_CHECK;

#endif
