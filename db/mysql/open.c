/*
 * From a URL to a connection, with either client library, and plain statements on it: the options
 * of the URL, checked; the login, which never gives the password to a server that may be an
 * impostor; the session, which keeps none of the server's settings that change what SQL means; and
 * what the server must have.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "db/mysql/driver.h"
#include "db/password.h"

/* plain statements */

static enum status fail(struct mysqldb *my, const char *what, struct error *error)
{
	return mysqldb_fail(my, mysql_errno(my->handle), mysql_error(my->handle), what, error);
}

enum status mysqldb_query(struct mysqldb *my, const char *sql, struct error *error)
{
	if (mysql_real_query(my->handle, sql, strlen(sql)))
		return fail(my, sql, error);
	return STATUS_OK;
}

enum status mysqldb_query_row(struct mysqldb *my, const char *sql, const char **cells,
			      unsigned count, struct error *error)
{
	enum status status = mysqldb_query(my, sql, error);
	if (status != STATUS_OK)
		return status;
	MYSQL_RES *result = mysql_store_result(my->handle);
	if (!result)
		return fail(my, sql, error);
	MYSQL_ROW row = mysql_fetch_row(result);
	for (unsigned i = 0; i < count; i++) {
		const char *cell = row && i < mysql_num_fields(result) ? row[i] : NULL;
		cells[i] = cell ? arena_strdup(my->scratch, cell) : NULL;
	}
	mysql_free_result(result);
	return STATUS_OK;
}

/* the URL */

enum tls { TLS_DISABLED, TLS_PREFERRED, TLS_REQUIRED, TLS_VERIFY_CA, TLS_VERIFY_IDENTITY };

/* The names in URLs. */
static const char *const tls_names[] = { "DISABLED", "PREFERRED", "REQUIRED", "VERIFY_CA",
					 "VERIFY_IDENTITY" };

#define TLS_MODE_COUNT (sizeof(tls_names) / sizeof(tls_names[0]))

/* Where and how to connect: the URL's parts and options, checked. */
struct target {
	const char *host; /* NULL = the library's default socket */
	const char *socket;
	const char *user;
	const char *password;
	const char *database;
	unsigned port;
	unsigned connect_timeout; /* seconds */
	unsigned call_timeout;    /* seconds */
	enum tls tls;
	const char *ca;
	const char *certificate;
	const char *key;
	char where[256]; /* for people: "MySQL at host:port" */
};

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
		return tls_names[TLS_VERIFY_IDENTITY];
	if (!mode)
		return said_true(url, "ssl") && !ca ? tls_names[TLS_REQUIRED] : NULL;
	mode += *mode == ':';
	mode += strncasecmp(mode, "SSL_", 4) == 0 ? 4 : 0;
	mode += strncasecmp(mode, "MODE_", 5) == 0 ? 5 : 0;
	while (at > 0 && strncasecmp(mode, words[at - 1], strlen(words[at - 1])) != 0)
		at--;
	if (at == 0)
		return mode;
	/* MySQL's own client takes a weaker mode for VERIFY_CA when there is a CA. */
	return at - 1 <= TLS_REQUIRED && at - 1 > 0 && ca ? NULL : tls_names[at - 1];
}

/* A given CA is meant to be checked: it must not be silently ignored. */
static enum status read_tls(const struct db_url *url, struct target *target, struct error *error)
{
	const char *mode = url_option(url, "ssl-mode");
	size_t at = 0;

	target->ca = any_option(url, "ssl-ca", "sslca", "ssl_ca");
	target->certificate = any_option(url, "ssl-cert", "sslcert", "ssl_cert");
	target->key = any_option(url, "ssl-key", "sslkey", "ssl_key");
	if (!mode)
		mode = rails_mode(url, target->ca);
	if (!mode)
		mode = tls_names[target->ca ? TLS_VERIFY_CA : TLS_PREFERRED];
	while (at < TLS_MODE_COUNT && strcasecmp(tls_names[at], mode) != 0)
		at++;
	if (at == TLS_MODE_COUNT)
		return invalid(error, "ssl-mode",
			       "DISABLED, PREFERRED, REQUIRED, VERIFY_CA or VERIFY_IDENTITY");
	target->tls = (enum tls)at;
	if ((target->tls >= TLS_VERIFY_CA) != (target->ca != NULL))
		return invalid(error, "ssl-ca",
			       "together with ssl-mode=VERIFY_CA or VERIFY_IDENTITY");
	if (!target->certificate != !target->key)
		return invalid(error, "ssl-cert", "together with ssl-key");
	return STATUS_OK;
}

