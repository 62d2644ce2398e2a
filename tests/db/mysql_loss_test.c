/* The MySQL driver when others are in the way or the server goes away. */
#include <pthread.h>

#include "db/operations.h"
#include "tests/support/query.h"
#include "tests/support/servers/forwarder.h"
#include "tests/support/servers/mysql_session.h"

/* For transactions that are to be idle for as long as a test takes. */
#define HOLD "SET wait_timeout = 600 /*M! , idle_transaction_timeout = 0 */;"

static const char schema[] =
	"CREATE TABLE things (id BIGINT NOT NULL PRIMARY KEY, n INT NOT NULL DEFAULT 0)\n"
	" ENGINE=InnoDB;\n"
	"CREATE TABLE numbered (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, n INT NOT NULL)\n"
	" ENGINE=InnoDB;\n";

MYSQL_GROUP(schema, "DELETE FROM things;"
		    "INSERT INTO things (id) VALUES (1), (2), (3), (4), (5)");

/* One script run in a thread of its own, with its connection. */
struct other {
	pthread_t thread;
	int64_t call_timeout;
	const struct test_sql *sql;
	struct mysql_session session;
	struct error error;
	enum status status;
};

static void *run_other(void *context)
{
	struct other *other = context;
	struct driver_call call;

	other->status =
		mysql_session_script(&other->session, other->sql, NULL, &call, &other->error);
	return NULL;
}

static void start_other(struct other *other)
{
	other->session = mysql_session_open(here_server, other->call_timeout);
	assert_int_equal(pthread_create(&other->thread, NULL, run_other, other), 0);
}

static void expect_status(const struct other *other, enum status expected)
{
	if (other->status != expected)
		fail_msg("%s (%s), expected %s", status_name(other->status), other->error.text,
			 status_name(expected));
}

/*
 * Until the other one is in its statement about row 1, which this session has locked: it can only
 * wait there. (innodb_trx would tell, but shows an old copy while anyone reads it often.)
 */
static void await_lock_wait(const struct other *other)
{
	mysql_session_await(&here, arena_printf(here.arena,
						"SELECT COUNT(*) FROM " TEST_SESSIONS " "
						"WHERE id = %lld AND info LIKE 'UPDATE%%id = 1'",
						(long long)other->session.id));
}

MYSQL_CASE(a_deadlock_is_retry)
{
	const struct test_sql sql[] = { { .text = "UPDATE things SET n = 7 WHERE id = 2" },
					{ .text = "UPDATE things SET n = 7 WHERE id = 1" },
					{ 0 } };
	struct other other = { .sql = sql };

	/* More rows changed here, so that the other one is the victim. */
	mysql_session_execute(&here, HOLD "START TRANSACTION;"
					  "UPDATE things SET n = 1 WHERE id IN (1, 3, 4, 5)");
	start_other(&other);
	await_lock_wait(&other);
	mysql_session_execute(&here, "UPDATE things SET n = 1 WHERE id = 2");
	pthread_join(other.thread, NULL);
	expect_status(&other, STATUS_RETRY);
	assert_false(other.session.connection->broken);
	mysql_session_execute(&here, "COMMIT");
	/* Rolled back, and the connection is good for the repetition. */
	run_other(&other);
	expect_status(&other, STATUS_OK);
	assert_string_equal(mysql_session_cell(&here, "SELECT SUM(n) FROM things"), "17");
	mysql_session_close(&other.session);
}

/* Runs the script against a lock on row 1. */
static void expect_retry_behind_a_lock(const struct test_sql *sql, int64_t call_timeout)
{
	struct other other = { .sql = sql, .call_timeout = call_timeout };

	mysql_session_execute(&here,
			      HOLD "START TRANSACTION; UPDATE things SET n = 1 WHERE id = 1");
	start_other(&other);
	pthread_join(other.thread, NULL);
	expect_status(&other, STATUS_RETRY);
	assert_false(other.session.connection->broken);
	mysql_session_execute(&here, "COMMIT");
	assert_string_equal(mysql_session_cell(&here, "SELECT SUM(n) FROM things"), "1");
	mysql_session_close(&other.session);
}

MYSQL_CASE(waiting_too_long_for_a_lock_is_retry)
{
	const struct test_sql change[] = { { .text = "UPDATE things SET n = 7 WHERE id = 2" },
					   { .text = "UPDATE things SET n = 7 WHERE id = 1" },
					   { 0 } };
	/* The error comes where a row is expected. */
	const struct test_sql look[] = {
		{ .text = "SELECT n FROM things WHERE id = 1 FOR UPDATE", .rows = true }, { 0 }
	};

	expect_retry_behind_a_lock(change, 6 * CLOCK_SECOND);
	expect_retry_behind_a_lock(look, 3 * CLOCK_SECOND);
}

