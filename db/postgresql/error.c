#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "db/postgresql/driver.h"

struct rule {
	const char *sqlstate; /* a whole code or its first characters */
	enum status status;
	bool broken; /* a new connection is needed */
};

/* The first rule that matches wins, so a code comes before its class. */
static const struct rule rules[] = {
	{ "08", STATUS_DOWN, true },         { "09", STATUS_CONFLICT, false }, /* a trigger */
	{ "22", STATUS_INVALID, false },     { "23503", STATUS_CONFLICT, false },
	{ "23505", STATUS_CONFLICT, false }, { "23P01", STATUS_CONFLICT, false },
	{ "23", STATUS_INVALID, false }, /* NOT NULL, CHECK: the data is refused */
	{ "25006", STATUS_DOWN, true },  /* a replica: the primary is elsewhere */
	{ "25P03", STATUS_DOWN, true },  /* idle in transaction for too long */
	{ "25P04", STATUS_DOWN, true },  /* transaction_timeout */
	{ "25", STATUS_FATAL, true }, /* a state that we should not be in: give the connection up */
	{ "26000", STATUS_RETRY, false }, /* no such prepared statement; see use_unnamed */
	{ "27", STATUS_CONFLICT, false }, /* a trigger has changed the row */
	{ "28", STATUS_FATAL, true },     /* password, pg_hba.conf */
	{ "40001", STATUS_RETRY, false },    { "40002", STATUS_CONFLICT, false },
	{ "40", STATUS_RETRY, false },    /* deadlock */
	{ "42P05", STATUS_RETRY, false }, /* prepared already; see use_unnamed */
	{ "53300", STATUS_DOWN, true },   /* too many connections */
	{ "53", STATUS_RETRY, false },    /* disk or memory is full: may pass */
	{ "54", STATUS_INVALID, false },  /* too long for an index, too many columns */
	{ "55006", STATUS_RETRY, false }, /* object in use */
	{ "55P03", STATUS_RETRY, false }, /* lock_timeout */
	{ "57014", STATUS_RETRY, false }, /* statement_timeout, or cancelled by hand */
	{ "57", STATUS_DOWN, true },      /* shutting down, starting up, terminated */
	{ "58030", STATUS_RETRY, false }, /* I/O error */
	{ "72", STATUS_RETRY, false },    /* snapshot too old */
	{ "P0", STATUS_CONFLICT, false }, /* raised by a trigger */
};

enum status postgresql_status(const char *sqlstate, bool *broken)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (strncmp(rules[i].sqlstate, sqlstate, strlen(rules[i].sqlstate)) == 0) {
			*broken = rules[i].broken;
			return rules[i].status;
		}
	}
	*broken = false;
	return STATUS_FATAL;
}

/* Makes one line: a line's end becomes "; ", any other run of white space one space. */
static void flatten(const char *text, char *out, size_t size)
{
	size_t at = 0;

	for (; *text && at + 2 < size; text++) {
		if (!isspace((unsigned char)*text)) {
			out[at++] = *text;
		} else if (at > 0 && out[at - 1] != ' ') {
			if (*text == '\n')
				out[at++] = ';';
			out[at++] = ' ';
		}
	}
	while (at > 0 && (out[at - 1] == ' ' || out[at - 1] == ';'))
		at--;
	out[at] = '\0';
}

enum status postgresql_broken(struct postgresql *pg, const char *why, struct error *error)
{
	char text[600];

	/* libpq's first line says what happened, the others guess what that "probably means". */
	(void)snprintf(text, sizeof(text), "%s", pg->notice[0] ? pg->notice : why);
	text[strcspn(text, "\n")] = '\0';
	pg->base.broken = true;
	return error_set(error, STATUS_DOWN, "the connection to PostgreSQL was lost: %s", text);
}

/*
 * A pooler that gives every transaction another server connection, while the URL lacks
 * prepared_statements=false: the statements we prepared are on another connection. From now on none
 * are prepared.
 */
static void use_unnamed(struct postgresql *pg, const char *sqlstate)
{
	if (strcmp(sqlstate, "26000") == 0 || strcmp(sqlstate, "42P05") == 0)
		pg->unnamed = true;
}

/*
 * A table changed under a prepared statement (a migration): only a new connection gets rid of it.
 */
static bool stale_plan(const PGresult *result, const char *sqlstate)
{
	const char *function = PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION);

	return strcmp(sqlstate, "0A000") == 0 && function &&
	       strcmp(function, "RevalidateCachedQuery") == 0;
}

/*
 * The sequence has no number left, or one that the column cannot hold: nothing else of ours makes
 * an integer of a bigint.
 */
static bool out_of_ids(const PGresult *result, const char *sqlstate)
{
	const char *function = PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION);

	return strcmp(sqlstate, "2200H") == 0 ||
	       (strcmp(sqlstate, "22003") == 0 && function && strcmp(function, "int84") == 0);
}

