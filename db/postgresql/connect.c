/*
 * From a URL to a connection. libpq reads the URL itself; what it does not know is taken out, our
 * defaults come before the URL's own options, and what every session needs comes after them. The
 * password is not sent in clear text to a server that is not verified, and a host that is silent is
 * left when its time is over, which libpq alone would not do.
 */
#include <inttypes.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "db/password.h"
#include "db/postgresql/driver.h"
#include "db/url.h"

/* libpq's parameters */

#define MAXIMUM_PARAMETERS 16

/* What PQconnectStartParams gets; a later keyword wins over an earlier one. */
struct parameters {
	const char *keywords[MAXIMUM_PARAMETERS + 1];
	const char *values[MAXIMUM_PARAMETERS + 1];
	size_t count;
	int64_t timeout;      /* for each host, microseconds */
	const char *passfile; /* where libpq would look for a password; NULL = nowhere */
};

/* NULL values are left out. */
static void add_parameter(struct parameters *parameters, const char *keyword, const char *value)
{
	if (!value || parameters->count == MAXIMUM_PARAMETERS)
		return;
	parameters->keywords[parameters->count] = keyword;
	parameters->values[parameters->count] = value;
	parameters->count++;
}

static bool known_option(const PQconninfoOption *defaults, const char *name)
{
	for (const PQconninfoOption *option = defaults; option->keyword; option++)
		if (strcmp(option->keyword, name) == 0)
			return true;
	return rails_option(name) || strcmp(name, "ssl") == 0;
}

static enum status unknown_option(struct arena *arena, const PQconninfoOption *defaults,
				  const char *name, struct error *error)
{
	size_t count = 0;
	while (defaults[count].keyword)
		count++;
	const char **words = arena_array(arena, count, sizeof(*words));
	for (size_t i = 0; i < count; i++)
		words[i] = defaults[i].keyword;
	const char *nearest = nearest_word(name, words, count);
	return error_set(error, STATUS_INVALID, "database url: unknown option '%s'%s%s%s", name,
			 nearest ? ", did you mean '" : "", nearest ? nearest : "",
			 nearest ? "'?" : "");
}

static enum status check_options(struct arena *arena, const PQconninfoOption *defaults,
				 const struct db_url *url, struct error *error)
{
	for (unsigned i = 0; i < url->option_count; i++)
		if (!known_option(defaults, url->options[i].name))
			return unknown_option(arena, defaults, url->options[i].name, error);
	return STATUS_OK;
}

/* Is text[0, length) an option that libpq does not know: dray's own, or one of Rails'? */
static bool foreign_option(struct arena *arena, const char *text, size_t length)
{
	const char *equals = memchr(text, '=', length);

	return equals && rails_option(arena_strndup(arena, text, (size_t)(equals - text)));
}

/* The URL for libpq: without foreign options, with the scheme that libpq expects. */
static char *libpq_url(struct arena *arena, const char *text)
{
	const char *rest = strchr(text, ':');
	size_t question = strcspn(rest, "?");
	char *url = arena_printf(arena, "postgresql%s", rest);
	char *to = url + strlen("postgresql") + question;
	const char *from = rest + question;
	char separator = '?';

	while (*from) {
		size_t length = strcspn(++from, "&");
		if (!foreign_option(arena, from, length)) {
			*to++ = separator;
			memcpy(to, from, length);
			to += length;
			separator = '&';
		}
		from += length;
	}
	*to = '\0';
	return url;
}

/*
 * libpq quotes the text that it does not accept, which may be a password: keep only what comes
 * before.
 */
static enum status malformed(const char *message, struct error *error)
{
	size_t length = message ? strcspn(message, ":\"\n") : 0;

	return error_set(error, STATUS_INVALID, "database url: %.*s",
			 length > 0 ? (int)length : (int)strlen("malformed"),
			 length > 0 ? message : "malformed");
}

/* Rails' search path as an option: the blanks of that are escaped, and it quotes names only so: ".
 */
