#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "common/text/uuid.h"
#include "db/serial.h"
#include "db/sqlite/driver.h"
#include "db/sqlite/url.h"

struct sqlite {
	struct connection base;
	sqlite3 *handle;
	sqlite3_stmt **prepared; /* by statement id */
	unsigned prepared_size;
	int64_t busy_since;   /* when the present wait began; 0 = not waiting */
	int64_t busy_timeout; /* for another process's transaction; then the caller gets RETRY */
	struct sqlite_log log;
	bool full; /* the disk, a quota or a limit was full in this run */
};

static enum status status_of(int code)
{
	static const struct {
		int code;
		enum status status;
	} table[] = {
		{ SQLITE_CONSTRAINT_UNIQUE, STATUS_CONFLICT },
		{ SQLITE_CONSTRAINT_PRIMARYKEY, STATUS_CONFLICT },
		{ SQLITE_CONSTRAINT_FOREIGNKEY, STATUS_CONFLICT },
		{ SQLITE_CONSTRAINT_TRIGGER, STATUS_CONFLICT },
		{ SQLITE_CONSTRAINT, STATUS_INVALID }, /* NOT NULL, CHECK */
		{ SQLITE_MISMATCH, STATUS_INVALID },
		{ SQLITE_TOOBIG, STATUS_INVALID },
		{ SQLITE_BUSY, STATUS_RETRY },
		{ SQLITE_LOCKED, STATUS_RETRY },
		{ SQLITE_FULL, STATUS_RETRY },        /* the disk is full; may pass */
		{ SQLITE_IOERR_WRITE, STATUS_RETRY }, /* the same for a quota or a limit */
		{ SQLITE_INTERRUPT, STATUS_RETRY },
		{ SQLITE_PROTOCOL, STATUS_RETRY },
		{ SQLITE_IOERR, STATUS_DOWN },
		{ SQLITE_CANTOPEN, STATUS_DOWN },
		{ SQLITE_READONLY, STATUS_DOWN },
		{ SQLITE_NOTADB, STATUS_INVALID }, /* another kind of file */
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].code == code || table[i].code == (code & 0xff))
			return table[i].status;
	return STATUS_FATAL;
}

static enum status fail(struct sqlite *sqlite, const char *what, struct error *error)
{
	int code = sqlite3_extended_errcode(sqlite->handle);
	enum status status = status_of(code);

	if ((code & 0xff) == SQLITE_NOMEM)
		out_of_memory();
	if (status == STATUS_DOWN)
		sqlite->base.broken = true;
	sqlite->full = sqlite->full || code == SQLITE_FULL || code == SQLITE_IOERR_WRITE;
	return error_set(error, status, "%s: %s (SQLite %d)", what, sqlite3_errmsg(sqlite->handle),
			 code);
}

/*
 * SQLite's own busy handler sleeps up to 100 ms between attempts; ours tries about every
 * millisecond, since a queue's transactions are that short.
 */
static int busy(void *context, int count)
{
	struct sqlite *sqlite = context;
	int64_t now = clock_monotonic();

	if (count == 0)
		sqlite->busy_since = now;
	if (now - sqlite->busy_since > sqlite->busy_timeout)
		return 0;
	clock_sleep(200 + (int64_t)random_below(count < 20 ? 1000 : 5000));
	return 1;
}

