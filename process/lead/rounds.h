/*
 * The rounds of the leader: what is found now, beside what is remembered. A finding begins when all
 * rounds have found it for ROUNDS_PATIENCE, so that a start or a deploy says nothing; one that has
 * a promise of its own (late_after and the like) when two in a row have. It ends when it was away
 * for ROUNDS_AWAY, so that one that comes and goes is said once.
 *
 * Each is said in the log before it is written, so none is lost when the leader dies in between:
 * its successor says it again. One that lives says nothing twice, whatever the database does.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "process/lead/degraded.h"
#include "process/membership.h"
#include "queue/findings/kept.h"

#define ROUNDS_PATIENCE (30 * CLOCK_SECOND)
#define ROUNDS_AWAY     (60 * CLOCK_SECOND)
#define ROUNDS_TELLABLE CLOCK_DAY /* so long the end of one that was told waits for on_alarm */

struct role;
struct seen;

/* Does on_alarm work? A new leader does not know. */
enum rounds_alarm { ALARM_UNKNOWN, ALARM_WORKS, ALARM_FAILS };

struct rounds {
	const struct role *const *roles; /* all, ended by NULL */
	struct arena *arena;             /* of the list; NULL: there was no round yet */
	struct seen *list;               /* of the last round: what is not written yet */
	size_t count;
	int64_t patience; /* ROUNDS_PATIENCE */
	enum rounds_alarm alarm;
	bool well;                    /* the last one has found nothing, and nothing stands */
	bool untold;                  /* there is something for on_alarm */
	char degraded[DEGRADED_SIZE]; /* what stood when it was last looked at */
};

/* Looks what stands; also for who does not lead. */
enum status rounds_look(struct rounds *rounds, struct db *db, struct arena *arena,
			struct kept_list *kept, struct error *error) MUST_CHECK;

/* Forgets all but what stands: what comes is another lead. */
void rounds_clear(struct rounds *rounds);

/* A round. NONE: others lead. */
enum status rounds_run(struct rounds *rounds, struct membership *member,
		       struct error *error) MUST_CHECK;

#endif
