#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/mysql/driver.h"

/* The name of the migrations' lock; names of user-level locks have at most 64 characters. */
#define LOCK_NAME "LEFT(CONCAT('dray_migrate:', DATABASE()), 64)"

static enum status fail(struct mysqldb *my, const char *what, struct error *error)
{
	return mysqldb_fail(my, mysql_errno(my->handle), mysql_error(my->handle), what, error);
}

/* If the rollback fails, the connection is closed, which rolls back, too. */
static void mysqldb_rollback(struct connection *connection)
{
	struct mysqldb *my = (struct mysqldb *)connection;

	if (!my->base.broken && mysqldb_query(my, "ROLLBACK", NULL) != STATUS_OK)
		my->base.broken = true;
}

/* A connection that breaks during a commit leaves it unknown whether that took place. */
static enum status uncertain(const struct mysqldb *my, enum status status, struct error *error)
{
	if (status == STATUS_OK || !my->base.broken)
		return status;
	if (error)
		error->status = STATUS_UNCERTAIN;
	return STATUS_UNCERTAIN;
}

static enum status mysqldb_begin(struct connection *connection, struct error *error)
{
	return mysqldb_query((struct mysqldb *)connection, "START TRANSACTION", error);
}

static enum status mysqldb_commit(struct connection *connection, struct error *error)
{
	struct mysqldb *my = (struct mysqldb *)connection;

	return uncertain(my, mysqldb_query(my, "COMMIT", error), error);
}

static bool mysqldb_inside(const struct connection *connection)
{
	return ((const struct mysqldb *)connection)->handle->server_status & SERVER_STATUS_IN_TRANS;
}

/* Reads every statement's result from the connection. */
static enum status drain(struct mysqldb *my, struct error *error)
{
	int next;

	do {
		MYSQL_RES *result = mysql_store_result(my->handle);
		if (result)
			mysql_free_result(result);
		else if (mysql_errno(my->handle) != 0)
			return fail(my, "execute", error);
		next = mysql_next_result(my->handle);
	} while (next == 0);
	return next < 0 ? STATUS_OK : fail(my, "execute", error);
}

static enum status set_multi_statements(struct mysqldb *my, bool on, struct error *error)
{
	if (mysql_set_server_option(my->handle, on ? MYSQL_OPTION_MULTI_STATEMENTS_ON
						   : MYSQL_OPTION_MULTI_STATEMENTS_OFF))
		return fail(my, "multiple statements", error);
	return STATUS_OK;
}

/*
 * Several statements in one text are allowed here only, so that no value can smuggle one in
 * elsewhere.
 */
static enum status mysqldb_execute(struct connection *connection, const char *sql,
				   struct error *error)
{
	struct mysqldb *my = (struct mysqldb *)connection;
	enum status status = set_multi_statements(my, true, error);

	if (status != STATUS_OK)
		return status;
	if (mysql_real_query(my->handle, sql, strlen(sql)))
		status = fail(my, "execute", error);
	else
		status = drain(my, error);
	if (!my->base.broken && set_multi_statements(my, false, NULL) != STATUS_OK)
		my->base.broken = true;
	return uncertain(my, status, error); /* each DDL statement commits by itself */
}

static enum status mysqldb_lock(struct connection *connection, struct error *error)
{
	struct mysqldb *my = (struct mysqldb *)connection;
	char sql[128];
	const char *taken = NULL;

	(void)snprintf(sql, sizeof(sql), "SELECT GET_LOCK(" LOCK_NAME ", %u)",
		       mysqldb_patience(my->base.call_timeout) - 1);
	arena_clear(my->scratch);
	enum status status = mysqldb_query_row(my, sql, &taken, 1, error);
	if (status != STATUS_OK)
		return status;
	if (!taken || strcmp(taken, "1") != 0)
		return error_set(error, STATUS_RETRY, "another process is migrating this database");
	return STATUS_OK;
}

/* In MySQL each DDL statement commits by itself; what is no DDL may have begun a transaction. */
static enum status mysqldb_unlock(struct connection *connection, bool commit, struct error *error)
{
	if (!commit)
		mysqldb_rollback(connection);
	return mysqldb_query((struct mysqldb *)connection, "DO RELEASE_LOCK(" LOCK_NAME ")", error);
}

static enum status mysqldb_check(struct arena *arena, const struct db_url *url, struct error *error)
{
	const struct db_options options = { 0 };
	struct mysqldb_target target = { 0 };

	(void)arena;
	return mysqldb_read_url(url, &options, &target, error);
}

#ifdef DRAY_FAULTS
static int mysqldb_socket(const struct connection *connection)
{
	return ((const struct mysqldb *)connection)->handle->net.fd;
}
#endif

static enum status open_connection(struct connection **connection, const struct db_url *url,
				   const struct db_options *options, struct error *error)
{
	enum status status = mysqldb_open(connection, url, options, error);

	if (status == STATUS_OK)
		(*connection)->driver = &mysql_driver;
	return status;
}

static const struct serial steps = {
	.statement = mysqldb_statement,
	.prepare = mysqldb_prepare,
	.begin = mysqldb_begin,
	.commit = mysqldb_commit,
	.inside = mysqldb_inside,
	.rollback = mysqldb_rollback,
};

const struct driver mysql_driver = {
	.name = "mysql",
	.dialect = DB_MYSQL,
	.check = mysqldb_check,
	.open = open_connection,
	.run = serial_run,
	.serial = &steps,
	.execute = mysqldb_execute,
	.lock = mysqldb_lock,
	.unlock = mysqldb_unlock,
	.close = mysqldb_close,
#ifdef DRAY_FAULTS
	.socket = mysqldb_socket,
#endif
};
