#include "db/serial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/fault.h"

/*
 * If the transaction has ended unnoticed, its changes are gone, and the next statements would be
 * committed one by one.
 */
static enum status check_inside(const struct connection *connection, struct error *error)
{
	if (connection->driver->serial->inside(connection))
		return STATUS_OK;
	return error_set(error, STATUS_RETRY, "the server has ended the transaction");
}

void **serial_prepared(struct connection *connection, unsigned id)
{
	const unsigned before = connection->prepared_size;
	void **list = connection->prepared;

	if (id >= before) {
		const unsigned size = id + 32;
		list = reallocarray(list, size, sizeof(*list));
		if (!list)
			out_of_memory();
		memset(list + before, 0, (size - before) * sizeof(*list));
		connection->prepared = list;
		connection->prepared_size = size;
	}
	return &list[id];
}

void serial_table(const char *sql, char table[SERIAL_TABLE_SIZE])
{
	const char *into = strstr(sql, "INTO ");

	if (!into || sscanf(into, "INTO %63[a-z_]", table) != 1)
		(void)snprintf(table, SERIAL_TABLE_SIZE, "a table");
}

/* Every statement that needs an id is an INSERT of its own. */
static void say_where(const struct connection *connection, const struct script *script,
		      const struct statement *statement, struct error *error)
{
	char table[SERIAL_TABLE_SIZE];

	serial_table(statement->sql, table);
	if (connection->out_of_ids && error)
		(void)error_set(error, error->status, "%s: " DRIVER_OUT_OF_IDS, error->text, table);
	error_prefix(error, "%s", script->name);
}

static enum status run_script(struct connection *connection, struct arena *arena,
			      struct driver_call *call, bool inside, struct error *error)
{
	const struct serial *serial = connection->driver->serial;
	struct serial_step step = { .arena = arena, .values = call->values, .rows = call->rows };
	uint64_t changed = 0;
	bool guarded = false;

	for (unsigned i = 0; i < call->script->statement_count; i++) {
		step.statement = &call->script->statements[i];
		enum status status = FAULT_STATUS(db_fault_statement(connection, call, i, error));
		if (status == STATUS_OK)
			status = serial->statement(connection, &step, error);
		if (status == STATUS_OK && inside)
			status = check_inside(connection, error);
		if (status != STATUS_OK) {
			say_where(connection, call->script, step.statement, error);
			return status;
		}
		if (!guarded)
			changed = step.changed;
		if (step.statement->guard && step.changed == 0) {
			call->none = true;
			break;
		}
		guarded = guarded || step.statement->guard;
	}
	call->rows->changed = changed;
	return STATUS_OK;
}

/* When every call's guard found nothing there is nothing to commit. */
static enum status run_calls(struct connection *connection, struct arena *arena,
			     struct driver_call *calls, size_t count, struct error *error)
{
	const struct serial *serial = connection->driver->serial;
	bool none = true;

	for (size_t i = 0; i < count; i++) {
		enum status status = run_script(connection, arena, &calls[i], true, error);
		if (status != STATUS_OK)
			return status;
		none = none && calls[i].none;
	}
	if (none) {
		serial->rollback(connection);
		return STATUS_OK;
	}
	enum status status = FAULT_STATUS(db_fault_commit(connection, calls, count, error));
	if (status == STATUS_OK)
		status = serial->commit(connection, error);
	if (status == STATUS_OK)
		status = FAULT_STATUS(db_fault_committed(connection, calls, count, error));
	return status;
}

/*
 * Before the transaction begins: a Galera node that has ended a transaction answers the preparing
 * of a statement as if nothing had happened, and then reports the end no more.
 */
static enum status prepare_all(struct connection *connection, const struct driver_call *calls,
			       size_t count, struct error *error)
{
	const struct serial *serial = connection->driver->serial;
	enum status status = STATUS_OK;

	for (size_t i = 0; i < count && serial->prepare; i++) {
		const struct script *script = calls[i].script;
		for (unsigned j = 0; j < script->statement_count && status == STATUS_OK; j++)
			status = serial->prepare(connection, &script->statements[j], error);
		if (status != STATUS_OK) {
			error_prefix(error, "%s", script->name);
			return status;
		}
	}
	return STATUS_OK;
}

enum status serial_run(struct connection *connection, struct arena *arena,
		       struct driver_call *calls, size_t count, struct error *error)
{
	const struct serial *serial = connection->driver->serial;

	connection->out_of_ids = false;
	if (count == 1 && calls[0].script->read)
		return run_script(connection, arena, &calls[0], false, error);
	enum status status = prepare_all(connection, calls, count, error);
	if (status != STATUS_OK)
		return status;
	status = serial->begin(connection, error);
	if (status == STATUS_OK)
		status = check_inside(connection, error);
	if (status == STATUS_OK)
		status = run_calls(connection, arena, calls, count, error);
	if (status != STATUS_OK)
		serial->rollback(connection);
	return status;
}
