/* What another session has locked is passed by. SQLite has no such locks. */
#include "config/config.h"
#include "process/membership.h"
#include "tests/support/queue.h"

/* A session that holds this row, as one does that is about to move it. */
static struct db *hold(struct test_db *test, const char *table, const char *column, int64_t id)
{
	struct db *other = test_db_open(test->url);

	test_begin(other);
	sql_execute(other, "SELECT id FROM solid_queue_%s WHERE %s = %" PRId64 " FOR UPDATE", table,
		    column, id);
	return other;
}

static void let_go(struct db *other)
{
	test_execute(other, "ROLLBACK");
	db_close(other);
}

/* The ways to claim that have a statement of their own. */
struct way {
	const char *queue;
	const char *class_name; /* only this one; NULL = any */
	bool beside_a_pause;
};

struct taken {
	struct claim *claims;
	size_t count;
};

static enum status claim(struct db *db, struct arena *arena, const struct way *way, int64_t process,
			 struct taken *taken, struct error *error)
{
	struct selector selector;

	assert_ok(selector_compile(arena, &way->queue, 1, &selector, error), error);
	struct claim_request claim = {
		.selector = &selector,
		.process_id = process,
		.limit = 10,
		.only_classes = way->class_name ? &way->class_name : NULL,
		.only_count = way->class_name ? 1 : 0,
	};
	struct settle_request request = { .process_id = process, .claim = &claim };

	return settle(db, arena, &request, &taken->claims, &taken->count, error);
}

/* The only job that a worker gets. */
static int64_t claim_one(struct test_db *test, const struct way *way, int64_t process)
{
	struct taken taken;

	must(claim, test->db, test->arena, way, process, &taken);
	assert_int_equal(taken.count, 1);
	return taken.claims[0].job.id;
}

DB_CASE(a_claim)
{
	static const struct way ways[] = {
		{ .queue = "*" },
		{ .queue = "a" },
		{ .queue = "a*" },
		{ .queue = "a", .class_name = "Test" },
		{ .queue = "*", .beside_a_pause = true },
	};
	int64_t process = register_worker(test->db, "w");

	test_wait_shortly(test->db);
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		if (ways[i].beside_a_pause)
			pause_queue(test, "z");
		int64_t first = put(test->db, "a", 0);
		int64_t second = put(test->db, "a", 0);
		struct db *other = hold(test, "ready_executions", "job_id", first);
		assert_int_equal(claim_one(test, &ways[i], process), second);
		let_go(other);
		assert_int_equal(claim_one(test, &ways[i], process), first);
	}
}

DB_CASE(a_dispatch)
{
	int64_t first = put_for_later(test->db, "Test", NULL);
	int64_t second = put_for_later(test->db, "Test", NULL);

	test_wait_shortly(test->db);
	make_due(test);
	struct db *other = hold(test, "scheduled_executions", "job_id", first);
	assert_int_equal(dispatch_due(test, 10), 1);
	assert_int_equal(state_of(test, second), JOB_READY);
	let_go(other);
	assert_int_equal(dispatch_due(test, 10), 1);
	assert_int_equal(state_of(test, first), JOB_READY);
}

DB_CASE(a_clearing)
{
	int64_t first = put(test->db, "a", 0);

	put(test->db, "a", 0);
	struct claim *claims = take_all(test, register_worker(test->db, "w"), 2);
	finish_claims(test, claims, 2);
	int64_t tomorrow = db_now(test->db) + CLOCK_DAY;
	test_wait_shortly(test->db);
	struct db *other = hold(test, "jobs", "id", first);
	assert_int_equal(clear_finished(test, tomorrow, NULL, 10), 1);
	let_go(other);
	assert_int_equal(clear_finished(test, tomorrow, NULL, 10), 1);
}

/* use_skip_locked: false, for servers that cannot: a process waits then. */
DB_CASE(unless_that_is_not_wanted)
{
	static const struct way all = { .queue = "*" };
	const struct config config = {
		.database = { .url = test->url, .retry_for = 1, .use_skip_locked = false },
	};
	struct membership member;
	struct taken taken;
	int64_t process = register_worker(test->db, "w");
	struct db *other = hold(test, "ready_executions", "job_id", put(test->db, "a", 0));

	membership_init(&member, &config, "Worker", "worker-waits");
	must(membership_connect, &member);
	test_wait_shortly(member.db);
	must(claim, member.db, test->arena, &all, process, &taken);
	assert_int_equal(taken.count, 0); /* it did not pass: the job is set aside */
	let_go(other);
	test_execute(test->db, "DELETE FROM dray_pauses");
	must(claim, member.db, test->arena, &all, process, &taken);
	assert_int_equal(taken.count, 1);
	membership_clear(&member);
}
