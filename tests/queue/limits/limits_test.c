/* What classes declare about concurrency: keys (JB5; solid-queue.md, 2.7) and publishing. */
#include "tests/support/limited.h"

static const char *key_of(struct test_db *test, const struct limit *limit, const char *arguments)
{
	struct new_job job = { .arguments = arguments };

	must(limit_keys, test->arena, limit, 1, &job, NULL);
	return job.concurrency_key;
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

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct new_job job = { .arguments = wrong[i] };
		must_be(STATUS_INVALID, limit_keys, test->arena, &limit, 1, &job, NULL);
	}
}

static const char *published(struct test_db *test)
{
	return sql_text(test, "SELECT class_name, position, slots, duration_ms, on_conflict FROM "
			      "dray_classes ORDER BY class_name, position");
}

DB_CASE(what_is_declared_is_published)
{
	const struct limit one = { .slots = 1, .duration = CLOCK_MINUTE };
	struct limit two[] = { { .slots = 3,
				 .duration = CLOCK_SECOND,
				 .on_conflict = LIMIT_DISCARD,
				 .key = "{0}",
				 .group = "G" },
			       { .slots = 9, .duration = CLOCK_SECOND } };
	const struct class_policy classes[] = { { "A", JOB_NO_BOUND, &one, 1 },
						{ "B", 7, two, 2 } };

	must(classes_publish, test->db, classes, 2);
	must(classes_publish, test->db, classes, 2);
	assert_string_equal(published(test), "A 0 1 60000 block\nB 0 3 1000 discard\n"
					     "B 1 9 1000 block\n");
	assert_string_equal(sql_text(test, "SELECT class_name, max_losses FROM dray_classes"
					   " WHERE position = 0 ORDER BY class_name"),
			    "A NULL\nB 7\n");
	two[0].slots = 4;
	declare_limits(test, "B", two, 1);
	assert_string_equal(published(test), "A 0 1 60000 block\nB 0 4 1000 discard\n");
	declare_limits(test, "A", NULL, 0);
	assert_string_equal(published(test), "A 0 NULL NULL NULL\nB 0 4 1000 discard\n");
	must(classes_publish, test->db, NULL, 0);
}

/* In time that grows as they do: with its square this would take minutes, and hold the database. */
DB_CASE(thousands_are_published)
{
	const struct limit one = { .slots = 1, .duration = CLOCK_MINUTE };
	const size_t count = 6000;
	struct class_policy *classes = arena_array(test->arena, count, sizeof(*classes));

	for (size_t i = 0; i < count; i++)
		classes[i] = (struct class_policy){ arena_printf(test->arena, "Class%zu", i),
						    JOB_NO_BOUND, &one, 1 };
	int64_t begun = clock_monotonic();
	must(classes_publish, test->db, classes, count);
	assert_true(clock_monotonic() - begun < 20 * CLOCK_SECOND);
	assert_number(test, (int64_t)count, "SELECT count(*) FROM dray_classes");
}

/* Names that differ in case are two classes, also where the server's collation is milder. */
DB_CASE(classes_that_differ_in_case)
{
	const struct limit one = { .slots = 1, .duration = CLOCK_MINUTE };
	const struct class_policy classes[] = { { "Once", 2, &one, 1 }, { "once", 5, NULL, 0 } };

	must(classes_publish, test->db, classes, 2);
	assert_number(test, 1, "SELECT slots FROM dray_classes WHERE max_losses = 2");
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_classes"), 2);
}

/* An enqueueing program publishes only limits that are not known yet, and changes none. */
DB_CASE(what_is_not_known_is_introduced)
{
	const struct limit old = { .slots = 1, .duration = CLOCK_MINUTE };
	const struct limit of_a[] = { { .slots = 9, .duration = CLOCK_MINUTE },
				      { .slots = 2, .duration = CLOCK_MINUTE, .key = "{0}" } };
	const struct limit of_b[] = { { .slots = 5, .duration = CLOCK_SECOND },
				      { .slots = 6, .duration = CLOCK_SECOND, .key = "{0}" } };
	const struct class_policy classes[] = { { "A", JOB_NO_BOUND, of_a, 2 },
						{ "B", JOB_NO_BOUND, of_b, 2 } };

	declare_limits(test, "A", &old, 1);
	for (int i = 0; i < 2; i++) {
		must(classes_introduce, test->db, classes, 2);
		assert_string_equal(published(test),
				    "A 0 1 60000 block\nB 0 5 1000 block\nB 1 6 1000 block\n");
	}
}
