#include "tests/support/jobs/recurring.h"

const struct pause_note test_note = { .who = "me", .host = "here", .reason = "why not" };

struct recurring_task task_of(const char *key, const char *schedule)
{
	return (struct recurring_task){ .key = key,
					.schedule = schedule,
					.class_name = "Test",
					.arguments = "[1]",
					.queue = "a" };
}

void add_task(struct test_db *test, const char *key, const char *schedule)
{
	struct recurring_task added = task_of(key, schedule);

	added.options.time_zone = "Europe/Madrid";
	added.options.overlap = "skip";
	added.options.jitter = 1500000;
	must(recurring_add, test->db, &added, &test_note);
}

void publish_task(struct test_db *test, const char *key)
{
	struct recurring_task published = task_of(key, "every hour");

	published.options.file = "config/recurring.yml";
	must(recurring_publish, test->db, &published, 1, NULL);
}

struct recurring_row find_task(struct test_db *test, const char *key)
{
	struct recurring_row row;

	must(recurring_find, test->db, test->arena, key, &row);
	return row;
}

struct enqueued fire_task(struct test_db *test, const char *key, int64_t at, int64_t since)
{
	const struct new_job job = { .class_name = "Test",
				     .queue = "a",
				     .task_key = key,
				     .run_at = at,
				     .task_since = since,
				     .task_dynamic = true };
	struct enqueued result;

	must(enqueue, test->db, &job, 1, &result);
	return result;
}
