/*
 * db/mysql/: the MySQL and MariaDB driver.
 *
 * Private to the MySQL driver: the one place that includes the client library's header, either
 * Oracle's or MariaDB Connector/C's. A struct mysqldb is one connection with its prepared
 * statements. mysql.c is the driver and runs prepared statements; open.c makes a connection, and
 * runs plain ones; error.c knows what the error numbers mean.
 */
#ifndef MYSQL_DRIVER_H
#define MYSQL_DRIVER_H

#include <mysql.h>

#include "db/serial.h"

struct mysqldb {
	struct connection base;
	MYSQL *handle;
	struct arena *scratch; /* of one statement: bindings and buffers */
	size_t maximum_packet; /* the server's max_allowed_packet, bytes */
	bool full;             /* the last failure: there was no room, which is no row's fault */
};

/*
 * Turns a native error into a status and one line "what: text (MySQL code)"; marks the connection
 * broken when it is no longer usable.
 */
enum status mysqldb_fail(struct mysqldb *my, unsigned code, const char *text, const char *what,
			 struct error *error);

#define MYSQLDB_TLS_FAILED 2026 /* the error number of failures before and during TLS */

/* Is this the error number of a login with a plugin that cannot or must not be used? */
bool mysqldb_plugin_refused(unsigned code);

/* driver->check, driver->open but for connection->driver, and driver->close. */
enum status mysqldb_check(struct arena *arena, const struct db_url *url, struct error *error);
enum status mysqldb_open(struct connection **connection, const struct db_url *url,
			 const struct db_options *options, struct error *error);
void mysqldb_close(struct connection *connection);

/*
 * The longest wait on the server's side, in seconds: shorter than the client waits for an answer,
 * so that a lock that cannot be had is RETRY and not a lost connection.
 */
unsigned mysqldb_patience(int64_t call_timeout);

/* Runs sql that has no parameters and no result. */
enum status mysqldb_query(struct mysqldb *my, const char *sql, struct error *error);

/* Runs sql; up to `count` cells of its first row are copied into the scratch arena. */
enum status mysqldb_query_row(struct mysqldb *my, const char *sql, const char **cells,
			      unsigned count, struct error *error);

#endif
