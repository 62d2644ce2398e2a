/*
 * The PostgreSQL driver: a connection with its session named, so that it can be ended when it was
 * lost while committing; plain statements for migrations, which have no pipeline; and the lock that
 * serialises these.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "db/postgresql/driver.h"

/* the server's sessions by name: the process ID and its start time, since IDs are used again */

#define NAME "pid::text || '/' || extract(epoch FROM backend_start)::text"

static const char name_sql[] =
	"SELECT " NAME " FROM pg_stat_activity WHERE pid = pg_backend_pid() AND $1 = ''";

/*
 * Identifies the data: a cluster keeps its identifier when it is copied, but a replica that is
 * promoted begins another timeline, with what it had received until then.
 */
static const char identity_sql[] =
	"SELECT system_identifier::text || '/' || CASE WHEN pg_is_in_recovery() THEN 'replica'"
	" ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END"
	" FROM pg_control_system() WHERE $1 = ''";

/*
 * The sessions may be ended while they still work: their client never got an answer, and looks when
 * they are over. But one that waits for a replica has committed.
 */
static const char over_sql[] =
	"SELECT count(CASE WHEN wait_event IS DISTINCT FROM 'SyncRep'"
	" THEN pg_terminate_backend(pid) END) * 0 + count(*)"
	" FROM pg_stat_activity WHERE " NAME " = ANY (string_to_array($1, ','))";

static void copy_cell(const PGresult *result, char *cell, size_t size)
{
	if (PQresultStatus(result) == PGRES_TUPLES_OK && PQntuples(result) > 0)
		(void)snprintf(cell, size, "%s", PQgetvalue(result, 0, 0));
}

static enum status take_cell(struct postgresql *pg, char *cell, size_t size, struct error *error)
{
	enum status first = STATUS_OK;

	for (;;) {
		PGresult *result = NULL;
		enum status status = postgresql_result(pg, &result, error);
		if (status != STATUS_OK || !result)
			return status != STATUS_OK ? status : first;
		if (PQresultStatus(result) != PGRES_TUPLES_OK)
			first = postgresql_failure(pg, "session", result, error);
		copy_cell(result, cell, size);
		PQclear(result);
	}
}

/* The first cell of a query with one parameter, in a round trip outside of any pipeline. */
static enum status ask(struct postgresql *pg, const char *sql, const char *parameter,
		       char cell[static 64], struct error *error)
{
	enum status status = postgresql_alive(pg, error);

	if (status != STATUS_OK)
		return status;
	postgresql_start(pg);
	if (!PQexitPipelineMode(pg->handle) ||
	    !PQsendQueryParams(pg->handle, sql, 1, NULL, &parameter, NULL, NULL, 0))
		return postgresql_broken(pg, PQerrorMessage(pg->handle), error);
	status = take_cell(pg, cell, 64, error);
	if (!pg->base.broken && !PQenterPipelineMode(pg->handle))
		pg->base.broken = true;
	return status;
}

/*
 * Sets base.session, or leaves it empty if the server does not report it. Not OK: broken.
 *
 * Behind a pooler the process that answers is a different one each time, and serves other clients,
 * too.
 */
static enum status name_session(struct postgresql *pg, struct error *error)
{
	char name[64] = "";
	enum status status = ask(pg, name_sql, "", name, error);

	if (strtol(name, NULL, 10) == PQbackendPID(pg->handle))
		(void)snprintf(pg->base.session, sizeof(pg->base.session), "%s", name);
	return pg->base.broken ? status : STATUS_OK;
}

/*
 * Sets base.identity, or leaves it empty if the server does not report it. Not OK: broken.
 *
 * Some hosting providers do not permit this query.
 */
static enum status identify(struct postgresql *pg, struct error *error)
{
	char identity[64] = "";
	enum status status = ask(pg, identity_sql, "", identity, error);

	(void)snprintf(pg->base.identity, sizeof(pg->base.identity), "%s", identity);
	return pg->base.broken ? status : STATUS_OK;
}

/* driver->sessions_over. Any role may see and end its own sessions. */
static enum status sessions_over(struct connection *connection, const char *names, bool *over,
				 struct error *error)
{
	char left[64] = "";
	enum status status = ask((struct postgresql *)connection, over_sql, names, left, error);

	if (status == STATUS_OK)
		*over = strcmp(left, "0") == 0;
	return status;
}

/* the connection */

#define MAXIMUM_NAME 63 /* bytes, in every normal build of PostgreSQL */

/* Any constant will do, as long as every dray uses the same one: "dray" and a number. */
#define MIGRATION_LOCK "7237970109966541313"

/*
 * A server that ends an idle session announces it first; libpq passes that on as a notice. The
 * session counts as over as soon as that is read, even if its end has not arrived yet.
 */
static void take_notice(void *context, const PGresult *result)
{
	struct postgresql *pg = context;
	const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);
	const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	bool fatal = severity && (strcmp(severity, "FATAL") == 0 || strcmp(severity, "PANIC") == 0);
	bool leaving = sqlstate && strncmp(sqlstate, "57", 2) == 0;

	if (fatal)
		pg->base.broken = true;
	if (sqlstate && strcmp(sqlstate, "25P01") == 0) /* as a warning about COMMIT */
		pg->outside = true;
	if ((fatal || leaving) && message)
		(void)snprintf(pg->notice, sizeof(pg->notice), "%s", message);
}

static void read_server(struct postgresql *pg)
{
	const char *version = PQparameterStatus(pg->handle, "server_version");

	if (!version)
		version = "";
	snprintf(pg->base.server, sizeof(pg->base.server), "PostgreSQL %.*s",
		 (int)strcspn(version, " "), version);
}

static enum status name_both(struct postgresql *pg, struct error *error)
{
	enum status status = name_session(pg, error);