/* In whole seconds, the libraries' unit, rounded up. */
static unsigned whole_seconds(int64_t microseconds)
{
	return (unsigned)((microseconds + CLOCK_SECOND - 1) / CLOCK_SECOND);
}

static enum status read_timeouts(const struct db_url *url, const struct db_options *options,
				 struct target *target, struct error *error)
{
	const char *given = url_option(url, "connect_timeout");
	int64_t value = whole_seconds(options->connect_timeout);

	if (given && parse_int(given, 1, 3600, &value) != STATUS_OK)
		return invalid(error, "connect_timeout", "1 to 3600 seconds");
	target->connect_timeout = (unsigned)value;
	target->call_timeout = whole_seconds(options->call_timeout);
	return STATUS_OK;
}

static void read_place(const struct db_url *url, struct target *target)
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

/* INVALID names the option that is wrong. Pointers go into url. */
static enum status read_url(const struct db_url *url, const struct db_options *options,
			    struct target *target, struct error *error)
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

enum status mysqldb_check(struct arena *arena, const struct db_url *url, struct error *error)
{
	const struct db_options options = { 0 };
	struct target target = { 0 };

	(void)arena;
	return read_url(url, &options, &target, error);
}

/* the two client libraries */

#ifdef MARIADB_BASE_VERSION

/*
 * Connector/C has no modes. It checks the chain when it is given a CA, and also the host name when
 * asked to verify; from 3.4 on it never checks the chain without the name, so VERIFY_CA is
 * stricter. It demands TLS before it logs in only to a server whose fingerprint is given, and an
 * empty fingerprint is not compared: that is the only way to get REQUIRED.
 */
