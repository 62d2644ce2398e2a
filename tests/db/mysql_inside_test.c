/* Transactions that end unseen: the flags in the server's answers, here forged, tell. */
#include "tests/support/servers/forger.h"
#include "tests/support/servers/mysql_session.h"

static const char schema[] =
	"CREATE TABLE things (id BIGINT NOT NULL PRIMARY KEY, n INT NOT NULL DEFAULT 0)\n"
	" ENGINE=InnoDB;\n";

MYSQL_GROUP(schema, "DELETE FROM things; INSERT INTO things (id) VALUES (1), (2), (3)");

/* OK, its flag, and a result set's. */
static const struct test_sql work[] = { { .text = "UPDATE things SET n = n + 1 WHERE id = 1" },
					{ .text = "SELECT id FROM things WHERE id < 3",
					  .rows = true },
					{ .text = "UPDATE things SET n = n + 1 WHERE id = 2" },
					{ 0 } };

struct forged {
	struct forger forger;
	struct mysql_session session;
	struct error error;
};

static void open_forged(struct forged *forged, enum forgery forgery, unsigned at)
{
	struct arena *arena = arena_new();
	struct db_url direct = mysql_server_url(arena, here_server);

	memset(forged, 0, sizeof(*forged));
	forged->forger = forger_start(direct.host, direct.port, forgery, at);
	struct mysql_target target = { .host = "127.0.0.1",
				       .port = forged->forger.port,
				       .options = "ssl-mode=DISABLED" };
	assert_ok(mysql_session_try(&forged->session, mysql_url(arena, here_server, &target), NULL,
				    &forged->error),
		  &forged->error);
	arena_free(arena);
}

static enum status run(struct forged *forged)
{
	struct driver_call call;

	return mysql_session_script(&forged->session, work, NULL, &call, &forged->error);
}

/* True when it did what it is there for. */
static bool close_forged(struct forged *forged)
{
	mysql_session_close(&forged->session);
	return forger_end(&forged->forger);
}

/* Whichever statement it is, and that there is nothing to be committed after the last. */
MYSQL_CASE(a_flag_that_falls_is_retry)
{
	struct forged forged;

	for (unsigned at = 1; at <= 3; at++) {
		open_forged(&forged, FORGE_FLAG, at);
		assert_status(run(&forged), STATUS_RETRY, &forged.error);
		assert_contains(forged.error.text, "the server has ended the transaction");
		assert_string_equal(mysql_session_cell(&here, "SELECT SUM(n) FROM things"), "0");
		assert_ok(run(&forged), &forged.error);
		assert_true(close_forged(&forged));
		assert_string_equal(mysql_session_cell(&here, "SELECT SUM(n) FROM things"), "2");
		mysql_session_execute(&here, "UPDATE things SET n = 0");
	}
}

/* Really ended: the first update is gone, and the repetition makes up for it. */
MYSQL_CASE(a_transaction_that_was_ended_is_retry)
{
	struct forged forged;

	for (unsigned at = 2; at <= 3; at++) {
		open_forged(&forged, FORGE_END, at);
		assert_status(run(&forged), STATUS_RETRY, &forged.error);
		assert_string_equal(mysql_session_cell(&here, "SELECT n FROM things WHERE id = 1"),
				    "0");
		assert_ok(run(&forged), &forged.error);
		assert_true(close_forged(&forged));
		assert_string_equal(mysql_session_cell(&here, "SELECT n FROM things WHERE id = 1"),
				    "1");
		mysql_session_execute(&here, "UPDATE things SET n = 0");
	}
}

/* What Galera does not tell when it is asked to prepare a statement: so it never is, inside. */
MYSQL_CASE(nothing_is_prepared_inside_a_transaction)
{
	struct forged forged;

	open_forged(&forged, FORGE_END_PREPARING, 1);
	assert_ok(run(&forged), &forged.error);
	assert_false(close_forged(&forged));
	assert_string_equal(mysql_session_cell(&here, "SELECT SUM(n) FROM things"), "2");
}
