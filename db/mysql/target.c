#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "db/mysql/driver.h"

const char *const mysqldb_tls_names[] = { "DISABLED", "PREFERRED", "REQUIRED", "VERIFY_CA",
					  "VERIFY_IDENTITY" };

#define TLS_MODE_COUNT (sizeof(mysqldb_tls_names) / sizeof(mysqldb_tls_names[0]))

static enum status invalid(struct error *error, const char *name, const char *expected)
{
	return error_set(error, STATUS_INVALID, "database url: %s: expected %s", name, expected);
}

static enum status check_names(const struct db_url *url, struct error *error)
{
	static const char *const names[] = { "socket",  "ssl-mode", "ssl-ca",         "ssl-cert",
					     "ssl-key", "charset",  "connect_timeout" };
	const size_t count = sizeof(names) / sizeof(names[0]);

	for (unsigned i = 0; i < url->option_count; i++) {
		size_t at = 0;
		while (at < count && strcmp(names[at], url->options[i].name) != 0)
			at++;
		if (at == count)
			return error_set(error, STATUS_INVALID,
					 "database url: unknown option '%s', expected socket, "
					 "ssl-mode, ssl-ca, ssl-cert, ssl-key, charset or "
					 "connect_timeout",
					 url->options[i].name);
	}
	return STATUS_OK;
}

/* A given CA is meant to be checked: it must not be silently ignored. */
static enum status read_tls(const struct db_url *url, struct mysqldb_target *target,
			    struct error *error)
{
	const char *mode = url_option(url, "ssl-mode");
	size_t at = 0;

	target->ca = url_option(url, "ssl-ca");
	target->certificate = url_option(url, "ssl-cert");
	target->key = url_option(url, "ssl-key");
	if (!mode)
		mode = mysqldb_tls_names[target->ca ? TLS_VERIFY_CA : TLS_PREFERRED];
	while (at < TLS_MODE_COUNT && strcasecmp(mysqldb_tls_names[at], mode) != 0)
		at++;
	if (at == TLS_MODE_COUNT)
		return invalid(error, "ssl-mode",
			       "DISABLED, PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY");
	target->tls = (enum mysqldb_tls)at;
	if ((target->tls >= TLS_VERIFY_CA) != (target->ca != NULL))
		return invalid(error, "ssl-ca",
			       "together with ssl-mode=VERIFY_CA or VERIFY_IDENTITY");
	if (!target->certificate != !target->key)
		return invalid(error, "ssl-cert", "together with ssl-key");
	return STATUS_OK;
}

unsigned mysqldb_seconds(int64_t microseconds)
{
	return (unsigned)((microseconds + CLOCK_SECOND - 1) / CLOCK_SECOND);
}

static enum status read_timeouts(const struct db_url *url, const struct db_options *options,
				 struct mysqldb_target *target, struct error *error)
{
	const char *given = url_option(url, "connect_timeout");
	int64_t value = mysqldb_seconds(options->connect_timeout);

	if (given && parse_int(given, 1, 3600, &value) != STATUS_OK)
		return invalid(error, "connect_timeout", "1 to 3600 seconds");
	target->connect_timeout = (unsigned)value;
	target->call_timeout = mysqldb_seconds(options->call_timeout);
	return STATUS_OK;
}

static void read_place(const struct db_url *url, struct mysqldb_target *target)
{
	target->socket = url_option(url, "socket");
	target->host = target->socket ? NULL : url->host;
	target->port = (unsigned)url->port;
	if (target->port > 0 && !target->host && !target->socket)
		target->host = "localhost";
	if (target->socket)
		(void)snprintf(target->where, sizeof(target->where), "MySQL at %s", target->socket);
	else if (target->host)
		(void)snprintf(target->where, sizeof(target->where), "MySQL at %s:%u", target->host,
			       target->port > 0 ? target->port : MYSQL_PORT);
	else
		(void)snprintf(target->where, sizeof(target->where), "MySQL at the default socket");
}

enum status mysqldb_read_url(const struct db_url *url, const struct db_options *options,
			     struct mysqldb_target *target, struct error *error)
{
	const char *charset = url_option(url, "charset");
	enum status status = check_names(url, error);

	if (status == STATUS_OK)
		status = read_tls(url, target, error);
	if (status == STATUS_OK)
		status = read_timeouts(url, options, target, error);
	if (status != STATUS_OK)
		return status;
	if (charset && strcasecmp(charset, "utf8mb4") != 0)
		return invalid(error, "charset", "utf8mb4");
	if (!url->path)
		return invalid(error, "path", "the name of a database after the host");
	target->user = url->user;
	target->password = url->password;
	target->database = url->path;
	read_place(url, target);
	return STATUS_OK;
}
