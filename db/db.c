/*
 * One connection: which server it has reached, the server's time, what runs on it, and what runs
 * again.
 *
 * An operation is rendered for the server at its first use and runs in one transaction. The retry
 * loop here is the only one of the program: RETRY is repeated until a deadline, DOWN gets one new
 * connection, and to wait for a server that is away is left to the caller. UNCERTAIN is never
 * repeated: the caller looks at the database first, once db_settled says that the session of the
 * lost connection can no longer commit.
 */
#include "db/db.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/clock.h"
#include "common/invariant.h"
#include "common/text/uuid.h"
#include "db/driver.h"
#include "db/operations.h"
#include "db/scripts/dialect.h"
#include "db/server_clock.h"

/*
 * which server
 *
 * A different one than before may lack what that one had confirmed: a replica that was promoted, a
 * node of a cluster, a restored backup under the same address.
 */

struct identity {
	char text[128]; /* of the last server that reported it; "" = none yet */
	unsigned met;   /* how often it differed from the one before */
};

/* The server of a new connection; "" = it does not report its identity. */
static void see_identity(struct identity *identity, const char *text)
{
	if (!*text || strcmp(identity->text, text) == 0)
		return;
	if (*identity->text)
		identity->met++;
	(void)snprintf(identity->text, sizeof(identity->text), "%s", text);
}

/*
 * the server's sessions that connections left behind when they broke during a commit
 *
 * The server may not even have read what it was sent, and may commit after we looked; so nothing
 * looks before these sessions are over.
 */

struct abandoned {
	char names[256]; /* comma-separated */
	bool unnamed;    /* one had no name, or there was no room for its name */
	int64_t at;      /* of the latest, clock_monotonic */
};

#define UNNAMED_WAIT (2 * CLOCK_SECOND) /* for a server to read what it was sent */

/* Remembers the connection's session, if the driver needs that. */
static void abandoned_add(struct abandoned *abandoned, const struct connection *connection)
{
	size_t length = strlen(abandoned->names);
	size_t room = sizeof(abandoned->names) - length;

	if (!connection->driver->sessions_over)
		return;
	abandoned->at = clock_monotonic();
	if (!*connection->session || strlen(connection->session) + 2 > room) {
		abandoned->unnamed = true;
		return;
	}
	(void)snprintf(abandoned->names + length, room, "%s%s", length > 0 ? "," : "",
		       connection->session);
}

static bool abandoned_any(const struct abandoned *abandoned)
{
	return abandoned->unnamed || *abandoned->names;
}

/* A server that does not report its sessions: only time can tell. */
static enum status name_over(struct abandoned *abandoned, struct connection *connection, bool *over,
			     struct error *error)
{
	enum status status =
		connection->driver->sessions_over(connection, abandoned->names, over, error);

	if (status == STATUS_OK || connection->broken || status == STATUS_RETRY)
		return status;
	abandoned->unnamed = true;
	*over = true;
	return STATUS_OK;
}

/*
 * Asks over another connection, and ends sessions where that is possible. OK: all are over and
 * forgotten. UNCERTAIN: not yet, or not known yet. Sessions without a name are given some seconds.
 */
static enum status abandoned_settle(struct abandoned *abandoned, struct connection *connection,
				    struct error *error)
{
	bool over = true;
	enum status status = STATUS_OK;

	if (*abandoned->names)
		status = name_over(abandoned, connection, &over, error);
	if (status != STATUS_OK)
		return status;
	if (!over)
		return error_set(error, STATUS_UNCERTAIN,
				 "the session of the lost connection is still open");
	abandoned->names[0] = '\0';
	if (abandoned->unnamed && clock_monotonic() - abandoned->at < UNNAMED_WAIT)
		return error_set(error, STATUS_UNCERTAIN,
				 "the session of the lost connection may still be open");
	*abandoned = (struct abandoned){ 0 };
	return STATUS_OK;
}

/* what connecting needs besides a driver */

/* A copy in the arena with its defaults filled in; NULL = all of them. */
static struct db_options copy_options(struct arena *arena, const struct db_options *options,
				      const struct db_url *url)
{
	struct db_options own = { 0 };

	if (options)
		own = *options;
	own.schema = own.schema ? arena_strdup(arena, own.schema) : url_schema(arena, url);
	if (own.password_file)
		own.password_file = arena_strdup(arena, own.password_file);
	if (own.connect_timeout <= 0)
		own.connect_timeout = 5 * CLOCK_SECOND;
	if (own.call_timeout <= 0)
		own.call_timeout = 30 * CLOCK_SECOND;
	if (own.retry_for == 0)
		own.retry_for = 10 * CLOCK_SECOND;
	return own;
}

