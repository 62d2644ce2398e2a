/*
 * db/postgresql/: the PostgreSQL driver.
 *
 * Private to the PostgreSQL driver and the only file that includes libpq: one connection and the
 * waiting for it. A connection belongs to one thread; libpq is used without blocking, and every
 * wait ends at `deadline`.
 */
#ifndef POSTGRESQL_DRIVER_H
#define POSTGRESQL_DRIVER_H

#include <libpq-fe.h>

#include "db/driver.h"

/*
 * What a session needs, whatever its role, its database, the server or the url set: times and names
 * in one form, a backslash that is one in a text, the warning that tells of a lost transaction, and
 * a connection that outlives a refusal.
 */
#define POSTGRESQL_SETTINGS(set)                                                                   \
	set("TimeZone", "UTC") set("DateStyle", "ISO") set("quote_all_identifiers", "off")         \
		set("standard_conforming_strings", "on") set("client_min_messages", "warning")     \
			set("exit_on_error", "off")

/* The same for one transaction. */
#define POSTGRESQL_SET_CONFIG(name, value) ", set_config('" name "', '" value "', true)"
#define POSTGRESQL_SET_LOCAL               "SELECT 1" POSTGRESQL_SETTINGS(POSTGRESQL_SET_CONFIG)

/* A statement that the server keeps for this connection, found by statement.id. */
struct prepared {
	bool ready;
	char name[32];
};

struct postgresql {
	struct connection base;
	PGconn *handle;
	struct arena *arena;   /* lives as long as the connection */
	struct arena *scratch; /* one run: parameters as text */
	struct prepared *prepared;
	unsigned prepared_size;
	bool one_plan;     /* for all values of a statement, see session_options */
	int64_t replan_at; /* clock_monotonic() at which such plans are given up */
	bool unnamed;      /* behind a pooler: keep nothing on the server */
	bool locked;       /* inside lock() and unlock(): their transaction is used */
	bool outside;      /* the server reported that there is no transaction */
	int64_t deadline;  /* clock_monotonic() at which the present round trip is given up */
	char notice[200];  /* the server's unasked reason for closing the connection, if any */
};

/* driver->check */
enum status postgresql_check(struct arena *arena, const struct db_url *url, struct error *error);

/*
 * Connects to the first host of the URL that answers, each within connect_timeout. INVALID when a
 * retry cannot help (a wrong option, password or database name), else DOWN.
 */
enum status postgresql_connect(struct postgresql *pg, const struct db_url *url,
			       const struct db_options *options, struct error *error);

/* Starts the time of a round trip: call_timeout from now. */
void postgresql_start(struct postgresql *pg);

/* Waits until the socket has one of the poll(2) events. DOWN (and broken) after the deadline. */
enum status postgresql_wait(struct postgresql *pg, short events, struct error *error);

/*
 * The next result, NULL where libpq ends a statement; the caller clears it. Sends what is still
 * buffered meanwhile. DOWN (and broken) when nothing arrives before the deadline.
 */
enum status postgresql_result(struct postgresql *pg, PGresult **result, struct error *error);

/*
 * DOWN and broken when the server has closed an idle connection: found out before anything is sent.
 */
enum status postgresql_alive(struct postgresql *pg, struct error *error);

/* Marks the connection broken and says why. Returns DOWN. */
enum status postgresql_broken(struct postgresql *pg, const char *why, struct error *error);

/* driver->run, in as few round trips as its guards allow. */
enum status postgresql_run(struct connection *connection, struct arena *arena,
			   struct driver_call *calls, size_t count, struct error *error);

/* What the caller must do about a SQLSTATE, and whether the connection is usable afterwards. */
enum status postgresql_status(const char *sqlstate, bool *broken);

/*
 * The status of a failed result; `what` (the operation) precedes the server's text. Marks the
 * connection broken if the failure means that.
 */
enum status postgresql_failure(struct postgresql *pg, const char *what, const PGresult *result,
			       struct error *error);

/* The status of a connection that could not be made, from libpq's text of several lines. */
enum status postgresql_refusal(const PGconn *handle, struct error *error);

#endif
