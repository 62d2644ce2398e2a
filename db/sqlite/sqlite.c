/*
 * db/sqlite/: the SQLite driver, whole, and the only file that includes SQLite.
 *
 * The options of its URLs and the file they name; the write-ahead log and its size; ids that have
 * come to their end; statements. Every transaction that writes begins with IMMEDIATE, so that it
 * waits where it begins and never half-way, where SQLite could only refuse it. It waits for another
 * process's for a bounded time, in steps of about a millisecond, and is then RETRY. A full disk is
 * RETRY, too, because it may pass, and what the log takes of it is given back.
 *
 * A file that was moved or deleted would be written on by SQLite, where no other process looks:
 * each transaction looks first whether the file is still where it was, and is DOWN if it is not. A
 * commit that fails for the file is UNCERTAIN: who opens the file next may find all of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "common/text/uuid.h"
#include "db/driver.h"
#include "db/serial.h"

/* the URL and its file */

struct sqlite_settings {
	const char *synchronous; /* a pragma */
	unsigned mode;           /* permissions of a new file */
};

#define LINKS 8 /* to one file, one after the other */

static enum status check_options(const struct db_url *url, struct error *error)
{
	if (!url->path || *url->path == '\0')
		return error_set(error, STATUS_INVALID,
				 "database url: sqlite3: needs the path of a file");
	if (strstr(url->path, ":memory:"))
		return error_set(error, STATUS_INVALID,
				 "database url: an in-memory database cannot be shared by the "
				 "processes of a deployment; give a file");
	for (unsigned i = 0; i < url->option_count; i++)
		if (strcmp(url->options[i].name, "synchronous") != 0 &&
		    strcmp(url->options[i].name, "mode") != 0 &&
		    !rails_option(url->options[i].name))
			return error_set(error, STATUS_INVALID,
					 "database url: unknown option '%s', expected synchronous "
					 "or mode",
					 url->options[i].name);
	return STATUS_OK;
}

static enum status read_synchronous(const struct db_url *url, const char **pragma,
				    struct error *error)
{
	const char *level = url_option(url, "synchronous");

	if (!level || strcmp(level, "full") == 0)
		*pragma = "PRAGMA synchronous=FULL";
	else if (strcmp(level, "normal") == 0)
		*pragma = "PRAGMA synchronous=NORMAL";
	else
		return error_set(error, STATUS_INVALID,
				 "database url: synchronous=%s, expected full (every commit "
				 "survives a power failure) or normal",
				 level);
	return STATUS_OK;
}

/* The owner must be able to read and write, or nothing could use it. */
static enum status read_mode(const struct db_url *url, unsigned *mode, struct error *error)
{
	const char *text = url_option(url, "mode");

	*mode = 0600;
	if (!text)
		return STATUS_OK;
	size_t digits = strspn(text, "01234567");
	if (digits >= 3 && digits <= 4 && text[digits] == '\0')
		*mode = (unsigned)strtoul(text, NULL, 8);
	else
		*mode = 0;
	if (*mode > 0777 || (*mode & 0600) != 0600)
		return error_set(error, STATUS_INVALID,
				 "database url: mode=%s, expected the permissions of the file, as "
				 "chmod takes them: 0600 (the default), 0640, 0660",
				 text);
	return STATUS_OK;
}

/* INVALID when it is not the path of a file, or an option is not valid. */
static enum status sqlite_read_url(const struct db_url *url, struct sqlite_settings *settings,
				   struct error *error)
{
	enum status status = check_options(url, error);

	if (status == STATUS_OK)
		status = read_synchronous(url, &settings->synchronous, error);
	return status == STATUS_OK ? read_mode(url, &settings->mode, error) : status;
}

/* Makes the directories above the file. If that fails, opening the file reports it. */
static enum status sqlite_make_parent(const char *path, struct error *error)
{
	char directory[4096];

	if ((size_t)snprintf(directory, sizeof(directory), "%s", path) >= sizeof(directory))
		return error_set(error, STATUS_INVALID, "sqlite3: the path is too long");
	for (char *slash = strchr(directory + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(directory, 0777); /* if this fails, opening the file reports it */
		*slash = '/';
	}
	return STATUS_OK;
}

/* The target of a link, seen from its own folder; false when it is no link. */
static bool read_link(const char *path, char target[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	char said[PATH_MAX];
	ssize_t length = readlink(path, said, sizeof(said));

	if (length <= 0 || (size_t)length >= sizeof(said))
		return false;
	int folder = slash && said[0] != '/' ? (int)(slash - path) + 1 : 0;
	int whole = snprintf(target, PATH_MAX, "%.*s%.*s", folder, path, (int)length, said);
	return whole > 0 && whole < PATH_MAX;
}

/*
 * Makes the file with exactly this mode, because jobs' arguments are in it. SQLite gives its log
 * the same mode. An existing file stays as it is. If this fails, opening the file reports it.
 *
 * mknod opens nothing: closing would drop the locks of other threads on the same file. A link whose
 * target does not exist is followed, as SQLite does.
 */
static void sqlite_make_file(const char *path, unsigned mode)
{
	char names[2][PATH_MAX];

	for (int i = 0; mknod(path, S_IFREG | 0600, 0) != 0; i++) {
		if (errno != EEXIST || i >= LINKS || !read_link(path, names[i % 2]))
			return;
		path = names[i % 2];
	}
	if (mode != 0600)
		(void)!fchmodat(AT_FDCWD, path, mode, AT_SYMLINK_NOFOLLOW); /* whatever the umask */
}

/* INVALID when the file's folder does not exist. */
static enum status sqlite_find_parent(const char *path, bool of_rails, struct error *error)
{
	const char *slash = strrchr(path, '/');
	char folder[4096];

	if (!slash || slash == path)
		return STATUS_OK;
	if ((size_t)snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path) >=
	    sizeof(folder))
		return error_set(error, STATUS_INVALID, "sqlite3: the path is too long");
	if (access(folder, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR))
		return STATUS_OK;
	return error_set(error, STATUS_INVALID,
			 "sqlite3:%s: there is no folder %s; '%s' creates it", path, folder,
			 of_rails ? "bin/rails db:prepare" : "dray db migrate --create-folders");
}

/* INVALID when the file certainly does not exist; opening it reports any other problem. */
static enum status sqlite_find_file(const char *path, bool of_rails, struct error *error)
{
	if (access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR))
		return STATUS_OK;
	return error_set(error, STATUS_INVALID, "there is no database sqlite3:%s; '%s' creates it",
			 path, of_rails ? "bin/rails db:prepare" : "dray db migrate");
}

