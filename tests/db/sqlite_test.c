/* What can happen to SQLite's file under a running deployment. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "db/schema.h"
#include "tests/support/invariant.h"
#include "tests/support/queue.h"

static const char *file_of(const struct test_db *test)
{
	return strchr(test->url, ':') + 1;
}

static void move_file(struct arena *arena, const char *from, const char *to)
{
	static const char *const suffixes[] = { "", "-wal", "-shm" };

	for (size_t i = 0; i < 3; i++)
		(void)rename(arena_printf(arena, "%s%s", from, suffixes[i]),
			     arena_printf(arena, "%s%s", to, suffixes[i]));
}

static enum status look(struct test_db *test, struct db_rows *rows, struct error *error)
{
	const struct db_value values[] = { DB_P_INT("process_id", 1) };

	return db_query(test->db, test->arena, "waiting", values, 1, rows, error);
}

/* Nothing is written where nobody reads it, nothing is made anew, and the file may come back. */
static void a_moved_file_is_an_outage(void **state)
{
	struct test_db *test = *state;
	const char *file = file_of(test);
	const char *other = arena_printf(test->arena, "%s.moved", file);
	const struct new_job job = { .class_name = "Moved" };
	struct enqueued result;
	struct db_rows rows;
	struct error error = { 0 };

	assert_ok(look(test, &rows, &error), &error);
	move_file(test->arena, file, other);
	assert_status(look(test, &rows, &error), STATUS_DOWN, &error);
	assert_contains(error.text, "there is no database sqlite3:");
	assert_status(enqueue(test->db, &job, 1, &result, &error), STATUS_DOWN, &error);
	assert_status(db_sync_clock(test->db, &error), STATUS_DOWN, &error);
	assert_int_not_equal(access(file, F_OK), 0);
	move_file(test->arena, other, file);
	assert_ok(enqueue(test->db, &job, 1, &result, &error), &error);
	assert_int_equal(rows_of(test, "ready_executions"), 1);
}

static void a_replaced_file_is_the_one_that_counts(void **state)
{
	struct test_db *test = *state;
	const char *file = file_of(test);
	const char *other = arena_printf(test->arena, "%s.new", file);
	struct error error = { 0 };
	struct db_rows rows;
	size_t applied;
	struct db *db = test_db_open(arena_printf(test->arena, "sqlite3:%s", other));

	assert_ok(schema_migrate(db, test->arena, &applied, &error), &error);
	put(db, "default", 0);
	db_close(db);
	assert_ok(look(test, &rows, &error), &error);
	assert_int_equal(db_int(&rows, 0, 0), 0);
	move_file(test->arena, file, arena_printf(test->arena, "%s.old", file));
	move_file(test->arena, other, file);
	assert_ok(look(test, &rows, &error), &error);
	assert_int_equal(db_int(&rows, 0, 0), 1);
}

/* The log may not grow: what a full disk or a quota does. All or none, and then all again. */
static int enqueue_without_room(unsigned index, void *data)
{
	struct test_db *test = data;
	struct rlimit limit;
	struct new_job jobs[100];
	struct enqueued results[100];
	struct error error = { 0 };
	struct db *db = test_db_open(test->url);

	(void)index;
	(void)signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = 65536;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (size_t i = 0; i < 100; i++)
		jobs[i] = (struct new_job){ .class_name = "Room" };
	assert_true(enqueue(db, jobs, 100, results, &error) != STATUS_OK);
	assert_int_equal(test_query_int(test->url, "SELECT count(*) FROM solid_queue_jobs"), 0);
	limit.rlim_cur = limit.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_ok(enqueue(db, jobs, 100, results, &error), &error);
	db_close(db);
	return 0;
}

static void no_room_loses_nothing(void **state)
{
	struct test_db *test = *state;
	const struct test_function function = { .run = enqueue_without_room, .data = test };

	test_in_children(&function, 1);
	assert_int_equal(rows_of(test, "jobs"), 100);
	test_invariant(test->db);
}

static void a_missing_file_is_refused_at_first(void **state)
{
	const struct db_options options = { .must_exist = true };
	struct test_db *test = *state;
	const char *file = arena_printf(test->arena, "%s.none", file_of(test));
	const char *url = arena_printf(test->arena, "sqlite3:%s", file);
	struct error error = { 0 };
	struct db *db;

	assert_status(db_open(&db, url, &options, &error), STATUS_INVALID, &error);
	assert_int_not_equal(access(file, F_OK), 0);
}

int main(void)
{
	static const struct test_case cases[] = {
		TEST_ONLY(a_moved_file_is_an_outage, "sqlite"),
		TEST_ONLY(a_replaced_file_is_the_one_that_counts, "sqlite"),
		TEST_ONLY(no_room_loses_nothing, "sqlite"),
		TEST_ONLY(a_missing_file_is_refused_at_first, "sqlite"),
	};

	return test_run_backends("sqlite", cases, sizeof(cases) / sizeof(cases[0]));
}
