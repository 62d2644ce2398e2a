#include "tests/support/limited.h"

#include "queue/limits/heal.h"

void declare_limits(struct test_db *test, const char *class_name, const struct limit list[],
		    size_t count)
{
	const struct class_policy class = { class_name, JOB_NO_BOUND, list, count };

	must(classes_publish, test->db, &class, 1);
}

void declare(struct test_db *test, const char *class_name, int slots, enum conflict on_conflict)
{
	const struct limit limit = { .slots = slots,
				     .duration = 3 * CLOCK_MINUTE,
				     .on_conflict = on_conflict };

	declare_limits(test, class_name, &limit, 1);
}

void declare_several(struct test_db *test, const char *class_name, const int slots[],
		     enum conflict on_conflict)
{
	struct limit list[8] = { 0 };
	size_t count = 0;

	for (; slots[count] > 0; count++)
		list[count] = (struct limit){ .slots = slots[count],
					      .duration = 3 * CLOCK_MINUTE,
					      .on_conflict = on_conflict };
	declare_limits(test, class_name, list, count);
}

struct new_job several_job(const char *class_name, const char *const keys[])
{
	struct new_job job = { .class_name = class_name,
			       .concurrency_key = keys[0],
			       .more_keys = keys + 1 };

	while (keys[job.more_count + 1])
		job.more_count++;
	return job;
}

int64_t put_several(struct test_db *test, const char *class_name, const char *const keys[])
{
	const struct new_job job = several_job(class_name, keys);

	return put_job(test->db, &job);
}

int64_t put_limited(struct test_db *test, const char *class_name, const char *key)
{
	return put_job(test->db,
		       &(struct new_job){ .class_name = class_name, .concurrency_key = key });
}

int64_t put_limited_delayed(struct test_db *test, const char *class_name, const char *key)
{
	return put_job(test->db, &(struct new_job){ .class_name = class_name,
						    .concurrency_key = key,
						    .delay = CLOCK_HOUR });
}

void put_many(struct test_db *test, const char *class_name, const char *key, int count)
{
	for (int i = 0; i < count; i++)
		put_limited(test, class_name, key);
}

void put_blocked(struct test_db *test, int slots, int count)
{
	declare(test, "Limited", slots, LIMIT_BLOCK);
	put_many(test, "Limited", "k", count);
}

void lose_ready(struct test_db *test)
{
	test_execute(test->db, "DELETE FROM solid_queue_jobs WHERE id IN (SELECT job_id FROM"
			       " solid_queue_ready_executions)");
}

void unblock(struct db *db)
{
	test_execute(db, "INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, "
			 "created_at) SELECT job_id, queue_name, priority, created_at FROM "
			 "solid_queue_blocked_executions;DELETE FROM "
			 "solid_queue_blocked_executions;");
}

int64_t value_of(struct test_db *test, const char *key)
{
	return sql_number(test,
			  "SELECT COALESCE(max(s.value), -1) FROM "
			  "solid_queue_semaphores s WHERE s.%s = '%s'",
			  db_dialect_of(test->db) == DB_MYSQL ? "`key`" : "key", key);
}

int64_t heal_times(struct test_db *test, int times)
{
	struct heal state = { 0 };
	int64_t admitted = 0;

	for (int i = 0; i < times; i++) {
		must(heal, test->db, &state);
		assert_int_equal(state.failed, 0);
		admitted += state.admitted;
	}
	heal_clear(&state);
	return admitted;
}

int64_t held_slots(struct test_db *test)
{
	return test_query_int(test->url, "SELECT count(*) FROM dray_slots");
}

void assert_slots_add_up(struct test_db *test)
{
	/* The column is a word of MySQL's language. */
	const char *key = db_dialect_of(test->db) == DB_MYSQL ? "s.`key`" : "s.key";

	assert_count(test, 0,
		     "dray_slots h"
		     " LEFT JOIN solid_queue_ready_executions r ON r.job_id = h.job_id"
		     " LEFT JOIN solid_queue_claimed_executions c ON c.job_id = h.job_id"
		     " WHERE r.id IS NULL AND c.id IS NULL");
	assert_int_equal(sql_number(test,
				    "SELECT count(*) FROM solid_queue_semaphores s"
				    " JOIN (SELECT j.concurrency_key, l.slots"
				    " FROM solid_queue_jobs j JOIN dray_classes l"
				    " ON l.class_name = j.class_name AND l.position = 0"
				    " UNION SELECT k.concurrency_key, l.slots"
				    " FROM dray_keys k"
				    " JOIN solid_queue_jobs j ON j.id = k.job_id"
				    " JOIN dray_classes l ON l.class_name = j.class_name"
				    " AND l.position = k.position) d"
				    " ON d.concurrency_key = %s"
				    " WHERE s.value + (SELECT count(*) FROM dray_slots h"
				    " WHERE h.concurrency_key = %s) <> d.slots",
				    key, key),
			 0);
	assert_int_equal(sql_number(test,
				    "SELECT count(*) FROM solid_queue_blocked_executions b"
				    " LEFT JOIN solid_queue_semaphores s"
				    " ON %s = b.concurrency_key"
				    " WHERE COALESCE(s.value, 1) > 0",
				    key),
			 0);
}

void assert_rows(struct test_db *test, int ready, int claimed, int blocked)
{
	assert_int_equal(rows_of(test, "ready_executions"), ready);
	assert_int_equal(rows_of(test, "claimed_executions"), claimed);
	assert_int_equal(rows_of(test, "blocked_executions"), blocked);
	test_invariant(test->db);
}

void assert_key(struct test_db *test, const char *key, int64_t value, int ready, int claimed,
		int blocked)
{
	assert_int_equal(value_of(test, key), value);
	assert_rows(test, ready, claimed, blocked);
}

const char *cancel_notes(struct test_db *test)
{
	return sql_text(test, "SELECT job_id, requested_by, reason FROM dray_cancellations "
			      "ORDER BY job_id");
}

void assert_cancelled_by(struct test_db *test, int64_t id, int64_t by)
{
	assert_int_equal(state_of(test, id), JOB_FINISHED);
	assert_contains(
		sql_text(test,
			 "SELECT error FROM dray_attempts WHERE outcome = 'cancelled' AND "
			 "job_id = %" PRId64,
			 id),
		arena_printf(test->arena, "\"cancelled by a newer job: job %" PRId64 "\"", by));
}