	return status == STATUS_OK ? identify(pg, error) : status;
}

static enum status set_up(struct postgresql *pg, struct error *error)
{
	read_server(pg);
	(void)PQsetNoticeReceiver(pg->handle, take_notice, pg);
	if (PQsetnonblocking(pg->handle, 1) == 0 && PQenterPipelineMode(pg->handle))
		return name_both(pg, error);
	return postgresql_broken(pg, PQerrorMessage(pg->handle), error);
}

static void postgresql_close(struct connection *connection)
{
	struct postgresql *pg = (struct postgresql *)connection;

	PQfinish(pg->handle);
	arena_free(pg->scratch);
	arena_free(pg->arena);
}

/* The server would cut a longer name, and then not find it. */
static enum status check_schema(const char *schema, struct error *error)
{
	size_t length = schema ? strlen(schema) : 1;

	if (length > 0 && length <= MAXIMUM_NAME)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID,
			 "database schema: its name has %zu bytes, expected 1 to %d", length,
			 MAXIMUM_NAME);
}

static enum status postgresql_open(struct connection **connection, const struct db_url *url,
				   const struct db_options *options, struct error *error)
{
	enum status valid = check_schema(options->schema, error);
	if (valid != STATUS_OK)
		return valid;
	struct arena *arena = arena_new();
	struct postgresql *pg = arena_alloc(arena, sizeof(*pg));

	pg->arena = arena;
	pg->scratch = arena_new();
	pg->base.driver = &postgresql_driver;
	pg->base.waiting = options->waiting;
	pg->base.no_skip_locked = options->no_skip_locked;
	pg->one_plan = options->one_plan;
	pg->base.call_timeout =
		options->call_timeout > 0 ? options->call_timeout : 30 * CLOCK_SECOND;
	enum status status = postgresql_connect(pg, url, options, error);
	if (status == STATUS_OK)
		status = set_up(pg, error);
	if (status != STATUS_OK) {
		postgresql_close(&pg->base);
		return status;
	}
	*connection = &pg->base;
	return STATUS_OK;
}

/* Reads all results of a simple query; the first failure counts. */
static enum status simple_results(struct postgresql *pg, const char *what, struct error *error)
{
	enum status first = STATUS_OK;

	for (;;) {
		PGresult *result = NULL;
		struct error broken;
		enum status status = postgresql_result(pg, &result, &broken);
		if (status != STATUS_OK)
			return first != STATUS_OK ? first
						  : error_set(error, status, "%s", broken.text);
		if (!result)
			return first;
		ExecStatusType kind = PQresultStatus(result);
		if (kind != PGRES_COMMAND_OK && kind != PGRES_TUPLES_OK &&
		    kind != PGRES_EMPTY_QUERY && first == STATUS_OK)
			first = postgresql_failure(pg, what, result, error);
		PQclear(result);
	}
}

/* The protocol for several statements in one text has no pipeline. */
static enum status simple(struct postgresql *pg, const char *what, const char *sql,
			  struct error *error)
{
	enum status status = postgresql_alive(pg, error);

	if (status != STATUS_OK)
		return status;
	postgresql_start(pg);
	if (!PQexitPipelineMode(pg->handle) || !PQsendQuery(pg->handle, sql))
		return postgresql_broken(pg, PQerrorMessage(pg->handle), error);
	status = simple_results(pg, what, error);
	if (!pg->base.broken && !PQenterPipelineMode(pg->handle))
		pg->base.broken = true;
	return status;
}

static enum status postgresql_execute(struct connection *connection, const char *sql,
				      struct error *error)
{
	return simple((struct postgresql *)connection, "execute", sql, error);
}

static enum status postgresql_unlock(struct connection *connection, bool commit,
				     struct error *error)
{
	struct postgresql *pg = (struct postgresql *)connection;
	bool failed = PQtransactionStatus(pg->handle) == PQTRANS_INERROR;
	enum status status = postgresql_alive(pg, error);

	pg->locked = false;
	if (status != STATUS_OK)
		return status;
	status = simple(pg, "unlock", commit ? "COMMIT" : "ROLLBACK", error);
	if (status == STATUS_DOWN && commit)
		return error_set(error, STATUS_UNCERTAIN,
				 "unlock: the connection to PostgreSQL was lost while committing");
	if (status == STATUS_OK && commit && failed)
		return error_set(error, STATUS_FATAL,
				 "unlock: rolled back, because a statement had failed");
	return status;
}

static enum status postgresql_lock(struct connection *connection, struct error *error)
{
	struct postgresql *pg = (struct postgresql *)connection;
	struct error ignored;
	enum status status = simple(pg, "lock",
				    "BEGIN ISOLATION LEVEL READ COMMITTED;" POSTGRESQL_SET_LOCAL
				    ";SELECT pg_advisory_xact_lock(" MIGRATION_LOCK ")",
				    error);

	pg->locked = status == STATUS_OK;
	if (status != STATUS_OK && !pg->base.broken &&
	    simple(pg, "lock", "ROLLBACK", &ignored) != STATUS_OK)
		pg->base.broken = true;
	return status;
}

#ifdef DRAY_FAULTS
static int postgresql_socket(const struct connection *connection)
{
	return PQsocket(((const struct postgresql *)connection)->handle);
}
#endif

const struct driver postgresql_driver = {
	.name = "postgresql",
	.dialect = DB_POSTGRESQL,
	.check = postgresql_check,
	.open = postgresql_open,
	.run = postgresql_run,
	.execute = postgresql_execute,
	.lock = postgresql_lock,
	.unlock = postgresql_unlock,
	.sessions_over = sessions_over,
	.close = postgresql_close,
#ifdef DRAY_FAULTS
	.socket = postgresql_socket,
#endif
};