/* the write-ahead log */

/* When the log starts over, its file is cut to this length. */
#define SQLITE_LOG_PRAGMA "PRAGMA journal_size_limit=16777216"

struct sqlite_log {
	int longest;       /* pages at which it next waits for readers */
	int64_t *patience; /* of the connection's busy handler, microseconds */
};

#define OFTEN   1000 /* pages: SQLite's own default */
#define LONGEST 8000 /* pages: 32 MB */
#define WAIT    (200 * CLOCK_MILLISECOND)

static int committed(void *context, sqlite3 *handle, const char *name, int pages)
{
	struct sqlite_log *log = context;

	if (pages < OFTEN)
		return SQLITE_OK;
	if (pages < log->longest) {
		(void)sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, NULL,
						NULL);
		return SQLITE_OK;
	}
	const int64_t patience = *log->patience;
	*log->patience = patience < WAIT ? patience : WAIT;
	int code = sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	*log->patience = patience;
	log->longest = code == SQLITE_OK ? LONGEST : pages + LONGEST;
	return SQLITE_OK; /* the transaction is committed, whether this worked or not */
}

/*
 * Called after every commit instead of SQLite's own checkpoints. Does what they do; in addition,
 * when readers have kept the log from starting over until it is long, waits for them once for a
 * short time, in which nothing can be written. `log` belongs to the connection.
 */
static void sqlite_log_watch(sqlite3 *handle, struct sqlite_log *log)
{
	log->longest = LONGEST;
	(void)sqlite3_wal_hook(handle, committed, log);
}

/*
 * For a full disk: moves the log's content into the database and frees its space. A log is mostly
 * one page written many times, so this finds space even when the disk has none.
 */
static void sqlite_log_give_back(sqlite3 *handle)
{
	(void)sqlite3_wal_checkpoint_v2(handle, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
}

/* ids that have come to their end */

#define ALMOST_LAST "9223372036853775807"
#define LAST        "9223372036854775807"

/*
 * After SQLITE_FULL: is that because the table that the statement inserts into has no ids left,
 * rather than for want of space?
 *
 * What the statement has inserted is undone by now: an id close to the end counts as the last.
 */
static bool sqlite_out_of_ids(sqlite3 *handle, const char *sql)
{
	char table[SERIAL_TABLE_SIZE];
	sqlite3_stmt *prepared = NULL;

	serial_table(sql, table);
	char *question = sqlite3_mprintf(
		"SELECT 1 WHERE (SELECT seq FROM sqlite_sequence WHERE name = %Q) > " ALMOST_LAST
		" OR (SELECT max(rowid) FROM \"%w\") = " LAST,
		table, table);
	bool found = question &&
		     sqlite3_prepare_v2(handle, question, -1, &prepared, NULL) == SQLITE_OK &&
		     sqlite3_step(prepared) == SQLITE_ROW;
	sqlite3_finalize(prepared);
	sqlite3_free(question);
	return found;
}

/* the connection */

struct sqlite {
	struct connection base;
	sqlite3 *handle;
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
	driver_waits(sqlite->base.waiting);
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

	for (unsigned i = 0; i < connection->prepared_size; i++)
		sqlite3_finalize(connection->prepared[i]);
	free(connection->prepared);
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
	sqlite->base.waiting = options->waiting;
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

/* statements */

static enum status prepare(struct sqlite *sqlite, const struct statement *statement,
			   sqlite3_stmt **prepared, struct error *error)
{
	void **kept = serial_prepared(&sqlite->base, statement->id);
	*prepared = *kept;
	if (!*prepared &&
	    sqlite3_prepare_v3(sqlite->handle, statement->sql, -1, SQLITE_PREPARE_PERSISTENT,
			       prepared, NULL) != SQLITE_OK)
		return fail(sqlite, "prepare", error);
	*kept = *prepared;
	return STATUS_OK;
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
	case DB_UNSET:
	case DB_NULL:
	case DB_IDS: /* list_bind */
	case DB_TEXTS:
	case DB_ROWS:
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

/* transactions, migrations, and the driver */

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
