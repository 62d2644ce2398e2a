/*
 * The server's sessions by name: the process ID and its start time, since IDs are used again. Any
 * role may see and end its own sessions.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/postgresql/driver.h"

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
 * Behind a pooler the process that answers is a different one each time, and serves other clients,
 * too.
 */
enum status postgresql_name_session(struct postgresql *pg, struct error *error)
{
	char name[64] = "";
	enum status status = ask(pg, name_sql, "", name, error);

	if (strtol(name, NULL, 10) == PQbackendPID(pg->handle))
		(void)snprintf(pg->base.session, sizeof(pg->base.session), "%s", name);
	return pg->base.broken ? status : STATUS_OK;
}

/* Some hosting providers do not permit this query. */
enum status postgresql_identify(struct postgresql *pg, struct error *error)
{
	char identity[64] = "";
	enum status status = ask(pg, identity_sql, "", identity, error);

	(void)snprintf(pg->base.identity, sizeof(pg->base.identity), "%s", identity);
	return pg->base.broken ? status : STATUS_OK;
}

enum status postgresql_sessions_over(struct connection *connection, const char *names, bool *over,
				     struct error *error)
{
	char left[64] = "";
	enum status status = ask((struct postgresql *)connection, over_sql, names, left, error);

	if (status == STATUS_OK)
		*over = strcmp(left, "0") == 0;
	return status;
}
