/*
 * The driver for MySQL and MariaDB: prepared statements, and the steps of which db/serial.c makes a
 * transaction.
 *
 * Parameters travel as text or numbers, results as text. Several statements in one text are for
 * migrations only, and a packet that the server would not take is never sent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "db/mysql/driver.h"

/* prepared statements */

/* Cells up to this length arrive with the row; longer ones are fetched separately. */
#define SHORT_CELL 256

#define IS_NULL   1048
#define DUPLICATE 1062
#define NO_NUMBER 1467

/*
 * A statement's result while it is read. is_null is bound to the MYSQL_BIND's own member, because
 * its type (my_bool or bool) depends on the library.
 */
struct result {
	struct mysqldb *my;
	MYSQL_STMT *prepared;
	MYSQL_BIND *bind;
	char (*cells)[SHORT_CELL];
	unsigned long *lengths;
	struct db_rows rows;
};

static enum status statement_failed(struct mysqldb *my, MYSQL_STMT *prepared, struct error *error)
{
	unsigned code = mysql_stmt_errno(prepared);

	/* Connector/C reports an error in place of a row on the connection only. */
	if (code == 0)
		return mysqldb_fail(my, mysql_errno(my->handle), mysql_error(my->handle),
				    "statement", error);
	return mysqldb_fail(my, code, mysql_stmt_error(prepared), "statement", error);
}

/* A statement that failed is prepared again: the server may have forgotten it. */
static void forget(void **slot)
{
	mysql_stmt_close(*slot);
	*slot = NULL;
}

static enum status prepare(struct mysqldb *my, const char *sql, void **slot, struct error *error)
{
	if (*slot)
		return STATUS_OK;
	*slot = mysql_stmt_init(my->handle);
	if (!*slot)
		out_of_memory();
	if (mysql_stmt_prepare(*slot, sql, strlen(sql)) == 0)
		return STATUS_OK;
	return statement_failed(my, *slot, error);
}

/* A value's text form in the scratch arena; NULL for SQL NULL. */
static const char *format_value(struct arena *arena, const struct db_value *value)
{
	char *text;

	switch (value->type) {
	case DB_TEXT:
		return value->text;
	case DB_TIME:
		text = arena_alloc(arena, CLOCK_TEXT_SIZE);
		clock_format(value->number, text);
		return text;
	case DB_UNSET:
	case DB_NULL:
	case DB_INT:
	case DB_BOOL:
	case DB_IDS: /* list_bind */
	case DB_TEXTS:
	case DB_ROWS:
		break;
	}
	return NULL;
}

static void bind_value(struct arena *arena, MYSQL_BIND *bind, const struct db_value *value)
{
	if (value->type == DB_INT || value->type == DB_BOOL) {
		bind->buffer_type = MYSQL_TYPE_LONGLONG;
		bind->buffer = arena_alloc(arena, sizeof(value->number));
		memcpy(bind->buffer, &value->number, sizeof(value->number));
		return;
	}
	const char *text = format_value(arena, value);
	bind->buffer_type = text ? MYSQL_TYPE_STRING : MYSQL_TYPE_NULL;
	memcpy(&bind->buffer, &text, sizeof(text)); /* it is only read, although not const there */
	bind->buffer_length = text ? strlen(text) : 0;
}

/*
 * A packet that is too large makes the server hang up, which looks like an outage and would be
 * retried for ever; so it is never sent.
 */
static enum status check_size(const struct mysqldb *my, const MYSQL_BIND *bind, unsigned count,
			      struct error *error)
{
	size_t size = 1024;

	for (unsigned i = 0; i < count; i++)
		size += bind[i].buffer_length + 16;
	if (size <= my->maximum_packet)
		return STATUS_OK;
	return error_set(
		error, STATUS_INVALID,
		"the statement has values of %zu bytes, but the server's max_allowed_packet is %zu",
		size, my->maximum_packet);
}

static enum status run_prepared(struct mysqldb *my, const struct serial_step *step,
				MYSQL_STMT *prepared, struct error *error)
{
	unsigned count = step->statement->order_count;
	MYSQL_BIND *bind = arena_array(my->scratch, count, sizeof(*bind));

	for (unsigned i = 0; i < count; i++)
		bind_value(my->scratch, &bind[i], &step->values[step->statement->order[i]]);
	enum status status = check_size(my, bind, count, error);
	if (status != STATUS_OK)
		return status;
	if (mysql_stmt_param_count(prepared) != count)
		return error_set(error, STATUS_FATAL, "%lu placeholders, %u values",
				 (unsigned long)mysql_stmt_param_count(prepared), count);
	if ((count > 0 && mysql_stmt_bind_param(prepared, bind)) || mysql_stmt_execute(prepared))
		return statement_failed(my, prepared, error);
	return STATUS_OK;
}

static enum status bind_result(struct result *result, struct error *error)
{
	struct arena *scratch = result->my->scratch;
	size_t columns = result->rows.columns;

	result->bind = arena_array(scratch, columns, sizeof(*result->bind));
	result->cells = arena_array(scratch, columns, sizeof(*result->cells));
	result->lengths = arena_array(scratch, columns, sizeof(*result->lengths));
	for (size_t i = 0; i < columns; i++) {
		MYSQL_BIND *bind = &result->bind[i];
		bind->buffer_type = MYSQL_TYPE_STRING;
		bind->buffer = result->cells[i];
		bind->buffer_length = SHORT_CELL;
		bind->length = &result->lengths[i];
		bind->is_null = &bind->is_null_value;
	}
	if (mysql_stmt_bind_result(result->prepared, result->bind))
		return statement_failed(result->my, result->prepared, error);
	return STATUS_OK;
}