/* On MariaDB an insert of many keeps the counter: another error, the same wait. */
MYSQL_CASE(waiting_too_long_for_a_number_is_retry)
{
	const struct test_sql many[] = {
		{ .text = "INSERT INTO numbered (n) SELECT IF(x.n = 1, 0, SLEEP(5)) "
			  "FROM (SELECT 1 AS n UNION ALL SELECT 2) x" },
		{ 0 }
	};
	const struct test_sql one[] = { { .text = "INSERT INTO numbered (n) VALUES (7)" }, { 0 } };
	struct other holder = { .sql = many };
	struct other late = { .sql = one };

	late.session = mysql_session_open(here_server, 3 * CLOCK_SECOND);
	start_other(&holder);
	mysql_session_await(&here, arena_printf(here.arena,
						"SELECT COUNT(*) FROM " TEST_SESSIONS " "
						"WHERE id = %lld AND state = 'User sleep'",
						(long long)holder.session.id));
	run_other(&late);
	expect_status(&late, here_server == TEST_MARIADB ? STATUS_RETRY : STATUS_OK);
	pthread_join(holder.thread, NULL);
	run_other(&late);
	expect_status(&late, STATUS_OK);
	mysql_session_close(&late.session);
	mysql_session_close(&holder.session);
}

MYSQL_CASE(a_killed_connection_is_down)
{
	struct other other = { .sql = (const struct test_sql[]){
				       { .text = "UPDATE things SET n = 9 WHERE id = 1" },
				       { 0 } } };

	other.session = mysql_session_open(here_server, 0);
	mysql_session_execute(&here,
			      arena_printf(here.arena, "KILL %lld", (long long)other.session.id));
	run_other(&other);
	expect_status(&other, STATUS_DOWN);
	assert_true(other.session.connection->broken);
	mysql_session_close(&other.session);
	assert_string_equal(mysql_session_cell(&here, "SELECT SUM(n) FROM things"), "0");
	other.session = mysql_session_open(here_server, 0);
	run_other(&other);
	expect_status(&other, STATUS_OK);
	mysql_session_close(&other.session);
}

MYSQL_CASE(a_connection_killed_in_a_statement_is_down)
{
	const struct test_sql sql[] = { { .text = "UPDATE things SET n = 9 WHERE id = 2" },
					{ .text = "UPDATE things SET n = 9 WHERE id = 1" },
					{ 0 } };
	struct other other = { .sql = sql };

	mysql_session_execute(&here,
			      HOLD "START TRANSACTION; UPDATE things SET n = 1 WHERE id = 1");
	start_other(&other);
	await_lock_wait(&other);
	mysql_session_execute(&here,
			      arena_printf(here.arena, "KILL %lld", (long long)other.session.id));
	pthread_join(other.thread, NULL);
	expect_status(&other, STATUS_DOWN);
	assert_true(other.session.connection->broken);
	mysql_session_execute(&here, "COMMIT");
	assert_string_equal(mysql_session_cell(&here, "SELECT SUM(n) FROM things"), "1");
	mysql_session_close(&other.session);
}

/* Also over TLS, where Connector/C has a way of its own to wait. */
MYSQL_CASE(an_answer_that_does_not_come_is_down)
{
	static const char *const modes[] = { "ssl-mode=DISABLED", "ssl-mode=PREFERRED" };
	const struct db_options options = { .call_timeout = CLOCK_SECOND };

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		const struct mysql_target target = { .options = modes[i] };
		const char *url = mysql_url(here.arena, here_server, &target);
		struct mysql_session slow;
		struct db_rows rows;

		must_be(STATUS_OK, mysql_session_try, &slow, url, &options);
		must_be(STATUS_DOWN, mysql_session_query, &slow, "SELECT SLEEP(600)", NULL, &rows);
		assert_true(slow.connection->broken);
		mysql_session_close(&slow);
		/* An answer within the time is waited for. */
		must_be(STATUS_OK, mysql_session_try, &slow, url, NULL);
		assert_string_equal(mysql_session_cell(&slow, "SELECT SLEEP(1.5)"), "0");
		mysql_session_close(&slow);
	}
}

MYSQL_CASE(a_read_only_server_is_down)
{
	const struct test_sql sql[] = { { .text = "UPDATE things SET n = 9 WHERE id = 1" }, { 0 } };
	struct other other = { .sql = sql };

	other.session = mysql_session_open(here_server, 0);
	mysql_session_execute(&other.session, "SET SESSION TRANSACTION READ ONLY");
	run_other(&other);
	expect_status(&other, STATUS_DOWN);
	mysql_session_close(&other.session);
}

