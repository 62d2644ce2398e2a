#include <pthread.h>

#include "tests/support/servers/postgresql.h"

GROUP(pg_set_up, pg_tear_down);

static int64_t count(struct connection *connection)
{
	return pg_number(connection, "SELECT count(*) FROM things");
}

/* Renames the thing of a number (the guard) and adds another one. */
static void guarded_script(struct pg_script *script)
{
	pg_script(script, "guarded", false);
	pg_add(script, "UPDATE things SET name = 'seen' WHERE id = $1", PG_GUARD);
	pg_add(script, "INSERT INTO things (id) VALUES ($1 + 1000)", 0);
	pg_add(script, "SELECT count(*) FROM things WHERE id > 1000", PG_ROWS);
}

static void insert_script(struct pg_script *script)
{
	pg_script(script, "insert", false);
	pg_add(script, "INSERT INTO things (id) VALUES ($1), ($1 + 1)", 0);
}

struct two {
	struct pg_script guarded;
	struct pg_script insert;
	struct db_value ids[2];
	struct db_rows rows[2];
	struct driver_call calls[2];
	struct error error;
};

/* The guarded script on `first`, then two things from `second` on, in one run. */
static enum status run_two(struct connection *connection, struct arena *arena, struct two *two,
			   int64_t first, int64_t second)
{
	*two = (struct two){ .ids = { P_INT(first), P_INT(second) } };
	guarded_script(&two->guarded);
	insert_script(&two->insert);
	two->calls[0] = (struct driver_call){ .script = &two->guarded.script,
					      .values = &two->ids[0],
					      .rows = &two->rows[0] };
	two->calls[1] = (struct driver_call){ .script = &two->insert.script,
					      .values = &two->ids[1],
					      .rows = &two->rows[1] };
	return postgresql_driver.run(connection, arena, two->calls, 2, &two->error);
}

PG_CASE(a_guard_that_finds_nothing_stops_its_call_only)
{
	struct two two;

	assert_int_equal(run_two(connection, arena, &two, 7, 1), STATUS_OK);
	assert_true(two.calls[0].none);
	assert_false(two.calls[1].none);
	assert_int_equal(two.rows[0].changed, 0);
	assert_int_equal(two.rows[0].count, 0);
	assert_int_equal(two.rows[1].changed, 2);
	assert_int_equal(count(connection), 2);
	assert_int_equal(run_two(connection, arena, &two, 1, 3), STATUS_OK);
	assert_false(two.calls[0].none);
	assert_int_equal(two.rows[0].changed, 1);
	assert_int_equal(db_int(&two.rows[0], 0, 0), 1);
	assert_int_equal(count(connection), 5);
}

PG_CASE(nothing_found_is_nothing_done)
{
	struct db_value id = P_INT(9);
	struct pg_script script;
	struct db_rows rows = { 0 };

	guarded_script(&script);
	assert_int_equal(pg_run(connection, arena, &script, &id, NULL), STATUS_NONE);
	pg_script(&script, "single", false);
	pg_add(&script, "DELETE FROM things WHERE id = $1", PG_GUARD);
	assert_int_equal(pg_run(connection, arena, &script, &id, &rows), STATUS_NONE);
	pg_execute(connection, "INSERT INTO things (id) VALUES (9)");
	assert_int_equal(pg_run(connection, arena, &script, &id, &rows), STATUS_OK);
	assert_int_equal(rows.changed, 1);
	assert_int_equal(count(connection), 0);
}

/* What comes first is undone with what fails later, before or after a decision. */
PG_CASE(a_run_is_one_transaction)
{
	struct two two;

	pg_execute(connection, "INSERT INTO things (id) VALUES (1)");
	assert_int_equal(run_two(connection, arena, &two, 1, 1), STATUS_CONFLICT);
	assert_int_equal(count(connection), 1);
	assert_int_equal(pg_number(connection, "SELECT count(name) FROM things"), 0);
	assert_int_equal(run_two(connection, arena, &two, 2, 1), STATUS_CONFLICT);
	assert_int_equal(run_two(connection, arena, &two, 1, 3), STATUS_OK);
	assert_int_equal(count(connection), 4);
}

PG_CASE(a_lock_is_a_transaction_that_runs_join)
{
	struct connection *second = pg_open("", CLOCK_SECOND / 2);
	struct db_value id = P_INT(1);
	struct pg_script script;
	struct error error = { 0 };

	insert_script(&script);
	assert_int_equal(postgresql_driver.lock(connection, &error), STATUS_OK);
	/* RETRY when the server gave up waiting, DOWN when we did. */
	enum status status = postgresql_driver.lock(second, &error);
	assert_true(status == STATUS_RETRY || status == STATUS_DOWN);
	assert_int_equal(pg_run(connection, arena, &script, &id, NULL), STATUS_OK);
	pg_execute(connection, "CREATE TABLE made (a int); INSERT INTO things (id) VALUES (3)");
	assert_int_equal(postgresql_driver.unlock(connection, false, &error), STATUS_OK);
	assert_int_equal(count(connection), 0);
	assert_int_equal(postgresql_driver.lock(connection, &error), STATUS_OK);
	assert_int_equal(pg_run(connection, arena, &script, &id, NULL), STATUS_OK);
	assert_int_equal(postgresql_driver.unlock(connection, true, &error), STATUS_OK);
	assert_int_equal(count(connection), 2);
	assert_int_equal(postgresql_driver.lock(connection, &error), STATUS_OK);
	assert_int_equal(postgresql_driver.execute(connection, "SELECT 1; SELECT 1/0", &error),
			 STATUS_INVALID);
	assert_int_not_equal(postgresql_driver.unlock(connection, true, &error), STATUS_OK);
	assert_int_equal(count(connection), 2);
	pg_close(second);
}

