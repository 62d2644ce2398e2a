/* How the MySQL driver connects: urls, sessions, TLS, passwords, silent servers. */
#include <fcntl.h>

#include "tests/support/servers/forwarder.h"
#include "tests/support/servers/mysql_session.h"
#include "tests/support/wording.h"

/* A certificate that signed nobody's; valid for a hundred years. */
static const char stranger[] = "-----BEGIN CERTIFICATE-----\n"
			       "MIIBgTCCASegAwIBAgIUNjTAovWVGINZjYZPxUcF5+NFklIwCgYIKoZIzj0EAwIw\n"
			       "FTETMBEGA1UEAwwKQSBzdHJhbmdlcjAgFw0yNjExMjEwNDI4MjlaGA8yMTI2MTAy\n"
			       "ODA0MjgyOVowFTETMBEGA1UEAwwKQSBzdHJhbmdlcjBZMBMGByqGSM49AgEGCCqG\n"
			       "SM49AwEHA0IABIhNzOru5DgHE8i5MmPR1sFlYUwQOX+YOqcojhoBFsnVSIuL4IOQ\n"
			       "I6WkgnF5Nut8xrVemwXIOXYuD8tkLvOcKMejUzBRMB0GA1UdDgQWBBSWkJ9eoij2\n"
			       "HaCbwTDrNLwbq8zcmDAfBgNVHSMEGDAWgBSWkJ9eoij2HaCbwTDrNLwbq8zcmDAP\n"
			       "BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIQD+sqBQIdftUgwO48HL\n"
			       "t3gSK5hffRxWIzbKAcnf/SpKQQIgA+dydwEyiA0zrWaAm5oHtvelqjdn1ubSbYm2\n"
			       "T3sz0Ng=\n"
			       "-----END CERTIFICATE-----\n";

MYSQL_GROUP("SELECT 1", "SELECT 1");

/* Tries a variation of the server's url; the message must have `part` in it when it fails. */
static struct mysql_session expect_open(const struct mysql_target *target, enum status expected,
					const char *part)
{
	struct mysql_session opened;
	struct error error = { 0 };
	const char *url = mysql_url(here.arena, here_server, target);
	enum status status = mysql_session_try(&opened, url, NULL, &error);

	if (status != expected || (part && !strstr(error.text, part)))
		fail_msg("%s: %s (%s), expected %s (%s)", url, status_name(status), error.text,
			 status_name(expected), part ? part : "");
	if (target->password && *target->password != '\0' && strstr(error.text, target->password))
		fail_msg("the message has the password: %s", error.text);
	return opened;
}

static void expect_refusal(const struct mysql_target *target, enum status status, const char *part)
{
	(void)expect_open(target, status, part);
}

/* The cipher in use; "" without TLS. */
static const char *cipher_of(struct mysql_session *asked)
{
	struct db_rows rows;
	struct error error;

	if (mysql_session_query(asked, "SHOW SESSION STATUS LIKE 'Ssl_cipher'", NULL, &rows,
				&error) != STATUS_OK ||
	    rows.count != 1)
		fail_msg("no Ssl_cipher");
	return rows.cells[1];
}

static bool server_has_tls(void)
{
	return *cipher_of(&here) != '\0';
}

/* Writes a file for the test; the caller removes it. */
static const char *write_file(const char *content)
{
	char *path = arena_strdup(here.arena, "/tmp/dray-mysql-test-XXXXXX");
	int fd = mkostemp(path, O_CLOEXEC);

	assert_true(fd >= 0);
	close(fd);
	test_write_file(path, content);
	return path;
}

CASE(urls_are_checked)
{
	static const char *const urls[] = {
		"mysql://h/d?sslmode=require",
		"mysql://h/d?ssl-mode=maybe",
		"mysql://h/d?ssl-mode=VERIFY_CA",
		"mysql://h/d?ssl-mode=REQUIRED&ssl-ca=/ca.pem",
		"mysql://h/d?ssl-cert=/c.pem",
		"mysql://h/d?charset=latin1",
		"mysql://h/d?connect_timeout=0",
		"mysql://h/d?connect_timeout=soon",
		"mysql://u:s3cret@h",
		"mysql://u:s3cret@h/",
	};
	struct arena *arena = arena_new();
	const char *said = "";

	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		struct mysql_session opened;
		struct error error = { 0 };
		assert_status(mysql_session_try(&opened, urls[i], NULL, &error), STATUS_INVALID,
			      &error);
		assert_null(strstr(error.text, "s3cret"));
		said = arena_printf(arena, "%s%s\n", said, error.text);
	}
	assert_wording("mysql.bad_urls", said);
	arena_free(arena);
}

