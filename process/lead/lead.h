/*
 * process/lead/: what only one process of a deployment does. It makes rounds of what should happen
 * and does not, says so in the log, and tells people. Each process that cares for a host (care.h)
 * may lead; one row says who does (queue/findings/leader.h). As long as a living candidate has
 * on_alarm, only one that has it leads.
 *
 * A leader that dies is replaced when its time is over, by any candidate's next look. One that is
 * frozen, or cut off, and goes on afterwards writes nothing more, because its number is not the
 * leader's any more; it may have said one thing that others say again.
 */
#ifndef LEAD_H
#define LEAD_H

#include "process/lead/alarm.h"
#include "process/lead/rounds.h"
#include "process/outage.h"

struct lead {
	int64_t look_at; /* who leads, or to say that we do; this and the next are clock_monotonic
			  */
	int64_t round_at;
	int64_t retry_at; /* not before, because the last attempt failed */
	int64_t well_at;  /* on_well may run again */
	struct rounds rounds;
	struct alarm alarm;
	struct command well;
	struct outage outage; /* what is wrong, other than that the database is away */
	int64_t unfit_until;  /* it was wrong, and may be again: till then nobody waits for us */
};

/* So long others do not leave the lead to one with on_alarm that could not lead. */
#define LEAD_UNFIT (10 * CLOCK_MINUTE)

/* `roles`: all, for what is missing; NULL: it will not lead. */
void lead_init(struct lead *lead, const struct role *const *roles);

/* Tends to the commands, without the database; and when to do so again, clock_monotonic. */
void lead_tend(struct lead *lead, const struct config *config);
int64_t lead_tend_due(const struct lead *lead);

/* When lead_run has something to do, clock_monotonic. */
int64_t lead_due(const struct lead *lead, const struct membership *member);

/*
 * Looks who leads, and does what is due if we do (member->epoch is not 0). Not OK: the caller sets
 * retry_at, and it continues where it failed.
 */
enum status lead_run(struct lead *lead, struct membership *member, struct error *error) MUST_CHECK;

/* Ends its commands. The lead itself is given up with the row of the process (membership_leave). */
void lead_end(struct lead *lead);

#endif