static const char *search_path(struct arena *arena, const char *path)
{
	struct text option = { 0 };
	char quote = '\0'; /* that the name began with */

	if (!path || path[strspn(path, URL_BLANKS)] == '\0')
		return "";
	text_add(&option, " -c search_path=");
	for (; *path != '\0'; path++) {
		const bool quotes = quote ? *path == quote : *path == '"' || *path == '\'';

		if (quotes && quote)
			quote = '\0';
		else if (quotes)
			quote = *path;
		if (strchr(URL_BLANKS "\\", *path))
			text_add(&option, "\\");
		text_append(&option, quotes ? "\"" : path, 1);
	}
	return text_take(&option, arena);
}

#define OPTION(name, value) " -c " name "=" value
#define NEEDED              POSTGRESQL_SETTINGS(OPTION)

/*
 * Sent with the first packet, so that a session costs no further round trip. The server gives a
 * statement up a little before we stop waiting for it: then the outcome is known. `own` may set
 * other limits, but not what the queue's times and locks rely on. Poolers refuse connections that
 * send options: there every transaction sets what it needs (run.c).
 *
 * The plans of prepared statements are kept, and a queue's tables are empty at one time and full
 * soon after, with statistics for neither: only a plan that looks rows up by index, one after the
 * other, is good for both. The claim would be planned at every call, because a LIMIT that is known
 * looks cheaper than one that is not: with `one_plan` a plan is made once for all values. It is
 * made again after some seconds (run.c), for not every statement is so plain that a plan for empty
 * tables is good for full ones. (Behind a pooler nothing is prepared, and each plan is made when
 * it is needed.)
 */
static const char *session_options(const struct postgresql *pg, const char *own, const char *path)
{
	const int64_t most = DRIVER_LOCK_WAIT / CLOCK_MILLISECOND;
	int64_t timeout = pg->base.call_timeout / CLOCK_MILLISECOND;
	int64_t lock_wait = timeout / 2 < most ? timeout / 2 + 1 : most;

	if (pg->unnamed)
		return NULL; /* libpq reads the URL's own options itself */
	return arena_printf(pg->arena,
			    "%s-c statement_timeout=%" PRId64 " -c lock_timeout=%" PRId64
			    " -c idle_in_transaction_session_timeout=%" PRId64
			    " -c enable_seqscan=off -c enable_bitmapscan=off"
			    " -c enable_mergejoin=off -c enable_indexscan=on"
			    " -c enable_indexonlyscan=on -c enable_nestloop=on"
			    " -c enable_sort=on -c enable_material=on -c jit=off"
			    " %s" NEEDED " -c default_transaction_isolation=read\\ committed%s",
			    pg->one_plan ? "-c plan_cache_mode=force_generic_plan " : "",
			    timeout * 9 / 10 + 1, lock_wait, most, own ? own : "",
			    search_path(pg->arena, path));
}

static const char *option_value(const PQconninfoOption *options, const char *keyword)
{
	for (; options && options->keyword; options++)
		if (strcmp(options->keyword, keyword) == 0)
			return options->val;
	return NULL;
}

/*
 * A server must be verified before it may ask for the password in clear text: libpq sends it to any
 * server that asks, with TLS or without. It can be forbidden to from version 16 on. A require_auth
 * of the URL or the environment takes precedence.
 */
static const char *required_login(const PQconninfoOption *defaults, const PQconninfoOption *own)
{
	const char *mode = option_value(own, "sslmode");

	if (!known_option(defaults, "require_auth") || option_value(defaults, "require_auth"))
		return NULL;
	if (!mode)
		mode = option_value(defaults, "sslmode");
	return mode && strncmp(mode, "verify-", 7) == 0 ? NULL : "!password";
}

static void read_timeout(struct parameters *parameters, const char *text)
{
	int64_t seconds;

	if (text && parse_int(text, 1, 3600, &seconds) == STATUS_OK)
		parameters->timeout = seconds * CLOCK_SECOND;
}

static void add_session(struct postgresql *pg, struct parameters *parameters, const char *url,
			const char *options, const char *path)
{
	int64_t timeout = pg->base.call_timeout / CLOCK_MILLISECOND;

	add_parameter(parameters, "keepalives_idle", "30");
	add_parameter(parameters, "keepalives_interval", "10");
	add_parameter(parameters, "keepalives_count", "3");
	add_parameter(parameters, "tcp_user_timeout", arena_printf(pg->arena, "%" PRId64, timeout));
	add_parameter(parameters, "fallback_application_name", "dray");
	add_parameter(parameters, "dbname", url);
	add_parameter(parameters, "client_encoding", "UTF8");
	add_parameter(parameters, "options", session_options(pg, options, path));
}

