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
	static const char *const names[] = {
		"socket", "ssl-mode", "ssl-ca",    "ssl-cert",       "ssl-key", "charset",
		"ssl",    "ssl_mode", "sslca",     "ssl_ca",         "sslcert", "ssl_cert",
		"sslkey", "ssl_key",  "sslverify", "connect_timeout"
	};
	const size_t count = sizeof(names) / sizeof(names[0]);

	for (unsigned i = 0; i < url->option_count; i++) {
		size_t at = 0;
		while (at < count && strcmp(names[at], url->options[i].name) != 0)
			at++;
		if (at == count && !rails_option(url->options[i].name))
			return error_set(error, STATUS_INVALID,
					 "database url: unknown option '%s', expected socket, "
					 "ssl-mode, ssl-ca, ssl-cert, ssl-key, charset or "
					 "connect_timeout",
					 url->options[i].name);
	}
	return STATUS_OK;
}

/* An option by dray's name, or by those of the clients that Rails has: mysql2's, trilogy's. */
static const char *any_option(const struct db_url *url, const char *own, const char *mysql2,
			      const char *trilogy)
{
	const char *value = url_option(url, own);

	value = value ? value : url_option(url, mysql2);
	return value ? value : url_option(url, trilogy);
}

static bool said_true(const struct db_url *url, const char *name)
{
	const char *value = url_option(url, name);

	return value && strcmp(value, "false") != 0 && strcmp(value, "0") != 0;
}

/* What Rails' clients call it: required, :verify_ca, SSL_MODE_DISABLED, SSL_REQUIRED_NOVERIFY. */
static const char *rails_mode(const struct db_url *url, const char *ca)
{
	static const char *const words[] = { "DISABLE", "PREFER", "REQUIRE", "VERIFY_CA",
					     "VERIFY_IDENTITY" };
	const char *mode = url_option(url, "ssl_mode");
	size_t at = TLS_MODE_COUNT;

	if (!mode && said_true(url, "sslverify") && ca)
		return mysqldb_tls_names[TLS_VERIFY_IDENTITY];
	if (!mode)
		return said_true(url, "ssl") && !ca ? mysqldb_tls_names[TLS_REQUIRED] : NULL;
	mode += *mode == ':';
	mode += strncasecmp(mode, "SSL_", 4) == 0 ? 4 : 0;
	mode += strncasecmp(mode, "MODE_", 5) == 0 ? 5 : 0;
	while (at > 0 && strncasecmp(mode, words[at - 1], strlen(words[at - 1])) != 0)
		at--;
	if (at == 0)
		return mode;
	/* MySQL's own client takes a weaker mode for VERIFY_CA when there is a CA. */
	return at - 1 <= TLS_REQUIRED && at - 1 > 0 && ca ? NULL : mysqldb_tls_names[at - 1];
}

/* A given CA is meant to be checked: it must not be silently ignored. */
static enum status read_tls(const struct db_url *url, struct mysqldb_target *target,
			    struct error *error)
{
	const char *mode = url_option(url, "ssl-mode");
	size_t at = 0;

	target->ca = any_option(url, "ssl-ca", "sslca", "ssl_ca");
	target->certificate = any_option(url, "ssl-cert", "sslcert", "ssl_cert");
	target->key = any_option(url, "ssl-key", "sslkey", "ssl_key");
	if (!mode)
		mode = rails_mode(url, target->ca);
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
