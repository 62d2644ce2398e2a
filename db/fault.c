#include "db/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "db/scripts/dialect.h"

#define NAME_SIZE 64

bool db_fault_armed(const struct driver_call calls[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (fault_is_armed(calls[i].script->name))
			return true;
	return false;
}

/* The place of a point in a transaction. */
enum place { BEFORE_STATEMENT, BEFORE_COMMIT, AFTER_COMMIT };

/*
 * A socket is really shut down, so that the next call finds out by itself. SQLite has none: its
 * connection fails as it does when the file can no longer be read. After a commit nothing follows:
 * the answer is lost with the connection.
 */
static enum status cut(struct connection *connection, const char *point, enum place place,
		       struct error *error)
{
	const struct driver *driver = connection->driver;

	if (driver->socket && place != AFTER_COMMIT) {
		(void)shutdown(driver->socket(connection), SHUT_RDWR);
		return STATUS_OK;
	}
	connection->broken = true;
	return error_set(error, place == BEFORE_STATEMENT ? STATUS_DOWN : STATUS_UNCERTAIN,
			 "%s: the connection is cut", point);
}

static enum status refuse(const char *point, enum fault_action action, enum place place,
			  struct error *error)
{
	if (place == AFTER_COMMIT) {
		(void)fprintf(stderr, "fault %s: '%s' comes too late\n", point,
			      fault_action_name(action));
		abort();
	}
	return error_set(error, action == FAULT_RETRY ? STATUS_RETRY : STATUS_FATAL,
			 "%s: fails as asked", point);
}

static enum status pass(struct connection *connection, const char *point, enum place place,
			struct error *error)
{
	enum fault_action action = fault_pass(point);

	if (action == FAULT_NONE)
		return STATUS_OK;
	return action == FAULT_CUT ? cut(connection, point, place, error)
				   : refuse(point, action, place, error);
}

enum status db_fault_statement(struct connection *connection, const struct driver_call *call,
			       unsigned number, struct error *error)
{
	char point[NAME_SIZE];

	(void)snprintf(point, sizeof(point), "%s.%u", call->script->name, number);
	return pass(connection, point, BEFORE_STATEMENT, error);
}

/* Before or after the commit of all these. */
static enum status pass_all(struct connection *connection, const struct driver_call calls[],
			    size_t count, enum place place, struct error *error)
{
	enum status status = STATUS_OK;
	char point[NAME_SIZE];

	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		(void)snprintf(point, sizeof(point), "%s.%s", calls[i].script->name,
			       place == BEFORE_COMMIT ? "commit" : "committed");
		if (!calls[i].none)
			status = pass(connection, point, place, error);
	}
	return status;
}

enum status db_fault_commit(struct connection *connection, const struct driver_call calls[],
			    size_t count, struct error *error)
{
	return pass_all(connection, calls, count, BEFORE_COMMIT, error);
}

enum status db_fault_committed(struct connection *connection, const struct driver_call calls[],
			       size_t count, struct error *error)
{
	return pass_all(connection, calls, count, AFTER_COMMIT, error);
}

/* Where the list goes. */
struct listing {
	void (*each)(const char *point, void *context);
	void *context;
};

static void list_script(const struct script *script, const struct listing *listing)
{
	char point[NAME_SIZE];

	for (unsigned i = 0; i < script->statement_count; i++) {
		(void)snprintf(point, sizeof(point), "%s.%u", script->name, i);
		listing->each(point, listing->context);
	}
	for (int i = 0; i < 2 && !script->read; i++) {
		(void)snprintf(point, sizeof(point), "%s.%s", script->name,
			       i == 0 ? "commit" : "committed");
		listing->each(point, listing->context);
	}
}

/* Is this a script for this dialect, and the one of its name that is used? */
static bool is_chosen(const struct sql_file *file, enum db_dialect dialect)
{
	return !strchr(file->name, '/') && sql_find(file->name, dialect) == file->text;
}

enum status db_fault_each(enum db_dialect dialect, void (*each)(const char *point, void *context),
			  void *context, struct error *error)
{
	const struct dialect rendering = { .kind = dialect };
	const struct listing listing = { each, context };
	struct arena *arena = arena_new();
	enum status status = STATUS_OK;

	for (size_t i = 0; i < sql_file_count && status == STATUS_OK; i++) {
		const struct script *script;
		if (!is_chosen(&sql_files[i], dialect))
			continue;
		status = dialect_render(arena, sql_files[i].name, &rendering, &script, error);
		if (status == STATUS_OK)
			list_script(script, &listing);
	}
	arena_free(arena);
	return status;
}
