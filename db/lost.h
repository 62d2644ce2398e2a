/*
 * Private to db/: the server's sessions of connections that were lost during a commit. The server
 * may not even have read what it was sent, and may commit after we looked; so nothing looks before
 * these sessions are over. One struct belongs to one struct db.
 */
#ifndef LOST_H
#define LOST_H

#include "db/driver.h"

struct lost {
	char names[256]; /* comma-separated */
	bool unnamed;    /* one had no name, or there was no room for its name */
	int64_t at;      /* the latest loss, clock_monotonic */
};

/* Remembers the connection's session, if the driver needs that. */
void lost_add(struct lost *lost, const struct connection *connection);

bool lost_any(const struct lost *lost);

/*
 * Asks over another connection, and ends sessions where that is possible. OK: all are over and
 * forgotten. UNCERTAIN: not yet, or not known yet. Sessions without a name are given some seconds.
 */
enum status lost_settle(struct lost *lost, struct connection *connection,
			struct error *error) MUST_CHECK;

#endif
