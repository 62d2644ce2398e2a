/*
 * A process that is held up by the database is not taken for dead: an overdue heartbeat comes
 * between any two transactions, and between the tries of one.
 */
#include "process/membership.h"
#include "queue/manage/manage.h"
#include "tests/support/sites/deployment.h"

#define INTERVAL (100 * CLOCK_MILLISECOND)

static struct deployment *deployment;
static struct site *site;
static struct membership member;

static void join(void **state)
{
	struct error error = { 0 };

	deployment = deployment_open(*state);
	site = deployment->site;
	deployment->config.process.process_heartbeat_interval = INTERVAL;
	deployment->config.database.retry_for = 2 * CLOCK_SECOND;
	membership_init(&member, &deployment->config, "Worker", "worker-kept");
	assert_ok(membership_connect(&member, &error), &error);
	assert_ok(membership_register(&member, &error), &error);
}

static void part(void)
{
	membership_clear(&member);
	deployment_close(deployment);
}

static int64_t last_heartbeat(void)
{
	size_t count;

	return site_rows(site, "Worker", &count)->last_heartbeat_at;
}

/* Reads all the time, as a tick of many transactions does. */
TEST(test_between_two_transactions)
{
	int beats = 0;

	join(state);
	int64_t last = last_heartbeat();
	for (int i = 0; i < 500 && beats < 3; i++) {
		struct arena *arena = arena_new();
		struct process_row *rows;
		size_t count = 0;
		struct error error = { 0 };
		clock_sleep(INTERVAL / 10);
		assert_int_equal(process_list(member.db, arena, &rows, &count, &error), STATUS_OK);
		assert_int_equal(count, 1);
		beats += rows[0].last_heartbeat_at > last;
		last = rows[0].last_heartbeat_at;
		arena_free(arena);
	}
	assert_int_equal(beats, 3);
	part();
}

/* Waits for a lock that it does not get. With SQLite nobody could write a heartbeat, either. */
TEST_ONLY(test_between_two_tries, "postgresql mysql mariadb")
{
	struct error error = { 0 };
	bool changed;

	join(state);
	test_wait_shortly(member.db);
	test_begin(site->db);
	test_execute(site->db, "INSERT INTO solid_queue_pauses (queue_name, created_at)"
			       " VALUES ('kept', '2026-01-01 00:00:00')");
	int64_t before = db_now(member.db);
	assert_int_equal(queue_pause(member.db, "kept", &changed, &error), STATUS_RETRY);
	test_execute(site->db, "ROLLBACK");
	assert_true(last_heartbeat() > before);
	part();
}

/* Before there is a row, and once it has gone, nothing is written. */
TEST(test_only_with_a_row)
{
	struct error error = { 0 };
	int64_t released, id;

	join(state);
	assert_int_equal(process_deregister(member.db, member.row.id, &released, &error),
			 STATUS_OK);
	clock_sleep(2 * INTERVAL);
	assert_int_equal(process_find(member.db, "worker-kept", &id, &error), STATUS_NONE);
	assert_int_equal(membership_heartbeat(&member, &error), STATUS_NONE);
	part();
}
