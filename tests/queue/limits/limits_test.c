/*
 * What classes declare about concurrency: keys (JB5; docs/internals/solid-queue.md, 2.7) and
 * publishing.
 */
#include "queue/limits/limits.h"
#include "tests/support/queue.h"

static const char *key_of(struct test_db *test, const struct limit *limit, const char *arguments)
{
	const char *key;

	must(limit_key, test->arena, limit, arguments, &key);
	return key;
}

DB_CASE(jb5_keys_are_solid_queues)
{
	static const struct {
		const char *group, *template, *arguments, *key;
	} cases[] = {
		{ NULL, NULL, "[1]", "Job" },
		{ "MyGroup", NULL, NULL, "MyGroup" },
		{ NULL, "{0}", "[5]", "Job/5" },
		{ NULL, "{0}", "[\"a/b\"]", "Job/a/b" },
		{ NULL, "{0}", "[\"\"]", "Job/" },
		{ NULL, "{0}", "[null]", "Job" },
		{ NULL, "{1}", "[null]", "Job" },
		{ NULL, "x-{0}-{1}", "[null, true]", "Job/x--true" },
		{ NULL, "{{{0}}}", "[1]", "Job/{1}" },
		{ "G", "{account_id}", "{\"account_id\": 7}", "G/7" },
		{ NULL, "{0}", "[{\"_aj_globalid\":\"gid://app/JobResult/5\"}]",
		  "Job/JobResult/5" },
		{ NULL, "{0}", "[{\"_aj_globalid\":\"gid://app/A::B/x%20y?z=1\"}]",
		  "Job/A::B/x y" },
		{ NULL, "{0}",
		  "[{\"_aj_serialized\":\"ActiveJob::Serializers::SymbolSerializer\","
		  "\"value\":\"s\"}]",
		  "Job/s" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct limit limit = { .class_name = "Job",
					     .group = cases[i].group,
					     .key = cases[i].template };
		assert_string_equal(key_of(test, &limit, cases[i].arguments), cases[i].key);
	}
}

DB_CASE(keys_of_lists_and_objects_are_refused)
{
	static const char *const wrong[] = { "[[1]]", "[{\"a\":1}]", "{" };
	const struct limit limit = { .class_name = "Job", .key = "{0}" };
	const char *key;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		must_be(STATUS_INVALID, limit_key, test->arena, &limit, wrong[i], &key);
}

static void publish(struct test_db *test, const struct limits *limits)
{
	must(limits_publish, test->db, limits);
}

static const char *published(struct test_db *test)
{
	return sql_text(test, "SELECT class_name, position, slots, duration_ms, on_conflict FROM "
			      "dray_limits ORDER BY class_name, position");
}

DB_CASE(what_is_declared_is_published)
{
	static const char *const names[] = { "A", "B" };
	struct limit list[] = {
		{ .class_name = "A", .slots = 1, .duration = CLOCK_MINUTE },
		{ .class_name = "B",
		  .slots = 3,
		  .duration = CLOCK_SECOND,
		  .on_conflict = LIMIT_DISCARD,
		  .key = "{0}",
		  .group = "G" },
	};

	publish(test, &(struct limits){ list, 2, names, 2 });
	publish(test, &(struct limits){ list, 2, names, 2 });
	assert_string_equal(published(test), "A 0 1 60000 block\nB 0 3 1000 discard\n");
	list[1].slots = 4;
	publish(test, &(struct limits){ &list[1], 1, names + 1, 1 });
	assert_string_equal(published(test), "A 0 1 60000 block\nB 0 4 1000 discard\n");
	publish(test, &(struct limits){ list, 0, names, 1 });
	assert_string_equal(published(test), "B 0 4 1000 discard\n");
}

/* An enqueueing program publishes only limits that are not known yet, and changes none. */
DB_CASE(what_is_not_known_is_introduced)
{
	static const char *const names[] = { "A" };
	struct limit list[] = {
		{ .class_name = "A", .slots = 1, .duration = CLOCK_MINUTE },
		{ .class_name = "A",
		  .position = 1,
		  .slots = 2,
		  .duration = CLOCK_MINUTE,
		  .key = "{0}" },
		{ .class_name = "B", .slots = 5, .duration = CLOCK_SECOND },
		{ .class_name = "B",
		  .position = 1,
		  .slots = 6,
		  .duration = CLOCK_SECOND,
		  .key = "{0}" },
	};

	publish(test, &(struct limits){ list, 1, names, 1 });
	list[0].slots = 9;
	for (int i = 0; i < 2; i++) {
		must(limits_introduce, test->db, &(struct limits){ list, 4, NULL, 0 });
		assert_string_equal(published(test),
				    "A 0 1 60000 block\nB 0 5 1000 block\nB 1 6 1000 block\n");
	}
}