/* A run on a connection of its own, in a thread, that the main thread can hold up. */
struct runner {
	pthread_t thread;
	struct connection *connection;
	struct pg_script script;
	enum status status;
	struct error error;
};

#define BARRIER "8233"

static void *runner_main(void *context)
{
	struct runner *runner = context;
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	struct driver_call call = { .script = &runner->script.script, .rows = &rows };

	runner->status = postgresql_driver.run(runner->connection, arena, &call, 1, &runner->error);
	arena_free(arena);
	return NULL;
}

/* Does `before`, waits at the barrier, does `after`. */
static void runner_start(struct runner *runner, const char *before, const char *after)
{
	runner->connection = pg_open("", 0);
	pg_script(&runner->script, "runner", false);
	pg_add(&runner->script, before, 0);
	pg_add(&runner->script, "SELECT pg_advisory_xact_lock_shared(" BARRIER ")", 0);
	pg_add(&runner->script, after, 0);
	assert_int_equal(pthread_create(&runner->thread, NULL, runner_main, runner), 0);
}

static enum status runner_end(struct runner *runner)
{
	assert_int_equal(pthread_join(runner->thread, NULL), 0);
	return runner->status;
}

static void await_waiting(struct connection *connection, int64_t waiting)
{
	pg_await(connection,
		 "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = " BARRIER
		 " AND NOT granted",
		 waiting);
}

PG_CASE(a_deadlock_is_to_be_retried)
{
	struct runner runners[2] = { 0 };

	pg_execute(connection, "INSERT INTO things VALUES (1, ''), (2, '');"
			       "SELECT pg_advisory_lock(" BARRIER ")");
	runner_start(&runners[0], "UPDATE things SET name = name || 'a' WHERE id = 1",
		     "UPDATE things SET name = name || 'a' WHERE id = 2");
	runner_start(&runners[1], "UPDATE things SET name = name || 'b' WHERE id = 2",
		     "UPDATE things SET name = name || 'b' WHERE id = 1");
	await_waiting(connection, 2);
	pg_execute(connection, "SELECT pg_advisory_unlock(" BARRIER ")");
	enum status first = runner_end(&runners[0]);
	enum status second = runner_end(&runners[1]);
	assert_true((first == STATUS_RETRY && second == STATUS_OK) ||
		    (first == STATUS_OK && second == STATUS_RETRY));
	assert_int_equal(pg_number(connection, "SELECT sum(length(name)) FROM things"), 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(count(runners[i].connection), 2);
		pg_close(runners[i].connection);
	}
}

/* The server says that it ends the session, so nothing was committed: DOWN, not UNCERTAIN. */
PG_CASE(a_killed_session_is_down)
{
	struct runner runner = { 0 };

	pg_execute(connection, "SELECT pg_advisory_lock(" BARRIER ")");
	runner_start(&runner, "INSERT INTO things (id) VALUES (1)",
		     "INSERT INTO things (id) VALUES (2)");
	await_waiting(connection, 1);
	pg_execute(connection, "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE "
			       "locktype = 'advisory' AND objid = " BARRIER " AND NOT granted");
	assert_int_equal(runner_end(&runner), STATUS_DOWN);
	assert_true(runner.connection->broken);
	pg_close(runner.connection);
	assert_int_equal(count(connection), 0);
}

PG_CASE(a_session_killed_while_idle_is_down)
{
	struct connection *idle = pg_open("", 0);
	struct db_value id = P_INT(1);
	struct pg_script script;

	int64_t pid = pg_number(idle, "SELECT pg_backend_pid()");
	pg_execute(connection, "SELECT pg_terminate_backend(%d)", (int)pid);
	char left[80];
	snprintf(left, sizeof(left), "SELECT count(*) FROM pg_stat_activity WHERE pid = %d",
		 (int)pid);
	pg_await(connection, left, 0);
	insert_script(&script);
	assert_int_equal(pg_run(idle, arena, &script, &id, NULL), STATUS_DOWN);
	assert_true(idle->broken);
	print_message("%s\n", pg_error());
	pg_close(idle);
	idle = pg_open("", 0);
	assert_int_equal(pg_run(idle, arena, &script, &id, NULL), STATUS_OK);
	assert_int_equal(count(connection), 2);
	pg_close(idle);
}