/* Runs the script through a forwarder that cuts the connection at the request with this text. */
static void run_cut(struct other *other, const char *text, enum forwarder_mode mode)
{
	struct forwarder forwarder;
	const char *url = mysql_url(here.arena, here_server, NULL);

	url = forwarder_url(&forwarder, here.arena, url);
	must(mysql_session_try, &other->session, url, NULL);
	forwarder_cut(&forwarder, mode, text, FORWARDER_PASS);
	run_other(other);
	assert_true(other->session.connection->broken);
	mysql_session_close(&other->session);
	forwarder_stop(&forwarder);
}

MYSQL_CASE(a_connection_lost_while_committing_is_uncertain)
{
	const struct test_sql sql[] = { { .text = "UPDATE things SET n = n + 1 WHERE id = 1" },
					{ 0 } };

	for (int after = 0; after <= 1; after++) {
		struct other other = { .sql = sql };
		run_cut(&other, "COMMIT", after ? FORWARDER_CUT_ANSWER : FORWARDER_CUT_REQUEST);
		expect_status(&other, STATUS_UNCERTAIN);
		assert_int_equal(other.error.status, STATUS_UNCERTAIN);
		/* Both were possible, and the caller could not know. */
		assert_string_equal(mysql_session_cell(&here, "SELECT n FROM things WHERE id = 1"),
				    after == 1 ? "1" : "0");
	}
}

MYSQL_CASE(a_connection_lost_before_the_commit_is_down)
{
	const struct test_sql sql[] = { { .text = "UPDATE things SET n = 3 WHERE id = 1" },
					{ .text = "UPDATE things SET n = 4 WHERE id = 12345" },
					{ 0 } };
	struct other other = { .sql = sql };

	run_cut(&other, "id = 12345", FORWARDER_CUT_ANSWER);
	expect_status(&other, STATUS_DOWN);
	assert_string_equal(mysql_session_cell(&here, "SELECT SUM(n) FROM things"), "0");
}

MYSQL_CASE(one_process_migrates_at_a_time)
{
	struct mysql_session first;
	struct mysql_session second;

	first = mysql_session_open(here_server, 0);
	second = mysql_session_open(here_server, CLOCK_SECOND);
	must_be(STATUS_OK, mysql_driver.lock, first.connection);
	must_be(STATUS_RETRY, mysql_driver.lock, second.connection);
	must_be(STATUS_OK, mysql_driver.unlock, first.connection, true);
	must_be(STATUS_OK, mysql_driver.lock, second.connection);
	/* A process that dies gives it back. */
	mysql_session_close(&second);
	must_be(STATUS_OK, mysql_driver.lock, first.connection);
	mysql_session_close(&first);
}

#define THE_OTHERS " FROM " TEST_SESSIONS " WHERE db = DATABASE() AND id <> CONNECTION_ID()"

/* An idle connection that the server closed costs nothing. Earlier cases' may still leave. */
static void kill_the_other(void)
{
	mysql_session_await(&here, "SELECT COUNT(*) = 1" THE_OTHERS);
	mysql_session_execute(&here,
			      arena_printf(here.arena, "KILL %s",
					   mysql_session_cell(&here, "SELECT id" THE_OTHERS)));
}

/* By db_run and by a heartbeat's look at the clock, which is no run. */
MYSQL_CASE(a_lost_idle_connection_is_replaced)
{
	struct db_rows rows;
	struct db *db;

	must(db_open, &db, mysql_url(here.arena, here_server, NULL), NULL);
	kill_the_other();
	must(db_query, db, here.arena, DB_PLAIN(clock), &rows);
	assert_true(db_int(&rows, 0, CLOCK_MICROSECONDS) > INT64_C(1700000000) * CLOCK_SECOND);
	kill_the_other();
	must(db_sync_clock, db);
	db_close(db);
}

/* A client that has vanished, or is frozen, does not keep its locks for hours. */
MYSQL_CASE(a_silent_session_is_ended)
{
	struct mysql_session other = mysql_session_open(here_server, 2 * CLOCK_SECOND);

	struct db_rows rows;

	mysql_session_execute(&other, "START TRANSACTION; UPDATE things SET n = 1 WHERE id = 1");
	/* Until it has let go. */
	mysql_session_await(&here,
			    "SELECT COUNT(*) FROM things WHERE id = 1 FOR UPDATE SKIP LOCKED");
	must_be(STATUS_DOWN, mysql_session_query, &other, "SELECT 1", NULL, &rows);
	mysql_session_close(&other);
}
