#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "db/postgresql/driver.h"

#define MAXIMUM_HOSTS 32
#define NO_FILE       "/dev/null/none" /* a path that cannot exist */

/* The hosts still to be tried: comma-separated lists, in libpq's form. */
struct hosts {
	const char *host;
	const char *hostaddr;
	const char *port;
};

/*
 * A copy of the comma-separated list without its entry `at`; a list of one entry is left as it is.
 */
static const char *without(struct arena *arena, const char *list, size_t at)
{
	const char *start = list;

	if (!list || !strchr(list, ','))
		return list;
	for (size_t i = 0; i < at && strchr(start, ','); i++)
		start = strchr(start, ',') + 1;
	const char *end = strchr(start, ',');
	if (!end)
		return arena_strndup(arena, list, (size_t)(start - list) - 1);
	return arena_printf(arena, "%.*s%s", (int)(start - list), list, end + 1);
}

static size_t entries(const char *list)
{
	size_t count = list && *list ? 1 : 0;

	for (; list && *list; list++)
		count += *list == ',';
	return count;
}

/* Is entry `at` of the list (or its only entry) this text? An empty list matches anything. */
static bool entry_is(const char *list, size_t at, const char *text)
{
	if (!list || !*list || !text)
		return true;
	for (size_t i = 0; i < at && strchr(list, ','); i++)
		list = strchr(list, ',') + 1;
	size_t length = strcspn(list, ",");
	return length == strlen(text) && strncmp(list, text, length) == 0;
}

/* All hosts of the connection, wherever libpq found them: URL, service file, environment. */
static void read_hosts(struct postgresql *pg, struct hosts *hosts)
{
	PQconninfoOption *options = PQconninfo(pg->handle);
	const struct {
		const char *keyword;
		const char **list;
	} wanted[] = { { "host", &hosts->host },
		       { "hostaddr", &hosts->hostaddr },
		       { "port", &hosts->port } };

	for (PQconninfoOption *option = options; option && option->keyword; option++)
		for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
			if (option->val && strcmp(option->keyword, wanted[i].keyword) == 0)
				*wanted[i].list = arena_strdup(pg->arena, option->val);
	PQconninfoFree(options);
}

/*
 * libpq alone would wait for a silent host for ever and never try the next one: it is taken out of
 * the list, and the rest is tried anew. False when no host is left.
 */
static bool drop_host(struct postgresql *pg, struct hosts *hosts)
{
	*hosts = (struct hosts){ 0 };
	read_hosts(pg, hosts);
	const char *names = hosts->host && *hosts->host ? hosts->host : hosts->hostaddr;
	size_t count = entries(names);
	size_t at = 0;

	while (at + 1 < count && !(entry_is(names, at, PQhost(pg->handle)) &&
				   entry_is(hosts->port, at, PQport(pg->handle))))
		at++;
	hosts->host = without(pg->arena, hosts->host, at);
	hosts->hostaddr = without(pg->arena, hosts->hostaddr, at);
	hosts->port = without(pg->arena, hosts->port, at);
	return count > 1;
}

/* Goes on until libpq is done or the time of the present host is over. */
static enum status poll_connection(struct postgresql *pg, int64_t timeout,
				   PostgresPollingStatusType *state, struct error *error)
{
	const char *host = NULL;

	*state = PGRES_POLLING_WRITING;
	while (*state == PGRES_POLLING_READING || *state == PGRES_POLLING_WRITING) {
		if (PQhost(pg->handle) != host) {
			host = PQhost(pg->handle);
			pg->deadline = clock_monotonic() + timeout;
		}
		short events = *state == PGRES_POLLING_READING ? POLLIN : POLLOUT;
		enum status status = postgresql_wait(pg, events, error);
		if (status != STATUS_OK)
			return status;
		*state = PQconnectPoll(pg->handle);
	}
	return STATUS_OK;
}

/*
 * libpq ignores a password file that others may read, and writes so to standard error, which is
 * the log's. Logged once a process.
 */
static void leave_passfile(struct parameters *parameters)
{
	static atomic_flag noted = ATOMIC_FLAG_INIT;
	struct stat info;

	if (!parameters->passfile || stat(parameters->passfile, &info) != 0 ||
	    (S_ISREG(info.st_mode) && !(info.st_mode & (S_IRWXG | S_IRWXO))))
		return;
	parameters_add(parameters, "passfile", NO_FILE);
	if (!atomic_flag_test_and_set(&noted))
		log_event(LOG_WARN, "database.passfile_ignored",
			  LOG_TEXT("path", parameters->passfile));
}

/* The same for what a server says, such as that a collation has another version. */
static void log_notice(void *context, const PGresult *result)
{
	(void)context;
	log_event(LOG_WARN, "database.notice",
		  LOG_TEXT("message", PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY)),
		  LOG_TEXT("detail", PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL)),
		  LOG_TEXT("hint", PQresultErrorField(result, PG_DIAG_MESSAGE_HINT)));
}

/* RETRY: this host was silent and others are left. */
static enum status attempt(struct postgresql *pg, const struct parameters *parameters,
			   struct hosts *hosts, struct error *error)
{
	PostgresPollingStatusType state;

	pg->base.broken = false;
	PQfinish(pg->handle);
	pg->handle = PQconnectStartParams(parameters->keywords, parameters->values, 1);
	if (!pg->handle)
		out_of_memory();
	if (PQstatus(pg->handle) == CONNECTION_BAD)
		return postgresql_refusal(pg->handle, error);
	(void)PQsetNoticeReceiver(pg->handle, log_notice, NULL);
	/* The SQLSTATE of a refusal is only in the text, and only in this form. */
	PQsetErrorVerbosity(pg->handle, PQERRORS_VERBOSE);
	if (poll_connection(pg, parameters->timeout, &state, error) != STATUS_OK) {
		const char *host = PQhost(pg->handle);
		const char *port = PQport(pg->handle);
		enum status status = error_set(error, STATUS_DOWN,
					       "PostgreSQL: no answer from %s port %s in time",
					       host ? host : "the server", port ? port : "");
		return drop_host(pg, hosts) ? STATUS_RETRY : status;
	}
	if (state != PGRES_POLLING_OK)
		return postgresql_refusal(pg->handle, error);
	PQsetErrorVerbosity(pg->handle, PQERRORS_DEFAULT);
	return STATUS_OK;
}

enum status postgresql_connect(struct postgresql *pg, const struct db_url *url,
			       const struct db_options *options, struct error *error)
{
	struct parameters parameters = { 0 };
	struct hosts hosts = { 0 };
	enum status status = postgresql_parameters(pg, url, options, &parameters, error);

	if (status != STATUS_OK)
		return status;
	leave_passfile(&parameters);
	size_t count = parameters.count;
	for (unsigned tries = 0; tries < MAXIMUM_HOSTS; tries++) {
		status = attempt(pg, &parameters, &hosts, error);
		if (status != STATUS_RETRY)
			return status;
		parameters.count = count;
		parameters_add(&parameters, "host", hosts.host);
		parameters_add(&parameters, "hostaddr", hosts.hostaddr);
		parameters_add(&parameters, "port", hosts.port);
	}
	return STATUS_DOWN;
}
