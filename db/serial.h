/*
 * Runs scripts one statement at a time, for clients without a pipeline (SQLite, MySQL): the
 * transaction around the calls and the meaning of guards, written once. A driver provides the four
 * steps and uses serial_run as its `run`.
 */
#ifndef SERIAL_H
#define SERIAL_H

#include "db/driver.h"

/* One statement to run. */
struct serial_step {
	struct arena *arena; /* for the result */
	const struct statement *statement;
	const struct db_value *values; /* in the script's order */
	struct db_rows *rows;          /* result, if this is the statement with the rows */
	uint64_t changed;              /* result: rows changed (or matched), or returned */
};

struct serial {
	enum status (*statement)(struct connection *connection, struct serial_step *step,
				 struct error *error);
	/* What a statement needs before it can be part of a transaction; NULL = nothing. */
	enum status (*prepare)(struct connection *connection, const struct statement *statement,
			       struct error *error);
	enum status (*begin)(struct connection *connection, struct error *error);
	enum status (*commit)(struct connection *connection, struct error *error);
	/* Is the transaction still open, by the server's last answer? */
	bool (*inside)(const struct connection *connection);
	/* Marks the connection broken when it fails; does nothing without a transaction. */
	void (*rollback)(struct connection *connection);
};

/* Where the client's prepared statement of this ID is kept; NULL in it: not prepared yet. */
void **serial_prepared(struct connection *connection, unsigned id);

/* The table that a statement of ours inserts into, "a table" if there is none. */
#define SERIAL_TABLE_SIZE 64
void serial_table(const char *sql, char table[SERIAL_TABLE_SIZE]);

/* driver->run, using the steps in connection->driver->serial. */
enum status serial_run(struct connection *connection, struct arena *arena,
		       struct driver_call *calls, size_t count, struct error *error) MUST_CHECK;

#endif