static void demand_tls(MYSQL *handle, enum tls mode)
{
	bool both = mysql_get_client_version() >= 30400;
	my_bool use = (my_bool)(mode != TLS_DISABLED);
	my_bool verify = (my_bool)(mode >= (both ? TLS_VERIFY_CA : TLS_VERIFY_IDENTITY));

	mysql_options(handle, MYSQL_OPT_SSL_ENFORCE, &use);
	mysql_options(handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
	if (mode >= TLS_REQUIRED)
		mysql_options(handle, MARIADB_OPT_TLS_PEER_FP, "");
}

/*
 * It logs in with whatever plugin the server names, and loads it: two of them send the password in
 * clear text (mysql_clear_password, dialog). No name here may contain one of theirs, since the list
 * is searched as a text. Versions older than the list get only the plugins built into the library.
 */
static void guard_password(MYSQL *handle)
{
	int refused = 1;

#if MARIADB_PACKAGE_VERSION_ID >= 30300
	refused = mysql_optionsv(handle, MARIADB_OPT_RESTRICTED_AUTH,
				 "mysql_native_password,caching_sha2_password,sha256_password,"
				 "client_ed25519,parsec,auth_gssapi_client");
#endif
	if (refused)
		mysql_options(handle, MYSQL_PLUGIN_DIR, "/nonexistent");
}

static void set_tls(MYSQL *handle, enum tls mode)
{
	demand_tls(handle, mode);
	if (mode < TLS_VERIFY_CA)
		guard_password(handle);
}

static int socket_of(MYSQL *handle)
{
	return mysql_get_socket(handle);
}

#else

/*
 * caching_sha2_password without TLS needs the server's public key; Connector/C requests it by
 * itself.
 */
static void set_tls(MYSQL *handle, enum tls mode)
{
	static const unsigned native[] = { SSL_MODE_DISABLED, SSL_MODE_PREFERRED, SSL_MODE_REQUIRED,
					   SSL_MODE_VERIFY_CA, SSL_MODE_VERIFY_IDENTITY };
	bool ask_for_key = true;
	bool tell_password = mode >= TLS_VERIFY_CA;

	mysql_options(handle, MYSQL_OPT_SSL_MODE, &native[mode]);
	mysql_options(handle, MYSQL_ENABLE_CLEARTEXT_PLUGIN, &tell_password);
	mysql_options(handle, MYSQL_OPT_GET_SERVER_PUBLIC_KEY, &ask_for_key);
}

static int socket_of(MYSQL *handle)
{
	return handle->net.fd;
}

#endif

/* the connection */

#define LONGEST_SILENCE 10U         /* seconds; longer than the usual heartbeat */
#define LONGEST_LIST    (4U << 20U) /* bytes of a JSON array that a script builds */

static pthread_mutex_t library_lock = PTHREAD_MUTEX_INITIALIZER;
static bool library_ready;
static _Thread_local unsigned connections_here;

/* mysql_init does this, too, but not safely when several threads connect at once. */
static void init_library(void)
{
	pthread_mutex_lock(&library_lock);
	if (!library_ready)
		library_ready = mysql_library_init(0, NULL, NULL) == 0;
	bool ready = library_ready;
	pthread_mutex_unlock(&library_lock);
	if (!ready)
		out_of_memory();
}

static void set_options(MYSQL *handle, const struct target *target)
{
	/*
	 * "localhost" without a port means the socket, as everywhere in MySQL; with a port it does
	 * not.
	 */
	bool tcp = target->host && (target->port > 0 || strcmp(target->host, "localhost") != 0);
	unsigned protocol = tcp ? MYSQL_PROTOCOL_TCP : MYSQL_PROTOCOL_SOCKET;
	unsigned off = 0;

	mysql_options(handle, MYSQL_OPT_PROTOCOL, &protocol);
	mysql_options(handle, MYSQL_OPT_CONNECT_TIMEOUT, &target->connect_timeout);
	mysql_options(handle, MYSQL_OPT_READ_TIMEOUT, &target->call_timeout);
	mysql_options(handle, MYSQL_OPT_WRITE_TIMEOUT, &target->call_timeout);
	mysql_options(handle, MYSQL_OPT_LOCAL_INFILE, &off);
	mysql_options(handle, MYSQL_SET_CHARSET_NAME, "utf8mb4");
	mysql_options4(handle, MYSQL_OPT_CONNECT_ATTR_ADD, "program_name", "dray");
	set_tls(handle, target->tls);
	if (target->ca)
		mysql_options(handle, MYSQL_OPT_SSL_CA, target->ca);
	if (target->certificate)
		mysql_options(handle, MYSQL_OPT_SSL_CERT, target->certificate);
	if (target->key)
		mysql_options(handle, MYSQL_OPT_SSL_KEY, target->key);
}

static enum status no_tls(const struct target *target, struct error *error)
{
	return error_set(error, STATUS_INVALID,
			 "%s: the server offers no TLS, which ssl-mode=%s requires", target->where,
			 tls_names[target->tls]);
}

/* The libraries' own messages for what we forbade them would mislead people. */
static enum status login_failed(struct mysqldb *my, const struct target *target,
				struct error *error)
{
	unsigned code = mysql_errno(my->handle);
	enum status status = mysqldb_fail(my, code, mysql_error(my->handle), target->where, error);

	if (code == MYSQLDB_TLS_FAILED && target->tls >= TLS_REQUIRED &&
	    !(my->handle->server_capabilities & CLIENT_SSL))
		return no_tls(target, error);
	if (mysqldb_plugin_refused(code) && target->tls < TLS_VERIFY_CA)
		return error_set(error, status,
				 "%s: the server asks for a way to log in that dray does not "
				 "support, or for the password in clear text, which dray sends "
				 "only with ssl-mode=VERIFY_CA or VERIFY_IDENTITY (MySQL %u)",
				 target->where, code);
	return status;
}

static enum status check_tls(struct mysqldb *my, const struct target *target, struct error *error)
{
	if (target->tls < TLS_REQUIRED || mysql_get_ssl_cipher(my->handle))
		return STATUS_OK;
	return no_tls(target, error);
}

static enum status connect_to(struct mysqldb *my, const struct target *target, struct error *error)
{
	set_options(my->handle, target);
	/* Guards count the rows that were found, even if the new values equal the old ones. */
	if (!mysql_real_connect(my->handle, target->host, target->user, target->password,
				target->database, target->port, target->socket, CLIENT_FOUND_ROWS))
		return login_failed(my, target, error);
	/* Neither library guarantees close-on-exec. */
	if (fcntl(socket_of(my->handle), F_SETFD, FD_CLOEXEC) < 0)
		return error_set(error, STATUS_FATAL, "%s: cannot set close-on-exec",
				 target->where);
	return check_tls(my, target, error);
}

unsigned mysqldb_patience(int64_t call_timeout)
{
	unsigned limit = whole_seconds(call_timeout);

	/* InnoDB checks once a second which lock waits have timed out. */
	return limit > 3 ? limit - 2 : 1;
}

/*
 * MariaDB may refuse to lock a row that changed since the statement began, from 11.6.2 on by
 * default: then workers that claim at the same time get in each other's way. The versions that know
 * the setting are those of three lines.
 */
static const char *no_snapshots(MYSQL *handle)
{
	unsigned long version = mysql_get_server_version(handle);
	bool known = (version >= 100618 && version < 100700) ||
		     (version >= 101108 && version < 110000) || version >= 110402;

	return known ? ", innodb_snapshot_isolation = 0" : "";
}

/*
 * A session whose client is frozen or has vanished keeps its transaction's locks until the server
 * ends it, by default after eight hours. MySQL has no limit for transactions alone, so idle
 * connections are closed early there: db_run opens a new one when it needs it. MariaDB cuts
 * JSON_ARRAYAGG off at the length at which GROUP_CONCAT would end. The session does not keep server
 * settings that change SQL itself (sql_mode ORACLE or ANSI, updates by key only, lists and joins of
 * a few rows only, commits that begin a new transaction, keys that are not checked, recursions of a
 * few steps, texts that are sorted by their first letters).
 */
static enum status set_session(struct mysqldb *my, struct error *error)
{
	const unsigned most = (unsigned)(DRIVER_LOCK_WAIT / CLOCK_SECOND);
	unsigned patience = mysqldb_patience(my->base.call_timeout);
	unsigned wait = patience < most ? patience : most;
	char sql[1024];
	int length = snprintf(
		sql, sizeof(sql),
		"SET NAMES utf8mb4, autocommit = 1, time_zone = '+00:00',"
		" sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION',"
		" sql_safe_updates = 0, sql_select_limit = 18446744073709551615,"
		" sql_big_selects = 1, sql_auto_is_null = 0, completion_type = 'NO_CHAIN',"
		" foreign_key_checks = 1, unique_checks = 1, max_sort_length = 1024,"
		" default_storage_engine = InnoDB,"
		" innodb_lock_wait_timeout ="
		" CAST(LEAST(@@innodb_lock_wait_timeout, %u) AS UNSIGNED),"
		" lock_wait_timeout = CAST(LEAST(@@lock_wait_timeout, %u) AS UNSIGNED),"
		" wait_timeout = CAST(LEAST(@@wait_timeout, %u) AS UNSIGNED),"
		" group_concat_max_len = CAST(GREATEST(@@group_concat_max_len, %u) AS UNSIGNED)"
		"/*!80003 , cte_max_recursion_depth = 4294967295, max_execution_time = 0,"
		" range_optimizer_max_mem_size = 8388608,"
		" information_schema_stats_expiry = 0 */" /* for out_of_ids */
		"/*M!100502 , max_recursive_iterations = 4294967295, max_statement_time = 0,"
		" sql_if_exists = 0, idle_transaction_timeout = %u%s */",
		wait, wait, LONGEST_SILENCE, LONGEST_LIST, most, no_snapshots(my->handle));

	if (length < 0 || (size_t)length >= sizeof(sql))
		return error_set(error, STATUS_FATAL, "the session's settings are too long");
	enum status status = mysqldb_query(my, sql, error);
	if (status != STATUS_OK)
		return status;
	return mysqldb_query(
		my, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE", error);
}

/* "10.11.19-MariaDB-..." becomes 101119; a part may not be larger than 99. */
static unsigned long version_number(const char *text)
{
	unsigned long number = 0;

	for (int i = 0; i < 3; i++) {
		char *end;
		unsigned long part = strtoul(text, &end, 10);
		number = number * 100 + (part > 99 ? 99 : part);
		text = *end == '.' ? end + 1 : end;
	}
	return number;
}

/*
 * The collation of our text columns, or the one they would get (set_session's SET NAMES):
 * JSON_TABLE's columns must have the same, or comparing the two is an error (MySQL) or is done in
 * the database's character set, which may be latin1 (MariaDB). Also the server's identity.
 */
static const char server_facts[] =
	"SELECT VERSION(), @@max_allowed_packet, @@log_bin AND @@binlog_format = 'STATEMENT',"
	" COALESCE(/*!80000 @@server_uuid, */"
	" /*M!100300 CONCAT(@@hostname, ':', @@port, '/', @@server_id), */ ''), COALESCE("
	"(SELECT collation_name FROM information_schema.columns WHERE table_schema = DATABASE()"
	" AND table_name = 'solid_queue_jobs' AND column_name = 'active_job_id'),"
	" @@collation_connection)";

static enum status check_server(struct mysqldb *my, struct error *error)
{
	const char *cells[5] = { NULL };
	enum status status = mysqldb_query_row(my, server_facts, cells, 5, error);
	if (status != STATUS_OK)
		return status;
	const char *version = cells[0] ? cells[0] : "";
	int64_t packet;
	if (!cells[1] || parse_int(cells[1], 1, INT64_MAX, &packet) != STATUS_OK)
		return error_set(error, STATUS_FATAL,
				 "MySQL: the server does not report max_allowed_packet");
	(void)snprintf(my->base.identity, sizeof(my->base.identity), "%s",
		       cells[3] ? cells[3] : "");
	(void)snprintf(my->base.collation, sizeof(my->base.collation), "%s",
		       cells[4] ? cells[4] : "");
	bool mariadb = strstr(version, "MariaDB") != NULL;
	my->maximum_packet = (size_t)packet;
	(void)snprintf(my->base.server, sizeof(my->base.server), "%s %.*s",
		       mariadb ? "MariaDB" : "MySQL", (int)strspn(version, "0123456789."), version);
	if (version_number(version) < (mariadb ? 100600 : 80001) && !my->base.no_skip_locked)
		return error_set(
			error, STATUS_INVALID,
			"%s has no SKIP LOCKED: dray needs MySQL 8.0.1 or MariaDB 10.6, or "
			"use_skip_locked: false",
			my->base.server);
	if (cells[2] && strcmp(cells[2], "1") == 0)
		return error_set(error, STATUS_INVALID,
				 "%s has binlog_format=STATEMENT, with which it refuses what dray "
				 "writes: set it to ROW or MIXED",
				 my->base.server);
	return STATUS_OK;
}

static struct mysqldb *new_connection(const struct db_options *options)
{
	struct mysqldb *my = calloc(1, sizeof(*my));
	if (!my)
		out_of_memory();
	my->base.call_timeout = options->call_timeout;
	my->base.no_skip_locked = options->no_skip_locked;
	my->scratch = arena_new();
	init_library();
	my->handle = mysql_init(NULL);
	if (!my->handle)
		out_of_memory();
	connections_here++;
	return my;
}

enum status mysqldb_open(struct connection **connection, const struct db_url *url,
			 const struct db_options *options, struct error *error)
{
	struct target target = { 0 };
	enum status status = read_url(url, options, &target, error);
	if (status != STATUS_OK)
		return status;
	struct mysqldb *my = new_connection(options);
	status = password_read(my->scratch, options->password_file, &target.password, error);
	if (status == STATUS_OK)
		status = connect_to(my, &target, error);
	if (status == STATUS_OK)
		status = set_session(my, error);
	if (status == STATUS_OK)
		status = check_server(my, error);
	if (status != STATUS_OK) {
		mysqldb_close(&my->base);
		return status;
	}
	*connection = &my->base;
	return STATUS_OK;
}

void mysqldb_close(struct connection *connection)
{
	struct mysqldb *my = (struct mysqldb *)connection;

	/* The connection first: closing the statements then sends no messages. */
	mysql_close(my->handle);
	for (unsigned i = 0; i < connection->prepared_size; i++)
		if (connection->prepared[i])
			mysql_stmt_close(connection->prepared[i]);
	free(connection->prepared);
	arena_free(my->scratch);
	free(my);
	if (connections_here > 0 && --connections_here == 0)
		mysql_thread_end();
}
