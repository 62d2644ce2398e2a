#include "db/serial.h"

#include "db/fault.h"

static enum status run_script(struct connection *connection, struct arena *arena,
			      struct driver_call *call, struct error *error)
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
		if (status != STATUS_OK) {
			error_prefix(error, "%s", call->script->name);
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
		enum status status = run_script(connection, arena, &calls[i], error);
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

enum status serial_run(struct connection *connection, struct arena *arena,
		       struct driver_call *calls, size_t count, struct error *error)
{
	const struct serial *serial = connection->driver->serial;

	if (count == 1 && calls[0].script->read)
		return run_script(connection, arena, &calls[0], error);
	enum status status = serial->begin(connection, error);
	if (status == STATUS_OK)
		status = run_calls(connection, arena, calls, count, error);
	if (status != STATUS_OK)
		serial->rollback(connection);
	return status;
}