/* As libpq has it, which does not look for a password if there is one. */
static const char *find_passfile(struct arena *arena, const PQconninfoOption *defaults,
				 const PQconninfoOption *own)
{
	/* No other thread changes the environment. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	const char *home = getenv("HOME");
	const char *path = option_value(own, "passfile");

	if (!path)
		path = option_value(defaults, "passfile");
	if (option_value(own, "password") || option_value(defaults, "password"))
		return NULL;
	if (path)
		return arena_strdup(arena, path);
	return home ? arena_printf(arena, "%s/.pgpass", home) : NULL;
}

/* The URL's options win over our defaults, and what a session needs wins over the URL. */
static enum status add_url(struct postgresql *pg, struct parameters *parameters,
			   const PQconninfoOption *defaults, const struct db_url *said,
			   struct error *error)
{
	char *message = NULL;
	const char *url = libpq_url(pg->arena, said->text);
	PQconninfoOption *own = PQconninfoParse(url, &message);
	enum status status = own ? STATUS_OK : malformed(message, error);

	if (own) {
		const char *options = option_value(own, "options");
		read_timeout(parameters, option_value(own, "connect_timeout"));
		parameters->passfile = find_passfile(pg->arena, defaults, own);
		add_parameter(parameters, "require_auth", required_login(defaults, own));
		add_session(pg, parameters, url,
			    options ? options : option_value(defaults, "options"),
			    url_option(said, "schema_search_path"));
	}
	PQconninfoFree(own);
	PQfreemem(message);
	return status;
}

static enum status read_prepared_statements(struct postgresql *pg, const struct db_url *url,
					    struct error *error)
{
	const char *text = url_option(url, "prepared_statements");
	bool prepared = true;

	if (text && parse_bool(text, &prepared) != STATUS_OK)
		return error_set(error, STATUS_INVALID,
				 "database url: prepared_statements: '%s', expected true or false",
				 text);
	pg->unnamed = !prepared;
	return STATUS_OK;
}

/*
 * Turns the URL and the options into libpq's parameters: our defaults, the URL's own, what every
 * session needs, the password file. INVALID for what libpq would not accept.
 */
static enum status read_parameters(struct postgresql *pg, const struct db_url *url,
				   const struct db_options *options, struct parameters *parameters,
				   struct error *error)
{
	const char *password = NULL;
	PQconninfoOption *defaults = PQconndefaults();
	if (!defaults)
		out_of_memory();
	parameters->timeout =
		options->connect_timeout > 0 ? options->connect_timeout : 5 * CLOCK_SECOND;
	enum status status = check_options(pg->arena, defaults, url, error);
	if (status == STATUS_OK)
		status = read_prepared_statements(pg, url, error);
	if (status == STATUS_OK)
		status = add_url(pg, parameters, defaults, url, error);
	if (status == STATUS_OK)
		status = password_read(pg->arena, options->password_file, &password, error);
	if (status == STATUS_OK)
		add_parameter(parameters, "password", password);
	if (password)
		parameters->passfile = NULL;
	PQconninfoFree(defaults);
	return status;
}

enum status postgresql_check(struct arena *arena, const struct db_url *url, struct error *error)
{
	struct postgresql pg = { .arena = arena };
	const struct db_options options = { 0 };
	struct parameters parameters = { 0 };

	return read_parameters(&pg, url, &options, &parameters, error);
}

/* the connection */

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
	add_parameter(parameters, "passfile", NO_FILE);
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
	enum status status = read_parameters(pg, url, options, &parameters, error);

	if (status != STATUS_OK)
		return status;
	leave_passfile(&parameters);
	size_t count = parameters.count;
	for (unsigned tries = 0; tries < MAXIMUM_HOSTS; tries++) {
		status = attempt(pg, &parameters, &hosts, error);
		if (status != STATUS_RETRY)
			return status;
		parameters.count = count;
		add_parameter(&parameters, "host", hosts.host);
		add_parameter(&parameters, "hostaddr", hosts.hostaddr);
		add_parameter(&parameters, "port", hosts.port);
	}
	return STATUS_DOWN;
}
