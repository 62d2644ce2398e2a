/*
 * db/postgresql/: the PostgreSQL driver.
 *
 * Private to the PostgreSQL driver and the only file that includes libpq: one connection and the
 * waiting on it. A connection belongs to one thread; libpq is used without blocking, and every
 * wait ends at `deadline`.
 */
#ifndef POSTGRESQL_DRIVER_H
#define POSTGRESQL_DRIVER_H

#include <libpq-fe.h>

#include "db/driver.h"

/* A statement the server keeps for this connection, found by statement.id. */
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
	bool unnamed;     /* behind a pooler nothing may be kept on the server */
	bool locked;      /* inside lock() and unlock(): their transaction is used */
	bool outside;     /* the server said that there is no transaction */
	int64_t deadline; /* clock_monotonic() at which the present round trip is given up */
	char notice[200]; /* why the server leaves, when it said so unasked */
};

#define MAXIMUM_PARAMETERS 16

/* What PQconnectStartParams gets; a later word wins over an earlier one. */
struct parameters {
	const char *keywords[MAXIMUM_PARAMETERS + 1];
	const char *values[MAXIMUM_PARAMETERS + 1];
	size_t count;
	int64_t timeout; /* for each host, microseconds */
};

/* NULL values are left out. */
void parameters_add(struct parameters *parameters, const char *keyword, const char *value);

/*
 * From the url and the options to libpq's parameters: defaults, the url's own words, what every
 * session needs, the password file. INVALID for what libpq would not accept.
 */
enum status postgresql_parameters(struct postgresql *pg, const struct db_url *url,
				  const struct db_options *options, struct parameters *parameters,
				  struct error *error);

/*
 * Connects to the first host of the url that answers, each within connect_timeout. INVALID when
 * repeating cannot help (a wrong option, password or database name), else DOWN.
 */
enum status postgresql_connect(struct postgresql *pg, const struct db_url *url,
			       const struct db_options *options, struct error *error);

/* Starts the time of a round trip: call_timeout from now. */
void postgresql_start(struct postgresql *pg);

/* Waits until the socket has one of the poll(2) events. DOWN (and broken) after the deadline. */
enum status postgresql_wait(struct postgresql *pg, short events, struct error *error);

/*
 * The next result, NULL where libpq ends a statement; the caller clears it. Sends what is still
 * buffered meanwhile. DOWN (and broken) when nothing comes before the deadline.
 */
enum status postgresql_result(struct postgresql *pg, PGresult **result, struct error *error);

/* DOWN and broken when the server left an idle connection: known before anything is sent. */
enum status postgresql_alive(struct postgresql *pg, struct error *error);

/* Marks the connection broken and says why. Returns DOWN. */
enum status postgresql_lost(struct postgresql *pg, const char *why, struct error *error);

/* A value as PostgreSQL reads it; NULL is SQL NULL. What has to be written is in the arena. */
const char *postgresql_text(struct arena *arena, const struct db_value *value);

/* What is known of this statement on this connection; `ready` is the caller's to set. */
struct prepared *postgresql_prepared(struct postgresql *pg, const struct statement *statement);

/* The run of driver.h, in as few round trips as its guards allow. */
enum status postgresql_run(struct connection *connection, struct arena *arena,
			   struct driver_call *calls, size_t count, struct error *error);

/* Sets base.session, or leaves it empty where the server does not tell. Not OK: broken. */
enum status postgresql_name_session(struct postgresql *pg, struct error *error);

/* Sets base.identity, or leaves it empty where the server does not tell. Not OK: broken. */
enum status postgresql_identify(struct postgresql *pg, struct error *error);

enum status postgresql_sessions_over(struct connection *connection, const char *names, bool *over,
				     struct error *error);

/* What the caller must do about a SQLSTATE, and whether the connection is of use afterwards. */
enum status postgresql_status(const char *sqlstate, bool *broken);

/*
 * The status of a failed result; `what` (the operation) comes before the server's text. Marks the
 * connection broken where that is what the failure means.
 */
enum status postgresql_failure(struct postgresql *pg, const char *what, const PGresult *result,
			       struct error *error);

/* The status of a connection that could not be made, from libpq's text of several lines. */
enum status postgresql_refusal(const PGconn *handle, struct error *error);

#endif
