#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "db/password.h"
#include "db/postgresql/driver.h"
#include "db/url.h"

void parameters_add(struct parameters *parameters, const char *keyword, const char *value)
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

	parameters_add(parameters, "keepalives_idle", "30");
	parameters_add(parameters, "keepalives_interval", "10");
	parameters_add(parameters, "keepalives_count", "3");
	parameters_add(parameters, "tcp_user_timeout",
		       arena_printf(pg->arena, "%" PRId64, timeout));
	parameters_add(parameters, "fallback_application_name", "dray");
	parameters_add(parameters, "dbname", url);
	parameters_add(parameters, "client_encoding", "UTF8");
	parameters_add(parameters, "options", session_options(pg, options, path));
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
		parameters_add(parameters, "require_auth", required_login(defaults, own));
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

enum status postgresql_parameters(struct postgresql *pg, const struct db_url *url,
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
		parameters_add(parameters, "password", password);
	if (password)
		parameters->passfile = NULL;
	PQconninfoFree(defaults);
	return status;
}
