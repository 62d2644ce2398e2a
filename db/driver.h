/*
 * Private to db/: what a backend is. Three things differ by backend and nothing else: the
 * client protocol (this vtable), the SQL dialect (the sections of a file in db/sql and the tokens
 * in dialect.c) and native error codes (a table in each driver).
 *
 * Drivers never retry and never reconnect: they report a status, and db.c decides.
 */
#ifndef DRIVER_H
#define DRIVER_H

#include "common/clock.h"
#include "db/db.h"
#include "db/url.h"

/* A statement ready for a backend: placeholders are $1.. (PostgreSQL) or ? in order. */
struct statement {
	const char *sql;
	unsigned char *order; /* order[i]: which of the script's parameters placeholder i is */
	unsigned order_count;
	bool guard;  /* if it changes no row the script stops */
	bool rows;   /* `returns rows` */
	unsigned id; /* unique in one struct db: names the prepared statement "s<id>" */
};

struct script {
	const char *name;
	const char *const *parameters; /* names from the first line, NULL-terminated */
	unsigned parameter_count;
	struct statement *statements;
	unsigned statement_count;
	bool read; /* "-- read": needs no transaction of its own */
};

/*
 * The values with all lists as texts in the arena: ids as an array on PostgreSQL, all else as JSON.
 */
const struct db_value *list_bind(struct arena *arena, enum db_dialect dialect,
				 const struct db_value values[], size_t count);

struct driver_call {
	const struct script *script;
	const struct db_value *values; /* in the script's parameter order, without lists */
	struct db_rows *rows;
	bool none;
};

/*
 * A call waits for a lock at most this long, or as long as the call may take if that is less: a
 * process has one connection, and must send a heartbeat before it is presumed dead. For the same
 * reason a session whose client is silent in the middle of a transaction (frozen or gone) must not
 * keep its locks for much longer.
 */
#define DRIVER_LOCK_WAIT (5 * CLOCK_SECOND)

/* See db_while_waiting. */
struct db_waiting {
	void (*call)(void *data);
	void *data;
	int64_t due; /* clock_monotonic */
};

#define DRIVER_WAITS (100 * CLOCK_MILLISECOND)

/* Called by who waits, about every DRIVER_WAITS or more often. */
static inline void driver_waits(struct db_waiting *waiting)
{
	if (!waiting || !waiting->call || clock_monotonic() < waiting->due)
		return;
	waiting->due = clock_monotonic() + DRIVER_WAITS;
	waiting->call(waiting->data);
}

/* Base of every driver's connection struct: embedded first. */
struct connection {
	const struct driver *driver;
	struct db_waiting *waiting; /* of the options */
	char server[64];            /* "PostgreSQL 15.20" */
	int64_t call_timeout;       /* microseconds */
	bool no_skip_locked;
	char collation[64]; /* MySQL: of the text columns of solid_queue_jobs; else "" */
	char session[64];   /* the server's name for the session, for sessions_over; "" = none */
	char identity[128]; /* of the server, to tell it from another; "" = not reported */
	bool out_of_ids;    /* the last failure: a table has no ids left */
	bool broken;        /* set by the driver when the connection is no longer usable */
	void **prepared;    /* the client's statements, by ID: see serial_prepared */
	unsigned prepared_size;
};

/* What to say of it, with the table. */
#define DRIVER_OUT_OF_IDS                                                                          \
	"the ids of %s have come to their end: set their counter back behind the highest id in "   \
	"use, or make the column a bigint"

struct serial;

struct driver {
	const char *name; /* "postgresql"; its schemes are in url.c */
	enum db_dialect dialect;

	/* INVALID says what is wrong with the URL's parts and options; does not connect. */
	enum status (*check)(struct arena *arena, const struct db_url *url, struct error *error);

	/* Connects, sets session state (UTC, READ COMMITTED, ...). DOWN or INVALID. */
	enum status (*open)(struct connection **connection, const struct db_url *url,
			    const struct db_options *options, struct error *error);

	/*
	 * Runs all calls in one transaction and commits (no transaction when count is 1 and the
	 * script is `read`). A guard that changes nothing marks its call `none` and skips that
	 * call's other statements; when every call is none the transaction is rolled back.
	 * On any error the transaction is rolled back first (or the connection marked broken).
	 */
	enum status (*run)(struct connection *connection, struct arena *arena,
			   struct driver_call *calls, size_t count, struct error *error);

	/*
	 * Executes DDL text of several statements. Transactional where the backend can. Used by
	 * migrations only, inside driver->lock.
	 */
	enum status (*execute)(struct connection *connection, const char *sql, struct error *error);

	/* Takes and releases the one lock that serialises migrations. */
	enum status (*lock)(struct connection *connection, struct error *error);
	enum status (*unlock)(struct connection *connection, bool commit, struct error *error);

	/*
	 * Are the sessions with these names (comma-separated), whose connections were lost, all
	 * over? Ends those that are not. NULL where looking at the data waits for what they still
	 * do.
	 */
	enum status (*sessions_over)(struct connection *connection, const char *names, bool *over,
				     struct error *error);

	void (*close)(struct connection *connection);

	const struct serial *serial; /* for drivers whose run is serial_run */

#ifdef DRAY_FAULTS
	int (*socket)(const struct connection *connection); /* NULL where there is no socket */
#endif
};

/*
 * DDL on a struct db, for migrations, tests and benchmarks only: several statements, no
 * parameters. db_lock holds off other migrations until db_unlock, which also commits or rolls
 * back what was executed in between where the backend's DDL is transactional.
 */
enum status db_execute(struct db *db, const char *sql, struct error *error) MUST_CHECK;
enum status db_ask(struct db *db, struct arena *arena, const char *sql, struct db_rows *rows,
		   struct error *error) MUST_CHECK; /* one SELECT that ends with ";" */
enum status db_lock(struct db *db, struct error *error) MUST_CHECK;
enum status db_unlock(struct db *db, bool commit, struct error *error) MUST_CHECK;

/* With the schema that the URL names, if the options did not. */
const struct db_options *db_options_of(const struct db *db);

/* The driver of a URL's scheme; INVALID when there is none or it was not built in. */
enum status driver_find(const char *scheme, const struct driver **driver,
			struct error *error) MUST_CHECK;

extern const struct driver postgresql_driver;
extern const struct driver mysql_driver;
extern const struct driver sqlite_driver;

#endif