/*
 * For a refusal by a server that once accepted us: DOWN. It may accept us again, when a change of
 * passwords is complete or a file is back.
 */
static enum status away(enum status status, struct error *error)
{
	if (status != STATUS_INVALID && status != STATUS_FATAL)
		return status;
	if (error)
		error->status = STATUS_DOWN;
	return STATUS_DOWN;
}

/* the rows of an operation */

const char *db_text(const struct db_rows *rows, size_t row, size_t column)
{
	return rows->cells[row * rows->columns + column];
}

bool db_is_null(const struct db_rows *rows, size_t row, size_t column)
{
	return !db_text(rows, row, column);
}

int64_t db_int(const struct db_rows *rows, size_t row, size_t column)
{
	const char *text = db_text(rows, row, column);

	if (!text)
		return 0;
	if (text[0] == 't' || text[0] == 'f') /* PostgreSQL's booleans */
		return text[0] == 't';
	return strtoll(text, NULL, 10);
}

int64_t db_time(const struct db_rows *rows, size_t row, size_t column)
{
	const char *text = db_text(rows, row, column);
	int64_t instant = 0;

	if (!text || clock_parse(text, &instant) != STATUS_OK)
		return 0;
	return instant;
}

/* the connection */

struct db {
	const struct driver *driver;
	struct connection *connection; /* NULL while disconnected */
	struct arena *arena;           /* lives as long as this struct: url, options, scripts */
	struct db_url url;
	struct db_options options;
	struct scripts scripts;
	char server[64];
	struct server_clock clock;
	int64_t clock_skew;
	struct abandoned abandoned;
	struct identity identity;
	bool wary;    /* a change of servers is reported before anything runs */
	bool refused; /* the last run failed */
	bool running; /* a run that was abandoned (for want of memory) is lost, too */
	bool opened;  /* there has been a connection */
	bool locked;  /* between db_lock and db_unlock: a new connection would not have the lock */
	void (*between)(void *data);
	void *data;
	bool inside; /* while the callback of db_between runs */
	struct db_waiting waiting;
};

static enum status prepare_open(struct db *db, const char *url, const struct db_options *options,
				struct error *error)
{
	enum status status = url_parse(db->arena, arena_strdup(db->arena, url), &db->url, error);
	if (status != STATUS_OK)
		return status;
	db->options = copy_options(db->arena, options, &db->url);
	db->options.waiting = &db->waiting;
	return driver_find(db->url.scheme, &db->driver, error);
}

/* The answer was made at some time between before and after: take the middle. */
static enum status measure_clock(struct db *db, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	struct driver_call call = { .rows = &rows };
	enum status status = scripts_find(&db->scripts, "clock", &call.script, error);
	int64_t before = clock_monotonic();

	if (status == STATUS_OK)
		status = db->driver->run(db->connection, arena, &call, 1, error);
	int64_t after = clock_monotonic();
	if (status == STATUS_OK) {
		server_clock_measured(&db->clock, db_int(&rows, 0, CLOCK_MICROSECONDS), before,
				      after);
		db->clock_skew = clock_wall() - (after + db->clock.offset);
	}
	arena_free(arena);
	return status;
}

static enum status connect_now(struct db *db, struct error *error)
{
	if (db->locked)
		return error_set(error, STATUS_DOWN, "the connection was lost while migrating");
	enum status status = db->driver->open(&db->connection, &db->url, &db->options, error);
	if (status != STATUS_OK) {
		db->connection = NULL;
		return db->opened ? away(status, error) : status;
	}
	db->options.must_exist = true;
	db->scripts.dialect = (struct dialect){ .kind = db->driver->dialect,
						.schema = db->options.schema,
						.collation = db->connection->collation,
						.no_skip_locked = db->options.no_skip_locked };
	snprintf(db->server, sizeof(db->server), "%s", db->connection->server);
	see_identity(&db->identity, db->connection->identity);
	status = measure_clock(db, error);
	if (status != STATUS_OK)
		db_disconnect(db);
	db->opened = db->opened || status == STATUS_OK;
	return status;
}

/* Connects again, for a run or to find out how one ended. */
static enum status reconnect(struct db *db, struct error *error)
{
	const unsigned met = db->identity.met;
	enum status status = connect_now(db, error);

	if (status == STATUS_OK && db->wary && db->identity.met != met)
		status = error_set(error, STATUS_DOWN,
				   "a different server answers than before: it may lack what the "
				   "other one confirmed");
	return status;
}