MYSQL_CASE(a_session_has_what_the_queue_needs)
{
	assert_cell("SELECT @@SESSION.time_zone", "+00:00");
	assert_cell("SELECT NOW() = UTC_TIMESTAMP()", "1");
	assert_cell("SELECT @@SESSION.autocommit", "1");
	assert_cell("SELECT @@SESSION.sql_mode", "STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION");
	assert_cell("SELECT @@SESSION.sql_safe_updates", "0");
	assert_cell("SELECT @@SESSION.sql_select_limit", "18446744073709551615");
	assert_cell("SELECT @@SESSION.sql_big_selects", "1");
	assert_cell("SELECT @@SESSION.completion_type", "NO_CHAIN");
	assert_cell("SELECT @@SESSION.character_set_connection", "utf8mb4");
	assert_cell("SELECT @@SESSION.character_set_results", "utf8mb4");
	assert_cell("SELECT @@SESSION.innodb_lock_wait_timeout <= 5", "1");
	assert_cell("SELECT @@SESSION.lock_wait_timeout <= 5", "1");
	assert_cell(here_server == TEST_MARIADB ? "SELECT @@SESSION.tx_isolation"
						: "SELECT @@SESSION.transaction_isolation",
		    "READ-COMMITTED");
	assert_ptr_equal(strstr(here.connection->server,
				here_server == TEST_MARIADB ? "MariaDB " : "MySQL "),
			 here.connection->server);
}

MYSQL_CASE(sockets_are_closed_on_exec)
{
	int sockets = 0;

	for (int fd = 3; fd < 256; fd++) {
		int flags = fcntl(fd, F_GETFD);
		char path[64];
		char what[64] = "";

		(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		if (flags < 0 || readlink(path, what, sizeof(what) - 1) < 0 ||
		    strncmp(what, "socket:", 7) != 0)
			continue;
		sockets++;
		assert_true((flags & FD_CLOEXEC) != 0);
	}
	assert_int_equal(sockets, 1);
}

MYSQL_CASE(tls_is_used_as_asked)
{
	static const struct mysql_target disabled = { .options = "ssl-mode=DISABLED" };
	static const struct mysql_target required = { .options = "ssl-mode=REQUIRED" };
	struct mysql_session opened;

	opened = expect_open(&disabled, STATUS_OK, NULL);
	assert_string_equal(cipher_of(&opened), "");
	mysql_session_close(&opened);
	if (!server_has_tls()) {
		expect_refusal(&required, STATUS_INVALID, "offers no TLS");
		return;
	}
	opened = expect_open(&required, STATUS_OK, NULL);
	assert_string_not_equal(cipher_of(&opened), "");
	mysql_session_close(&opened);
}

MYSQL_CASE(tls_verifies_the_server)
{
	if (!server_has_tls()) {
		print_message("this server has no TLS\n");
		skip();
	}
	const char *pem = mysql_session_cell(
		&here, "SELECT LOAD_FILE(CONCAT(@@datadir, IFNULL(@@ssl_ca, 'none')))");
	if (strncmp(pem, "-----BEGIN", 10) != 0) {
		print_message("the server's CA cannot be read (secure_file_priv)\n");
		skip();
	}
	const char *right = write_file(pem);
	const char *wrong = write_file(stranger);
	const struct mysql_target trusted = {
		.options = arena_printf(here.arena, "ssl-mode=VERIFY_CA&ssl-ca=%s", right)
	};
	const struct mysql_target by_default = { .options = arena_printf(here.arena, "ssl-ca=%s",
									 right) };
	const struct mysql_target unknown = {
		.options = arena_printf(here.arena, "ssl-mode=VERIFY_CA&ssl-ca=%s", wrong)
	};
	/* The certificate a server makes for itself names no host. */
	const struct mysql_target renamed = {
		.options = arena_printf(here.arena, "ssl-mode=VERIFY_IDENTITY&ssl-ca=%s", right)
	};
	struct mysql_session opened = expect_open(&trusted, STATUS_OK, NULL);
	assert_string_not_equal(cipher_of(&opened), "");
	mysql_session_close(&opened);
	opened = expect_open(&by_default, STATUS_OK, NULL);
	mysql_session_close(&opened);
	expect_refusal(&unknown, STATUS_DOWN, NULL);
	expect_refusal(&renamed, STATUS_DOWN, NULL);
	unlink(right);
	unlink(wrong);
}

/* For any host, and for the one where servers may have a user without a name. */
static void create_user(const char *user, const char *plugin)
{
	static const char *const hosts[] = { "%", "localhost" };

	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
		mysql_session_execute(&here,
				      arena_printf(here.arena,
						   "CREATE USER %s@'%s' IDENTIFIED %s BY 's3cret?';"
						   "GRANT ALL ON *.* TO %s@'%s'",
						   user, hosts[i], plugin, user, hosts[i]));
}

static void drop_user(const char *user)
{
	mysql_session_execute(
		&here, arena_printf(here.arena, "DROP USER %s@'%%', %s@localhost", user, user));
}

/* The first login proves the password itself (by RSA without TLS), later ones only its hash. */
MYSQL_CASE(caching_sha2_password_works)
{
	static const char *const modes[] = { "ssl-mode=DISABLED", "ssl-mode=REQUIRED" };

	if (here_server == TEST_MARIADB)
		skip();
	const char *user = arena_printf(here.arena, "dray_%d", (int)getpid());
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct mysql_target target = { .user = user,
					       .password = "s3cret%3F",
					       .options = modes[i] };
		create_user(user, "WITH caching_sha2_password");
		for (int login = 0; login < 2; login++) {
			struct mysql_session opened = expect_open(&target, STATUS_OK, NULL);
			mysql_session_close(&opened);
		}
		target.password = "wr0ng";
		expect_refusal(&target, STATUS_INVALID, "Access denied");
		drop_user(user);
	}
}