/*
 * An error of the statement alone: a server that shuts down or ends the session says FATAL, and one
 * without room (53) or whose disk fails (58) would say the same of any row.
 */
static bool goes_on(const struct postgresql *pg, const PGresult *result, const char *sqlstate)
{
	const char *severity = PQresultErrorField(result, PG_DIAG_SEVERITY_NONLOCALIZED);

	return severity && strcmp(severity, "ERROR") == 0 &&
	       PQstatus(pg->handle) == CONNECTION_OK && strncmp(sqlstate, "53", 2) != 0 &&
	       strncmp(sqlstate, "58", 2) != 0;
}

static enum status classify(struct postgresql *pg, const PGresult *result, const char *sqlstate)
{
	bool broken = false;
	enum status status = postgresql_status(sqlstate, &broken);

	use_unnamed(pg, sqlstate);
	if (stale_plan(result, sqlstate)) {
		status = STATUS_DOWN;
		broken = true;
	}
	if (PQstatus(pg->handle) == CONNECTION_BAD) {
		broken = true;
		if (status == STATUS_RETRY)
			status = STATUS_DOWN;
	}
	if (broken)
		pg->base.broken = true;
	return status;
}

enum status postgresql_failure(struct postgresql *pg, const char *what, const PGresult *result,
			       struct error *error)
{
	const char *sqlstate = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
	char message[600];
	char more[300] = "";

	if (!sqlstate) {
		enum status status = postgresql_broken(pg, PQresultErrorMessage(result), error);
		error_prefix(error, "%s", what);
		return status;
	}
	flatten(primary ? primary : "no message", message, sizeof(message));
	if (out_of_ids(result, sqlstate))
		return error_set(error, STATUS_FATAL, "%s: %s (%s): " DRIVER_OUT_OF_IDS, what,
				 message, sqlstate, sqlstate[4] == 'H' ? "its table" : "a table");
	if (detail && strncmp(sqlstate, "23", 2) == 0)
		flatten(detail, more, sizeof(more));
	enum status status =
		error_set(error, classify(pg, result, sqlstate), "%s: %s%s%s%s (%s)", what, message,
			  *more ? " (" : "", more, *more ? ")" : "", sqlstate);
	if (error)
		error->answered = goes_on(pg, result, sqlstate);
	return status;
}

/* "FATAL:  28P01: password authentication failed": the code, or NULL. */
static const char *line_sqlstate(const char *line, size_t length)
{
	for (size_t i = 0; i + 9 < length; i++) {
		const char *code = line + i + 3;
		if (strncmp(line + i, ":  ", 3) == 0 &&
		    strspn(code, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 5 && code[5] == ':')
			return code;
	}
	return NULL;
}

/* libpq's words for a server that asks for the password in another way than it should. */
static const char unwanted_login[] = "authentication method requirement";

/* Would another attempt with the same URL and password get the same answer? */
static bool line_final(const char *line, size_t length)
{
	const char *sqlstate = line_sqlstate(line, length);
	bool broken;

	if (!sqlstate)
		return strncmp(line, "invalid ", 8) == 0 ||
		       strncmp(line, "could not match ", 16) == 0 ||
		       memmem(line, length, unwanted_login, strlen(unwanted_login));
	enum status status = postgresql_status(sqlstate, &broken);
	return (status == STATUS_FATAL || status == STATUS_INVALID) &&
	       strncmp(sqlstate, "XX", 2) != 0;
}

static bool is_remark(const char *line)
{
	return strncmp(line, "DETAIL:", 7) == 0 || strncmp(line, "HINT:", 5) == 0;
}

static const char *advice_on(const char *message)
{
	if (strstr(message, "startup parameter"))
		return " (for a pooler add prepared_statements=false to the url)";
	if (strstr(message, unwanted_login))
		return " (verify the server with sslmode=verify-full and sslrootcert, or allow it "
		       "with require_auth=password)";
	return "";
}

enum status postgresql_refusal(const PGconn *handle, struct error *error)
{
	const char *line = PQerrorMessage(handle);
	char text[ERROR_TEXT_SIZE] = "";
	char flat[ERROR_TEXT_SIZE];
	bool final = *line != '\0';

	for (size_t length = 0; *line; line += length) {
		length = strcspn(line, "\n");
		length += line[length] == '\n';
		if (strncmp(line, "LOCATION:", 9) == 0)
			continue;
		final = final && (is_remark(line) || line_final(line, length));
		size_t used = strlen(text);
		if (length < sizeof(text) - used)
			snprintf(text + used, sizeof(text) - used, "%.*s", (int)length, line);
		/* libpq tries with and without TLS, and gets the same answer twice. */
		if (strstr(text, text + used) != text + used)
			text[used] = '\0';
	}
	flatten(text, flat, sizeof(flat));
	const char *advice = advice_on(flat);
	final = final || *advice || PQconnectionNeedsPassword(handle);
	return error_set(error, final ? STATUS_INVALID : STATUS_DOWN, "PostgreSQL: %s%s",
			 *flat ? flat : "the connection was refused", advice);
}