enum status db_open(struct db **out, const char *url, const struct db_options *options,
		    struct error *error)
{
	struct arena *arena = arena_new();
	struct db *db = arena_alloc(arena, sizeof(*db));
	db->arena = arena;
	db->scripts.arena = arena;
	enum status status = prepare_open(db, url, options, error);
	if (status == STATUS_OK)
		status = connect_now(db, error);
	if (status != STATUS_OK) {
		arena_free(arena);
		return status;
	}
	*out = db;
	return STATUS_OK;
}

void db_disconnect(struct db *db)
{
	if (db->connection && db->running)
		abandoned_add(&db->abandoned, db->connection);
	db->running = false;
	if (db->connection)
		db->driver->close(db->connection);
	db->connection = NULL;
}

void db_close(struct db *db)
{
	if (!db)
		return;
	db_disconnect(db);
	arena_free(db->arena);
}

bool db_same_name(const struct db *db, const char *a, const char *b, size_t length)
{
	bool folds = db && db_dialect_of(db) == DB_MYSQL;

	return (folds ? strncasecmp(a, b, length) : strncmp(a, b, length)) == 0;
}

enum db_dialect db_dialect_of(const struct db *db)
{
	return db->driver->dialect;
}

size_t db_text_maximum(const struct db *db)
{
	return db->driver->dialect == DB_MYSQL ? 65535 : SIZE_MAX;
}

const char *db_server(const struct db *db)
{
	return db->server;
}

int64_t db_retry_for(const struct db *db)
{
	return db->options.retry_for;
}

int64_t db_set_retry_for(struct db *db, int64_t retry_for)
{
	const int64_t before = db->options.retry_for;

	db->options.retry_for = retry_for;
	return before;
}

unsigned db_servers_met(const struct db *db)
{
	return db->identity.met;
}

bool db_refused(const struct db *db)
{
	return db->refused;
}

void db_be_wary(struct db *db)
{
	db->wary = true;
}

void db_between(struct db *db, void (*call)(void *data), void *data)
{
	db->between = call;
	db->data = data;
}

void db_while_waiting(struct db *db, void (*call)(void *data), void *data)
{
	db->waiting = (struct db_waiting){ .call = call, .data = data };
}

const struct db_options *db_options_of(const struct db *db)
{
	return &db->options;
}

int64_t db_now(struct db *db)
{
	return server_clock_now(&db->clock, clock_monotonic());
}

int64_t db_clock_skew(const struct db *db)
{
	return db->clock_skew;
}

enum status db_sync_clock(struct db *db, struct error *error)
{
	if (!db->connection)
		return connect_now(db, error);
	enum status status = measure_clock(db, error);
	if (!db->connection->broken)
		return status;
	/*
	 * The server may only have closed an idle connection. A new one measures the clock itself.
	 */
	db_disconnect(db);
	return db->locked ? status : connect_now(db, error);
}

/* what runs, and what runs again */

struct run {
	struct db *db;
	struct arena *arena;
	struct driver_call *calls;
	size_t count;
	int64_t deadline;
	bool reconnected;
	unsigned tries;
};

static enum status run_once(struct run *run, struct error *error)
{
	struct db *db = run->db;

	if (db->connection && db->connection->broken)
		db_disconnect(db);
	if (!db->connection) {
		run->reconnected = true;
		enum status status = reconnect(db, error);
		if (status != STATUS_OK)
			return status;
		INVARIANT(db->connection);
	}
	for (size_t i = 0; i < run->count; i++) {
		run->calls[i].none = false;
		*run->calls[i].rows = (struct db_rows){ 0 };
	}
	db->running = true;
	enum status status =
		db->driver->run(db->connection, run->arena, run->calls, run->count, error);
	db->running = status == STATUS_UNCERTAIN;
	if (db->connection && db->connection->broken)
		db_disconnect(db);
	return status;
}

/*
 * RETRY: again after a short random pause, until the deadline. DOWN: the server may have closed an
 * idle connection, so one new connection is tried at once; to wait for a server that is really away
 * is left to the caller, because only the caller has other work to do meanwhile.
 */
static bool again(struct run *run, enum status status)
{
	if (status == STATUS_DOWN)
		return !run->reconnected;
	if (status != STATUS_RETRY || clock_monotonic() >= run->deadline)
		return false;
	unsigned shift = run->tries < 6 ? run->tries : 6;
	run->tries++;
	clock_sleep((int64_t)random_below(UINT64_C(2000) << shift) + 100);
	return true;
}

/* Calls db_between's callback here, where no transaction is open. */
static void make_way(struct db *db)
{
	if (!db->between || db->inside || !db->connection || db->connection->broken)
		return;
	db->inside = true;
	db->between(db->data);
	db->inside = false;
}

