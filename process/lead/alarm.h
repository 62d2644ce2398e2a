/*
 * What the leader tells people: it runs on_alarm for the beginning and the end of each finding, one
 * after the other, in the order in which they came. What was told is written in the finding's row,
 * so the next leader goes on with what this one has not told; a command that was running when a
 * leader ended runs again. What cannot be told is tried again as long as it stands.
 */
#ifndef ALARM_H
#define ALARM_H

#include "common/text/text.h"
#include "process/lead/command.h"
#include "process/membership.h"
#include "queue/findings/kept.h"

struct alarm {
	struct command command;
	int64_t finding; /* whose beginning, or end, is told now; 0 = of none */
	bool ended;
	bool over; /* it was told, or given up: to be written */
	int tries;
	int64_t try_at;    /* this and the next are clock_monotonic */
	int64_t again_at;  /* nothing is told before, because the last one could not be */
	int failures;      /* how many could not, one after the other */
	struct text input; /* for the command */
};

/* Runs the command, without the database. */
void alarm_tend(struct alarm *alarm, const struct config *config);

/* When alarm_tend has something to do, clock_monotonic; and does alarm_tell have something? */
int64_t alarm_due(const struct alarm *alarm);
bool alarm_is_free(const struct alarm *alarm);

/*
 * Writes what was told, if anything, and chooses what is told next: *more is false when there is
 * nothing. NONE: others lead.
 */
enum status alarm_tell(struct alarm *alarm, struct membership *member, bool *more,
		       struct error *error) MUST_CHECK;

/* Ends what runs: it is told again. */
void alarm_stop(struct alarm *alarm);

#endif
