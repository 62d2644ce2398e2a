#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "db/mysql/driver.h"

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

static enum status fail(struct mysqldb *my, MYSQL_STMT *prepared, struct error *error)
{
	unsigned code = mysql_stmt_errno(prepared);

	/* Connector/C reports an error in place of a row on the connection only. */
	if (code == 0)
		return mysqldb_fail(my, mysql_errno(my->handle), mysql_error(my->handle),
				    "statement", error);
	return mysqldb_fail(my, code, mysql_stmt_error(prepared), "statement", error);
}

static MYSQL_STMT **find_slot(struct mysqldb *my, unsigned id)
{
	if (id >= my->prepared_size) {
		unsigned size = id + 32;
		MYSQL_STMT **grown = reallocarray(my->prepared, size, sizeof(MYSQL_STMT *));
		if (!grown)
			out_of_memory();
		memset(grown + my->prepared_size, 0,
		       (size - my->prepared_size) * sizeof(MYSQL_STMT *));
		my->prepared = grown;
		my->prepared_size = size;
	}
	return &my->prepared[id];
}

/* A statement that failed is prepared again: the server may have forgotten it. */
static void forget(MYSQL_STMT **slot)
{
	mysql_stmt_close(*slot);
	*slot = NULL;
}

static enum status prepare(struct mysqldb *my, const char *sql, MYSQL_STMT **slot,
			   struct error *error)
{
	if (*slot)
		return STATUS_OK;
	*slot = mysql_stmt_init(my->handle);
	if (!*slot)
		out_of_memory();
	if (mysql_stmt_prepare(*slot, sql, strlen(sql)) == 0)
		return STATUS_OK;
	return fail(my, *slot, error);
}

static char *format_ids(struct arena *arena, const struct db_value *value)
{
	struct text json = { 0 };

	text_json_numbers(&json, value->ids, value->count);
	return text_take(&json, arena);
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
	case DB_IDS:
		return format_ids(arena, value);
	case DB_UNSET:
	case DB_NULL:
	case DB_INT:
	case DB_BOOL:
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

static enum status execute(struct mysqldb *my, const struct serial_step *step, MYSQL_STMT *prepared,
			   struct error *error)
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
		return fail(my, prepared, error);
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
		return fail(result->my, result->prepared, error);
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
		return fail(result->my, result->prepared, error);
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
static enum status fetch(struct result *result, const struct serial_step *step, struct error *error)
{
	enum status status = bind_result(result, error);

	while (status == STATUS_OK) {
		int code = mysql_stmt_fetch(result->prepared);
		if (code == MYSQL_NO_DATA)
			break;
		if (code != 0 && code != MYSQL_DATA_TRUNCATED)
			return fail(result->my, result->prepared, error);
		if (step->statement->rows)
			status = take_row(result, step->arena, error);
		result->rows.count++;
	}
	return status;
}

static enum status finish(struct mysqldb *my, struct serial_step *step, MYSQL_STMT *prepared,
			  struct error *error)
{
	struct result result = { .my = my, .prepared = prepared };

	result.rows.columns = mysql_stmt_field_count(prepared);
	if (result.rows.columns == 0) {
		step->changed = mysql_stmt_affected_rows(prepared);
	} else {
		enum status status = fetch(&result, step, error);
		if (status != STATUS_OK)
			return status;
		mysql_stmt_free_result(prepared);
		step->changed = result.rows.count;
	}
	if (step->statement->rows)
		*step->rows = result.rows;
	return STATUS_OK;
}

enum status mysqldb_prepare(struct connection *connection, const struct statement *statement,
			    struct error *error)
{
	struct mysqldb *my = (struct mysqldb *)connection;
	MYSQL_STMT **slot = find_slot(my, statement->id);
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

enum status mysqldb_statement(struct connection *connection, struct serial_step *step,
			      struct error *error)
{
	struct mysqldb *my = (struct mysqldb *)connection;
	MYSQL_STMT **slot = find_slot(my, step->statement->id);

	arena_clear(my->scratch);
	enum status status = prepare(my, step->statement->sql, slot, error);
	if (status == STATUS_OK)
		status = execute(my, step, *slot, error);
	if (status == STATUS_OK)
		status = finish(my, step, *slot, error);
	if (status != STATUS_OK && out_of_ids(my, *slot, step->statement->sql)) {
		my->base.out_of_ids = true;
		status = error_set(error, STATUS_FATAL, "statement: no id");
	}
	if (status != STATUS_OK)
		forget(slot);
	return status;
}