static enum status pragma(struct sqlite *sqlite, const char *sql, struct error *error)
{
	if (sqlite3_exec(sqlite->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		return fail(sqlite, sql, error);
	return STATUS_OK;
}

/* Names the file and the system's reason: most often that it belongs to another user. */
static enum status cannot_open(struct sqlite *sqlite, const char *path, struct error *error)
{
	int code = sqlite3_extended_errcode(sqlite->handle);
	int system = sqlite3_system_errno(sqlite->handle);

	if ((code & 0xff) == SQLITE_NOMEM)
		out_of_memory();
	if ((code & 0xff) == SQLITE_CANTOPEN && system != 0)
		return error_set(error, STATUS_DOWN, "sqlite3:%s: %s: %s", path,
				 sqlite3_errmsg(sqlite->handle), process_reason(system));
	return error_set(error, status_of(code), "sqlite3:%s: %s (SQLite %d)", path,
			 sqlite3_errmsg(sqlite->handle), code);
}

static enum status configure(struct sqlite *sqlite, const char *path, const char *synchronous,
			     struct error *error)
{
	const char *const pragmas[] = { "PRAGMA journal_mode=WAL", "PRAGMA foreign_keys=ON",
					synchronous, SQLITE_LOG_PRAGMA, "PRAGMA cache_size=-2000" };

	sqlite3_extended_result_codes(sqlite->handle, 1);
	sqlite3_busy_handler(sqlite->handle, busy, sqlite);
	sqlite->log.patience = &sqlite->busy_timeout;
	sqlite_log_watch(sqlite->handle, &sqlite->log);
	for (size_t i = 0; i < sizeof(pragmas) / sizeof(pragmas[0]); i++)
		if (sqlite3_exec(sqlite->handle, pragmas[i], NULL, NULL, NULL) != SQLITE_OK)
			return cannot_open(sqlite, path, error);
	return STATUS_OK;
}

static void sqlite_close(struct connection *connection)
{
	struct sqlite *sqlite = (struct sqlite *)connection;

	for (unsigned i = 0; i < sqlite->prepared_size; i++)
		sqlite3_finalize(sqlite->prepared[i]);
	free(sqlite->prepared);
	sqlite3_close(sqlite->handle);
	free(sqlite);
}

static enum status sqlite_check(struct arena *arena, const struct db_url *url, struct error *error)
{
	struct sqlite_settings settings;

	(void)arena;
	return sqlite_read_url(url, &settings, error);
}

static enum status sqlite_open(struct connection **connection, const struct db_url *url,
			       const struct db_options *options, struct error *error)
{
	struct sqlite_settings settings;
	enum status status = sqlite_read_url(url, &settings, error);
	if (status == STATUS_OK)
		status = options->must_exist ? sqlite_find_file(url->path, options->of_rails, error)
			 : options->no_folders
				 ? sqlite_find_parent(url->path, options->of_rails, error)
				 : sqlite_make_parent(url->path, error);
	if (status == STATUS_OK && !options->must_exist)
		sqlite_make_file(url->path, settings.mode);
	if (status != STATUS_OK)
		return status;

	struct sqlite *sqlite = calloc(1, sizeof(*sqlite));
	if (!sqlite)
		out_of_memory();
	sqlite->base.driver = &sqlite_driver;
	sqlite->base.call_timeout = options->call_timeout;
	sqlite->busy_timeout =
		options->call_timeout < DRIVER_LOCK_WAIT ? options->call_timeout : DRIVER_LOCK_WAIT;
	snprintf(sqlite->base.server, sizeof(sqlite->base.server), "SQLite %s",
		 sqlite3_libversion());
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX |
		    (options->must_exist ? 0 : SQLITE_OPEN_CREATE);
	if (sqlite3_open_v2(url->path, &sqlite->handle, flags, NULL) != SQLITE_OK)
		status = cannot_open(sqlite, url->path, error);
	else
		status = configure(sqlite, url->path, settings.synchronous, error);
	if (status != STATUS_OK) {
		sqlite_close(&sqlite->base);
		return status;
	}
	*connection = &sqlite->base;
	return STATUS_OK;
}

static enum status prepare(struct sqlite *sqlite, const struct statement *statement,
			   sqlite3_stmt **prepared, struct error *error)
{
	if (statement->id >= sqlite->prepared_size) {
		unsigned size = statement->id + 32;
		sqlite3_stmt **grown = realloc(sqlite->prepared, size * sizeof(sqlite3_stmt *));
		if (!grown)
			out_of_memory();
		memset(grown + sqlite->prepared_size, 0,
		       (size - sqlite->prepared_size) * sizeof(sqlite3_stmt *));
		sqlite->prepared = grown;
		sqlite->prepared_size = size;
	}
	sqlite3_stmt **slot = &sqlite->prepared[statement->id];
	if (!*slot && sqlite3_prepare_v3(sqlite->handle, statement->sql, -1,
					 SQLITE_PREPARE_PERSISTENT, slot, NULL) != SQLITE_OK)
		return fail(sqlite, "prepare", error);
	*prepared = *slot;
	return STATUS_OK;
}

static int bind_ids(sqlite3_stmt *prepared, int index, const struct db_value *value)
{
	struct text json = { 0 };

	text_json_numbers(&json, value->ids, value->count);
	int code =
		sqlite3_bind_text(prepared, index, json.data, (int)json.length, SQLITE_TRANSIENT);
	text_free(&json);
	return code;
}

static int bind(sqlite3_stmt *prepared, int index, const struct db_value *value)
{
	char time[CLOCK_TEXT_SIZE];

	switch (value->type) {
	case DB_INT:
	case DB_BOOL:
		return sqlite3_bind_int64(prepared, index, value->number);
	case DB_TEXT:
		return sqlite3_bind_text(prepared, index, value->text, -1, SQLITE_STATIC);
	case DB_TIME:
		clock_format_short(value->number, time);
		return sqlite3_bind_text(prepared, index, time, -1, SQLITE_TRANSIENT);
	case DB_IDS:
		return bind_ids(prepared, index, value);
	case DB_UNSET:
	case DB_NULL:
		break;
	}
	return sqlite3_bind_null(prepared, index);
}

/* A value that could not be bound would be NULL in the statement, which must then not run. */
static enum status bind_all(struct sqlite *sqlite, const struct serial_step *step,
			    sqlite3_stmt *prepared, struct error *error)
{
	for (unsigned i = 0; i < step->statement->order_count; i++)
		if (bind(prepared, (int)i + 1, &step->values[step->statement->order[i]]) !=
		    SQLITE_OK)
			return fail(sqlite, "bind", error);
	return STATUS_OK;
}

/* Appends the row under the cursor. */
static void take_row(sqlite3_stmt *prepared, struct arena *arena, struct db_rows *rows)
{
	size_t used = rows->count * rows->columns;

	rows->cells =
		arena_extend(arena, rows->cells, rows->count, rows->columns * sizeof(*rows->cells));
	for (size_t i = 0; i < rows->columns; i++) {
		bool null = sqlite3_column_type(prepared, (int)i) == SQLITE_NULL;
		const char *cell = (const char *)sqlite3_column_text(prepared, (int)i);
		if (!cell && !null)
			out_of_memory();
		size_t length = (size_t)sqlite3_column_bytes(prepared, (int)i);
		rows->cells[used + i] = cell ? arena_strndup(arena, cell, length) : NULL;
	}
	rows->count++;
}

/* SQLite itself goes on in a file that has been moved or deleted, where no other process looks. */
static enum status check_place(struct sqlite *sqlite, struct error *error)
{
	int moved = 0;

	(void)sqlite3_file_control(sqlite->handle, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
	if (moved == 0)
		return STATUS_OK;
	sqlite->base.broken = true;
	return error_set(error, STATUS_DOWN, "sqlite3: the file has been moved or deleted");
}

static enum status sqlite_statement(struct connection *connection, struct serial_step *step,
				    struct error *error)
{
	struct sqlite *sqlite = (struct sqlite *)connection;
	sqlite3_stmt *prepared = NULL;
	struct db_rows rows = { 0 };
	bool alone = sqlite3_get_autocommit(sqlite->handle) != 0;
	enum status status = alone ? check_place(sqlite, error) : STATUS_OK;

	if (status == STATUS_OK)
		status = prepare(sqlite, step->statement, &prepared, error);
	if (status == STATUS_OK)
		status = bind_all(sqlite, step, prepared, error);
	if (status != STATUS_OK)
		return status;
	rows.columns = (size_t)sqlite3_column_count(prepared);
	int code;
	while ((code = sqlite3_step(prepared)) == SQLITE_ROW)
		take_row(prepared, step->arena, &rows);
	if (code != SQLITE_DONE)
		status = fail(sqlite, "run", error);
	if (code == SQLITE_FULL && sqlite_out_of_ids(sqlite->handle, step->statement->sql)) {
		sqlite->base.out_of_ids = true;
		status = error_set(error, STATUS_FATAL, "run: no id");
	}
	sqlite3_reset(prepared);
	sqlite3_clear_bindings(prepared);
	if (status != STATUS_OK)
		return status;
	step->changed = rows.columns > 0 ? rows.count : (uint64_t)sqlite3_changes64(sqlite->handle);
	if (step->statement->rows)
		*step->rows = rows;
	return STATUS_OK;
}

static enum status sqlite_begin(struct connection *connection, struct error *error)
{
	struct sqlite *sqlite = (struct sqlite *)connection;
	enum status status = check_place(sqlite, error);

	return status == STATUS_OK ? pragma(sqlite, "BEGIN IMMEDIATE", error) : status;
}

static enum status sqlite_commit(struct connection *connection, struct error *error)
{
	enum status status = pragma((struct sqlite *)connection, "COMMIT", error);

	/*
	 * After a failed sync the next process that opens the file may find all of the transaction
	 * in the log; after a failed write the log lacks its end, which is written last.
	 */
	if (status != STATUS_DOWN)
		return status;
	if (error)
		error->status = STATUS_UNCERTAIN;
	return STATUS_UNCERTAIN;
}

static bool sqlite_inside(const struct connection *connection)
{
	return !sqlite3_get_autocommit(((const struct sqlite *)connection)->handle);
}

static void sqlite_rollback(struct connection *connection)
{
	struct sqlite *sqlite = (struct sqlite *)connection;

	if (!sqlite3_get_autocommit(sqlite->handle) &&
	    sqlite3_exec(sqlite->handle, "ROLLBACK", NULL, NULL, NULL) != SQLITE_OK)
		sqlite->base.broken = true;
	if (sqlite->full && !sqlite->base.broken)
		sqlite_log_give_back(sqlite->handle);
	sqlite->full = false;
}

static enum status sqlite_execute(struct connection *connection, const char *sql,
				  struct error *error)
{
	struct sqlite *sqlite = (struct sqlite *)connection;

	if (sqlite3_exec(sqlite->handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		return fail(sqlite, "execute", error);
	return STATUS_OK;
}

static enum status sqlite_unlock(struct connection *connection, bool commit, struct error *error)
{
	if (commit)
		return sqlite_commit(connection, error);
	sqlite_rollback(connection);
	return STATUS_OK;
}

static const struct serial steps = {
	.statement = sqlite_statement,
	.begin = sqlite_begin,
	.commit = sqlite_commit,
	.inside = sqlite_inside,
	.rollback = sqlite_rollback,
};

const struct driver sqlite_driver = {
	.name = "sqlite3",
	.dialect = DB_SQLITE,
	.check = sqlite_check,
	.open = sqlite_open,
	.run = serial_run,
	.serial = &steps,
	.execute = sqlite_execute,
	.lock = sqlite_begin,
	.unlock = sqlite_unlock,
	.close = sqlite_close,
};
