/* A transaction that ends before it is committed, without an error. */
#include "db/driver.h"
#include "tests/support/database.h"

#define MOST 4

/* One script of these statements (up to NULL); the one at `guard` is a guard. */
static enum status run(struct test_db *test, struct connection *connection,
		       const char *const *statements, int guard, struct error *error)
{
	static unsigned id;
	struct statement made[MOST] = { 0 };
	struct script script = { .name = "test_script", .statements = made };
	struct db_rows rows = { 0 };
	struct driver_call call = { .script = &script, .rows = &rows };

	for (int i = 0; i < MOST && statements[i]; i++) {
		struct statement *statement = &script.statements[i];
		statement->sql = statements[i];
		statement->guard = i == guard;
		statement->id = id++;
		script.statement_count++;
	}
	return connection->driver->run(connection, test->arena, &call, 1, error);
}

static int64_t things(struct test_db *test, const char *where)
{
	return sql_number(test, "SELECT count(*) FROM things %s", where);
}

DB_CASE_ON_EMPTY(a_transaction_that_ended_is_retry)
{
	static const char *const ended[] = { "INSERT INTO things (id) VALUES (1)", "COMMIT",
					     "INSERT INTO things (id) VALUES (2)", NULL };
	static const char *const whole[] = { "INSERT INTO things (id) VALUES (3)",
					     "INSERT INTO things (id) VALUES (4)", NULL };
	struct error error = { 0 };

	test_execute(test->db, "CREATE TABLE things (id bigint)");
	struct connection *connection = test_driver_open(test->arena, test->url);
	assert_status(run(test, connection, ended, -1, &error), STATUS_RETRY, &error);
	assert_contains(error.text, "transaction");
	/* The connection is as good as before. */
	assert_false(connection->broken);
	must(run, test, connection, whole, -1);
	assert_int_equal(things(test, "WHERE id > 2"), 2);
	connection->driver->close(connection);
}

/* And nothing more is done once it is known. */
DB_CASE_ON_EMPTY(nothing_is_done_behind_it)
{
	static const char *const ended[] = { "COMMIT", "UPDATE things SET id = 2 WHERE id = 1",
					     "DELETE FROM things", NULL };

	test_execute(test->db, "CREATE TABLE things (id bigint)");
	test_execute(test->db, "INSERT INTO things (id) VALUES (1)");
	struct connection *connection = test_driver_open(test->arena, test->url);
	must_be(STATUS_RETRY, run, test, connection, ended, 1);
	assert_int_equal(things(test, ""), 1);
	connection->driver->close(connection);
}