static enum status run_all(struct run *run, struct error *error)
{
	enum status status;

	do {
		driver_waits(&run->db->waiting);
		make_way(run->db);
		status = run_once(run, error);
	} while (again(run, status));
	return status;
}

/* Every parameter has a value. Lists become texts once, however often the call runs. */
static enum status bind_values(const struct run *run, const struct db_call *call,
			       struct driver_call *bound, struct error *error)
{
	const struct script *script = bound->script;

	if (call->count != script->parameter_count)
		return error_set(error, STATUS_FATAL, "%s: %zu values for %u parameters",
				 script->name, call->count, script->parameter_count);
	for (unsigned i = 0; i < script->parameter_count; i++)
		if (call->values[i].type == DB_UNSET)
			return error_set(error, STATUS_FATAL, "%s: no value for parameter %s",
					 script->name, script->parameters[i]);
	bound->values = list_bind(run->arena, run->db->driver->dialect, call->values, call->count);
	return STATUS_OK;
}

enum status db_run(struct db *db, struct arena *arena, struct db_call *calls, size_t count,
		   struct error *error)
{
	struct driver_call *bound = arena_array(arena, count, sizeof(*bound));
	struct run run = { .db = db, .arena = arena, .calls = bound, .count = count };
	bool all_none = count > 0;

	db->refused = true;
	/* Rendering needs to know the server. */
	enum status status = db->connection ? STATUS_OK : reconnect(db, error);
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		bound[i] = (struct driver_call){ .rows = &calls[i].rows };
		status = scripts_find(&db->scripts, calls[i].operation, &bound[i].script, error);
		if (status == STATUS_OK)
			status = bind_values(&run, &calls[i], &bound[i], error);
	}
	if (status != STATUS_OK)
		return status;
	run.deadline = clock_monotonic() + db->options.retry_for;
	status = run_all(&run, error);
	for (size_t i = 0; i < count; i++) {
		calls[i].none = bound[i].none;
		all_none = all_none && bound[i].none;
	}
	db->refused = status != STATUS_OK;
	return status == STATUS_OK && all_none ? STATUS_NONE : status;
}

enum status db_query(struct db *db, struct arena *arena, struct db_call call, struct db_rows *rows,
		     struct error *error)
{
	enum status status = db_run(db, arena, &call, 1, error);

	if (rows && (status == STATUS_OK || status == STATUS_NONE))
		*rows = call.rows;
	return status;
}

struct db_call db_call_keep(struct arena *arena, struct db_call call)
{
	struct db_value *values = arena_array(arena, call.count + 1, sizeof(*values));

	if (call.count > 0)
		memcpy(values, call.values, call.count * sizeof(*values));
	call.values = values;
	return call;
}

size_t db_calls_add(struct db_calls *calls, struct db_call call)
{
	calls->list = arena_extend(calls->arena, calls->list, calls->count, sizeof(*calls->list));
	calls->list[calls->count] = db_call_keep(calls->arena, call);
	return calls->count++;
}

static enum status connected(struct db *db, struct error *error)
{
	if (db->connection && !db->connection->broken)
		return STATUS_OK;
	db_disconnect(db);
	return reconnect(db, error);
}

enum status db_settled(struct db *db, struct error *error)
{
	if (!abandoned_any(&db->abandoned))
		return STATUS_OK;
	enum status status = connected(db, error);

	return status == STATUS_OK ? abandoned_settle(&db->abandoned, db->connection, error)
				   : status;
}

enum status db_execute(struct db *db, const char *sql, struct error *error)
{
	enum status status = connected(db, error);

	return status == STATUS_OK ? db->driver->execute(db->connection, sql, error) : status;
}

enum status db_ask(struct db *db, struct arena *arena, const char *sql, struct db_rows *rows,
		   struct error *error)
{
	enum status status = connected(db, error);
	if (status != STATUS_OK)
		return status;
	struct driver_call call = { .rows = rows };
	*rows = (struct db_rows){ 0 };
	status = scripts_ask(&db->scripts, sql, &call.script, error);
	return status == STATUS_OK ? db->driver->run(db->connection, arena, &call, 1, error)
				   : status;
}

enum status db_lock(struct db *db, struct error *error)
{
	enum status status = connected(db, error);

	if (status == STATUS_OK)
		status = db->driver->lock(db->connection, error);
	db->locked = status == STATUS_OK;
	return status;
}

enum status db_unlock(struct db *db, bool commit, struct error *error)
{
	db->locked = false;
	if (!db->connection)
		return error_set(error, STATUS_DOWN, "the connection was lost while migrating");
	return db->driver->unlock(db->connection, commit, error);
}
