#include "tests/support/limited.h"

void declare(struct test_db *test, const char *class_name, int slots, enum conflict on_conflict)
{
	const struct limit limit = { .class_name = class_name,
				     .slots = slots,
				     .duration = 3 * CLOCK_MINUTE,
				     .on_conflict = on_conflict };
	const struct limits limits = { &limit, 1, &class_name, 1 };
	struct error error = { 0 };

	assert_ok(limits_publish(test->db, &limits, &error), &error);
}

int64_t put_limited(struct test_db *test, const char *class_name, const char *key)
{
	return put_job(test->db,
		       &(struct new_job){ .class_name = class_name, .concurrency_key = key });
}

int64_t value_of(struct test_db *test, const char *key)
{
	return test_query_int(test->url,
			      arena_printf(test->arena,
					   "SELECT COALESCE(max(s.value), -1) FROM "
					   "solid_queue_semaphores s WHERE s.%s = '%s'",
					   db_dialect_of(test->db) == DB_MYSQL ? "`key`" : "key",
					   key));
}

int64_t held_slots(struct test_db *test)
{
	return test_query_int(test->url, "SELECT count(*) FROM dray_slots");
}

void assert_rows(struct test_db *test, int ready, int claimed, int blocked)
{
	assert_int_equal(rows_of(test, "ready_executions"), ready);
	assert_int_equal(rows_of(test, "claimed_executions"), claimed);
	assert_int_equal(rows_of(test, "blocked_executions"), blocked);
	test_invariant(test->db);
}
