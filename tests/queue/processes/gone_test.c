/* Who was buried or pruned is remembered, for people an hour, and nobody else. */
#include "common/text/text.h"
#include "queue/processes/loss.h"
#include "tests/support/queue.h"

static size_t list(struct test_db *test, struct gone **gone)
{
	size_t count;

	must(gone_list, test->db, test->arena, gone, &count);
	return count;
}

static struct gone the_only(struct test_db *test)
{
	struct gone *gone;

	assert_int_equal(list(test, &gone), 1);
	return gone[0];
}

static void bury_as(struct test_db *test, const char *name, enum status expected)
{
	const struct burial burial = { name, 4711, "Received unhandled signal 9." };
	const struct loss_policy policy = { .max_losses = 1 };
	struct loss_result result;

	must_be(expected, process_bury, test->db, &burial, &policy, &result);
}

static int64_t rows(struct test_db *test)
{
	return sql_number(test, "SELECT count(*) FROM dray_gone");
}

static bool clear(struct test_db *test)
{
	bool more;

	must(gone_clear, test->db, &more);
	return more;
}

DB_CASE(a_buried_process_is_remembered)
{
	int64_t before = db_now(test->db);

	for (int i = 0; i < 3; i++)
		put(test->db, "a", 0);
	test_execute(test->db, "INSERT INTO dray_losses (job_id, losses, last_lost_at) SELECT "
			       "min(id), 1, '2026-01-01 00:00:00' FROM solid_queue_jobs");
	int64_t process = register_worker(test->db, "w");
	take_all(test, process, 3);
	bury_as(test, "w", STATUS_OK);
	bury_as(test, "w", STATUS_NONE);
	struct gone gone = the_only(test);
	assert_int_equal(gone.process_id, process);
	assert_string_equal(gone.kind, "Worker");
	assert_string_equal(gone.name, "w");
	assert_string_equal(gone.hostname, "test");
	assert_int_equal(gone.pid, 1);
	assert_string_equal(gone.how, "Received unhandled signal 9.");
	assert_int_equal(gone.released, 2);
	assert_int_equal(gone.failed, 1);
	assert_true(gone.at >= before && gone.last_heartbeat_at <= gone.at);
}

DB_CASE(a_pruned_process_is_remembered)
{
	const struct prune prune = prune_after(30 * CLOCK_SECOND, 5 * CLOCK_MINUTE, 0);

	put(test->db, "a", 0);
	take_all(test, register_worker(test->db, "silent"), 1);
	test_execute(test->db, "UPDATE solid_queue_processes SET hostname = NULL, "
			       "last_heartbeat_at = '2026-01-02 03:04:05.678900'");
	(void)register_worker(test->db, "alive");
	assert_int_equal(prune_dead(test, &prune, &test_policy).processes, 1);
	struct gone gone = the_only(test);
	assert_string_equal(gone.name, "silent");
	assert_null(gone.hostname);
	assert_string_equal(gone.how, "It was pruned because its heartbeats had stopped.");
	assert_int_equal(gone.last_heartbeat_at, INT64_C(1767323045678900));
	assert_int_equal(gone.released, 1);
	assert_int_equal(gone.failed, 0);
}

DB_CASE(who_leaves_in_good_order_is_not_gone)
{
	int64_t released;
	int64_t process = register_worker(test->db, "w");

	struct gone *gone;
	size_t count;

	must(process_deregister, test->db, process, &released);
	assert_int_equal(list(test, &gone), 0);
	must(gone_read, test->db, test->arena, &gone, &count);
	assert_int_equal(count, 1);
	assert_null(gone[0].how);
	assert_string_equal(gone[0].hostname, "test");
}

DB_CASE(the_latest_stand_first)
{
	struct gone *gone;

	(void)register_worker(test->db, "first");
	(void)register_worker(test->db, "second");
	bury_as(test, "first", STATUS_OK);
	bury_as(test, "second", STATUS_OK);
	assert_int_equal(list(test, &gone), 2);
	assert_string_equal(gone[0].name, "second");
	assert_string_equal(gone[1].name, "first");
}

/* The time at which it went, some minutes ago by the database's clock. */
static void set_back(struct test_db *test, const char *name, int64_t minutes)
{
	char time[CLOCK_TEXT_SIZE];

	clock_format_short(db_now(test->db) - minutes * CLOCK_MINUTE, time);
	sql_execute(test->db, "UPDATE dray_gone SET gone_at = '%s' WHERE name = '%s'", time, name);
}

DB_CASE(after_an_hour_nobody_sees_them_and_after_a_day_nobody_knows_them)
{
	(void)register_worker(test->db, "old");
	(void)register_worker(test->db, "recent");
	(void)register_worker(test->db, "ancient");
	bury_as(test, "ancient", STATUS_OK);
	set_back(test, "ancient", INT64_C(24) * 60 + 1);
	bury_as(test, "old", STATUS_OK);
	bury_as(test, "recent", STATUS_OK);
	set_back(test, "old", 61);
	set_back(test, "recent", 59);
	assert_string_equal(the_only(test).name, "recent");
	assert_int_equal(rows(test), 3);
	assert_false(clear(test));
	assert_int_equal(rows(test), 2);
	assert_string_equal(the_only(test).name, "recent");
}

/* So that no transaction is long. */
DB_CASE(many_are_cleared_in_parts)
{
	struct text sql = { 0 };

	text_add(&sql, "INSERT INTO dray_gone (process_id, kind, name, pid, last_heartbeat_at, how,"
		       " released, failed, gone_at) VALUES ");
	for (int i = 0; i < 501; i++)
		text_printf(&sql,
			    "%s(%d, 'Worker', 'w', 1, '2026-01-01 00:00:00', 'Exited.', 0, 0,"
			    " '2026-01-01 00:00:00')",
			    i > 0 ? ", " : "", i);
	test_execute(test->db, text_string(&sql));
	text_free(&sql);
	assert_true(clear(test));
	assert_int_equal(rows(test), 1);
	assert_false(clear(test));
	assert_int_equal(rows(test), 0);
}
