/*
 * One log line when something starts to fail, one when it works again, none in between. A process
 * has one outage at a time: if its tick cannot reach the database, it is no news that its heartbeat
 * cannot either. How long to wait before the next try is told here, too.
 */
#ifndef OUTAGE_H
#define OUTAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"

struct outage {
	const char *what;  /* what failed first; NULL = no outage */
	bool database;     /* the database is unavailable, rather than something being wrong */
	int64_t since;     /* clock_monotonic */
	unsigned failures; /* attempts in a row of `what` */
	char text[ERROR_TEXT_SIZE]; /* of its last failure */
};

/*
 * `what` (a static word: "tick", "heartbeat") has failed; logs that if it is news. Returns how many
 * microseconds to wait before the next attempt: random, doubling up to 5 s.
 */
int64_t outage_failed(struct outage *outage, const char *what, const struct error *error);

/* `what` has worked; logs that if it ends the outage. Returns whether it did. */
bool outage_worked(struct outage *outage, const char *what);

/*
 * Pure: microseconds to wait after `failures` failures in a row (0 = none yet, no wait): `first`
 * doubled with each further failure, at most `limit`, of which the upper half is random so that
 * many processes do not come back in step. `random` is any uniform 64-bit number.
 */
int64_t backoff_delay(unsigned failures, int64_t first, int64_t limit, uint64_t random);

/* Will the same thing work later without any change here? */
bool outage_passes(enum status status);

#endif
