/*
 * Private to db/: the server's sessions that connections left behind when they broke during a
 * commit. The server may not even have read what it was sent, and may commit after we looked; so
 * nothing looks before these sessions are over. One struct belongs to one struct db.
 */
#ifndef ABANDONED_H
#define ABANDONED_H

#include "db/driver.h"

struct abandoned {
	char names[256]; /* comma-separated */
	bool unnamed;    /* one had no name, or there was no room for its name */
	int64_t at;      /* of the latest, clock_monotonic */
};

/* Remembers the connection's session, if the driver needs that. */
void abandoned_add(struct abandoned *abandoned, const struct connection *connection);

bool abandoned_any(const struct abandoned *abandoned);

/*
 * Asks over another connection, and ends sessions where that is possible. OK: all are over and
 * forgotten. UNCERTAIN: not yet, or not known yet. Sessions without a name are given some seconds.
 */
enum status abandoned_settle(struct abandoned *abandoned, struct connection *connection,
			     struct error *error) MUST_CHECK;

#endif
