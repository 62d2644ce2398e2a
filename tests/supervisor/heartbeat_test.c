/* Held up by the database it beats between transactions and tries, and is not taken for dead. */
#include "process/membership.h"
#include "queue/manage/manage.h"
#include "tests/support/sites/deployment.h"

#define INTERVAL (100 * CLOCK_MILLISECOND)

static struct deployment *deployment;
static struct site *site;
static struct membership member;

static void join(void **state)
{
	deployment = deployment_open(*state);
	site = deployment->site;
	deployment->config.process.process_heartbeat_interval = INTERVAL;
	deployment->config.database.retry_for = 2 * CLOCK_SECOND;
	membership_init(&member, &deployment->config, "Worker", "worker-kept");
	must(membership_connect, &member);
	must(membership_register, &member);
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
		clock_sleep(INTERVAL / 10);
		must(process_list, member.db, arena, &rows, &count);
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
	bool changed;

	join(state);
	test_wait_shortly(member.db);
	test_begin(site->db);
	test_execute(site->db, "INSERT INTO solid_queue_pauses (queue_name, created_at)"
			       " VALUES ('kept', '2026-01-01 00:00:00')");
	int64_t before = db_now(member.db);
	must_be(STATUS_RETRY, queue_pause, member.db, "kept", &changed);
	test_execute(site->db, "ROLLBACK");
	assert_true(last_heartbeat() > before);
	part();
}

/* Before there is a row, and once it has gone, nothing is written. */
TEST(test_only_with_a_row)
{
	int64_t released, id;

	join(state);
	must(process_deregister, member.db, member.row.id, &released);
	clock_sleep(2 * INTERVAL);
	must_be(STATUS_NONE, process_find, member.db, "worker-kept", &id);
	must_be(STATUS_NONE, membership_heartbeat, &member);
	part();
}