MYSQL_CASE(a_password_can_come_from_a_file)
{
	struct mysql_session opened;
	struct error error;

	struct db_options options = { .password_file = write_file("s3cret?\n") };
	const struct mysql_target target = { .user = arena_printf(here.arena, "dray_file_%d",
								  (int)getpid()) };
	const char *url = mysql_url(here.arena, here_server, &target);
	create_user(target.user, "");
	must(mysql_session_try, &opened, url, &options);
	mysql_session_close(&opened);
	unlink(options.password_file);
	assert_int_equal(mysql_session_try(&opened, url, &options, &error), STATUS_INVALID);
	assert_non_null(strstr(error.text, "password file"));
	drop_user(target.user);
}

MYSQL_CASE(what_is_wrong_with_a_login_is_said)
{
	static const struct mysql_target nobody = { .user = "dray_nobody", .password = "s3cret" };
	static const struct mysql_target nowhere = { .database = "dray_nowhere" };
	static const struct mysql_target closed = { .host = "127.0.0.1", .port = 1 };

	expect_refusal(&nobody, STATUS_INVALID, "Access denied");
	expect_refusal(&nowhere, STATUS_INVALID, "dray_nowhere");
	expect_refusal(&closed, STATUS_DOWN, "127.0.0.1:1");
}

/* Needs no server: a listener that takes the connection and says nothing. */
CASE(a_silent_server_is_down)
{
	const struct db_options options = { .connect_timeout = CLOCK_SECOND / 2 };
	struct mysql_session opened;
	char url[64];
	int listener;
	int port = silent_listener(&listener);

	(void)snprintf(url, sizeof(url), "mysql://root@127.0.0.1:%d/d", port);
	must_be(STATUS_DOWN, mysql_session_try, &opened, url, &options);
	(void)snprintf(url, sizeof(url), "mysql://root@127.0.0.1:%d/d?connect_timeout=1", port);
	must_be(STATUS_DOWN, mysql_session_try, &opened, url, NULL);
	close(listener);
}
