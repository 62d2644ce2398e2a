/* Schedulers with different files: what one has the other does not delete, while it lives. */
#include "queue/recurring/recurring.h"
#include "queue/recurring/task.h"
#include "tests/support/queue.h"

static struct recurring_others read_others(struct test_db *test, int64_t self)
{
	struct prune prune = test_patience;
	struct recurring_others others;

	prune.self = self;
	must(recurring_others_read, test->db, test->arena, &prune, &others);
	return others;
}

/* A scheduler whose file has only `a` begins: which tasks are there then? */
static const char *begin(struct test_db *test, int64_t self)
{
	const struct recurring_task mine = { .key = "a", .schedule = "@daily", .class_name = "A" };
	struct recurring_others others = read_others(test, self);
	struct recurring_known *known = NULL;
	const char *keys = "";
	size_t count = 0;

	must(recurring_publish, test->db, &mine, 1, &others);
	/* Looking again is as good. */
	recurring_others_add(test->arena, &others, "a");
	must(recurring_publish, test->db, NULL, 0, &others);
	must(recurring_known, test->db, test->arena, &known, &count);
	assert_int_equal(rows_of(test, "recurring_tasks"), count);
	for (size_t i = 0; i < count; i++)
		keys = arena_printf(test->arena, "%s%s", keys, known[i].key);
	return keys;
}

static void put_three(struct test_db *test)
{
	const struct recurring_task all[] = {
		{ .key = "a", .schedule = "@daily", .class_name = "A" },
		{ .key = "b", .schedule = "@daily", .class_name = "B" },
		{ .key = "c", .schedule = "@daily", .class_name = "C" },
	};

	must(recurring_publish, test->db, all, 3, NULL);
}

#define OURS(members) "{" members "\"software\":\"dray 1\",\"heartbeat_interval\":5}"

DB_CASE(what_another_has_stays)
{
	put_three(test);
	int64_t self = register_process(test->db, "Scheduler", "self",
					OURS("\"recurring_schedule\":[\"c\"],\"static_tasks\":1,"));
	(void)register_process(
		test->db, "Scheduler", "other",
		OURS("\"recurring_schedule\":[\"b\",\"added\"],\"static_tasks\":1,"));
	const struct recurring_others others = read_others(test, self);
	assert_int_equal(others.ours, 1);
	assert_string_equal(others.keys[0], "b");
	assert_string_equal(others.name, "other");
	assert_false(others.partial);
	assert_string_equal(begin(test, self), "ab");
	test_execute(test->db, "UPDATE solid_queue_processes SET last_heartbeat_at = '2020-01-01 "
			       "00:00:00' WHERE name = 'other'");
	assert_string_equal(begin(test, self), "a");
}

/* One that says nothing yet, or not all: everything stays. */
DB_CASE(what_another_may_have_stays)
{
	static const char *const sayings[] = {
		OURS(""),
		OURS("\"recurring_schedule\":[\"a\"],\"static_tasks\":2,"),
	};

	for (size_t i = 0; i < sizeof(sayings) / sizeof(sayings[0]); i++) {
		put_three(test);
		(void)register_process(test->db, "Scheduler", "other", sayings[i]);
		assert_true(read_others(test, 0).partial);
		assert_string_equal(begin(test, 0), "abc");
		test_execute(test->db, "DELETE FROM solid_queue_processes");
	}
	(void)register_process(test->db, "Scheduler", "other", OURS("\"static_tasks\":0,"));
	assert_false(read_others(test, 0).partial);
	assert_string_equal(begin(test, 0), "a");
}

/* A task that has moved to the file of a Rails application is not ours to delete. */
DB_CASE(what_rails_has_stays)
{
	put_three(test);
	(void)register_process(test->db, "Scheduler", "theirs", "{\"recurring_schedule\":[\"c\"]}");
	const struct recurring_others others = read_others(test, 0);
	assert_int_equal(others.ours, 0);
	assert_int_equal(others.count, 1);
	assert_string_equal(begin(test, 0), "ac");
}