static enum status take_cell(struct result *result, struct arena *arena, unsigned column,
			     const char **cell, struct error *error)
{
	unsigned long length = result->lengths[column];

	*cell = NULL;
	if (*result->bind[column].is_null)
		return STATUS_OK;
	if (length <= SHORT_CELL) {
		*cell = arena_strndup(arena, result->cells[column], length);
		return STATUS_OK;
	}
	char *text = arena_alloc(arena, length + 1);
	MYSQL_BIND whole = { .buffer_type = MYSQL_TYPE_STRING,
			     .buffer = text,
			     .buffer_length = length,
			     .length = &result->lengths[column] };
	if (mysql_stmt_fetch_column(result->prepared, &whole, column, 0))
		return statement_failed(result->my, result->prepared, error);
	*cell = text;
	return STATUS_OK;
}

/* Appends the row just fetched. */
static enum status take_row(struct result *result, struct arena *arena, struct error *error)
{
	struct db_rows *rows = &result->rows;
	size_t used = rows->count * rows->columns;
	enum status status = STATUS_OK;

	rows->cells =
		arena_extend(arena, rows->cells, rows->count, rows->columns * sizeof(*rows->cells));
	for (unsigned i = 0; i < rows->columns && status == STATUS_OK; i++)
		status = take_cell(result, arena, i, &rows->cells[used + i], error);
	return status;
}

/* Reads rows as they arrive: the only copy is in the arena. */
static enum status fetch_rows(struct result *result, const struct serial_step *step,
			      struct error *error)
{
	enum status status = bind_result(result, error);

	while (status == STATUS_OK) {
		int code = mysql_stmt_fetch(result->prepared);
		if (code == MYSQL_NO_DATA)
			break;
		if (code != 0 && code != MYSQL_DATA_TRUNCATED)
			return statement_failed(result->my, result->prepared, error);
		if (step->statement->rows)
			status = take_row(result, step->arena, error);
		result->rows.count++;
	}
	return status;
}

static enum status take_result(struct mysqldb *my, struct serial_step *step, MYSQL_STMT *prepared,
			       struct error *error)
{
	struct result result = { .my = my, .prepared = prepared };

	result.rows.columns = mysql_stmt_field_count(prepared);
	if (result.rows.columns == 0) {
		step->changed = mysql_stmt_affected_rows(prepared);
	} else {
		enum status status = fetch_rows(&result, step, error);
		if (status != STATUS_OK)
			return status;
		mysql_stmt_free_result(prepared);
		step->changed = result.rows.count;
	}
	if (step->statement->rows)
		*step->rows = result.rows;
	return STATUS_OK;
}

static enum status mysqldb_prepare(struct connection *connection, const struct statement *statement,
				   struct error *error)
{
	struct mysqldb *my = (struct mysqldb *)connection;
	void **slot = serial_prepared(connection, statement->id);
	enum status status = prepare(my, statement->sql, slot, error);

	if (status != STATUS_OK)
		forget(slot);
	return status;
}

/*
 * MySQL has no number for an id when it waited too long for a transaction that inserts many rows,
 * and when a statement of many rows meets the end; the last one is given again, which a script may
 * refuse with NULL. At the end the counter is close to it.
 */
static bool out_of_ids(struct mysqldb *my, MYSQL_STMT *prepared, const char *sql)
{
	char table[SERIAL_TABLE_SIZE];
	const char *ended = NULL;
	unsigned code = prepared ? mysql_stmt_errno(prepared) : 0;

	if (code != NO_NUMBER && code != IS_NULL &&
	    (code != DUPLICATE || !strstr(mysql_stmt_error(prepared), "PRIMARY'")))
		return false;
	serial_table(sql, table);
	const char *question = arena_printf(
		my->scratch,
		"SELECT auto_increment > IF(data_type = 'int', 2147483647, 9223372036854775807.0)"
		" * IF(column_type LIKE '%%unsigned', 2, 1) - 1000000"
		" FROM information_schema.tables JOIN information_schema.columns"
		" USING (table_schema, table_name)"
		" WHERE table_schema = DATABASE() AND table_name = '%s' AND column_name = 'id'",
		table);
	return mysqldb_query_row(my, question, &ended, 1, NULL) == STATUS_OK && ended &&
	       strcmp(ended, "1") == 0;
}

/* Prepares, too, if that was not done before the transaction. */
static enum status mysqldb_statement(struct connection *connection, struct serial_step *step,
				     struct error *error)
{
	struct mysqldb *my = (struct mysqldb *)connection;
	void **slot = serial_prepared(connection, step->statement->id);

	arena_clear(my->scratch);
	enum status status = prepare(my, step->statement->sql, slot, error);
	if (status == STATUS_OK)
		status = run_prepared(my, step, *slot, error);
	if (status == STATUS_OK)
		status = take_result(my, step, *slot, error);
	if (status != STATUS_OK && out_of_ids(my, *slot, step->statement->sql)) {
		my->base.out_of_ids = true;
		status = error_set(error, STATUS_FATAL, "statement: no id");
	}
	if (status != STATUS_OK)
		forget(slot);
	if (error && (status == STATUS_RETRY || status == STATUS_DOWN))
		error->answered = !my->full && mysql_ping(my->handle) == 0;
	return status;
}

/* transactions, migrations, and the driver */

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
