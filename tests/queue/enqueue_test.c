/* Enqueueing: JB1, JB2, JB4, JB11, JB19, JB21 (solid-queue.md, 5), bulk and bad input. */
#include <jansson.h>

#include "tests/support/queue.h"

#define BULK 10000

DB_CASE(jb1_immediate_job_is_ready)
{
	const struct new_job job = { .class_name = "AddToBuffer",
				     .queue = "background",
				     .arguments = "[1, {\"path\": \"/etc\"}]",
				     .has_priority = true,
				     .priority = 8 };
	int64_t id = put_job(test->db, &job);

	struct job found = find_job(test, id);
	assert_int_equal(found.state, JOB_READY);
	assert_string_equal(found.queue, "background");
	assert_string_equal(found.class_name, "AddToBuffer");
	assert_int_equal(found.priority, 8);
	assert_null(found.concurrency_key);
	assert_true(found.scheduled_at > 0 && found.scheduled_at <= db_now(test->db));
	assert_int_equal(strlen(found.active_job_id), 36);
	assert_int_equal(found.active_job_id[14], '7');
	assert_int_equal(rows_of(test, "ready_executions"), 1);
	test_invariant(test->db);
}

/* The payload has exactly Active Job's keys (solid-queue.md, 2.2). */
DB_CASE(payload_is_active_jobs)
{
	static const char *const keys[] = {
		"job_class", "job_id",    "provider_job_id", "queue_name",
		"priority",  "arguments", "executions",      "exception_executions",
		"locale",    "timezone",  "enqueued_at",     "scheduled_at"
	};
	const struct new_job job = { .class_name = "Greet",
				     .arguments = "{\"name\": \"Zo\\u00eb\"}" };

	struct job found = find_job(test, put_job(test->db, &job));
	json_t *root = json_loads(found.payload, 0, NULL);
	assert_int_equal(json_object_size(root), sizeof(keys) / sizeof(keys[0]));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_non_null(json_object_get(root, keys[i]));
	assert_true(json_is_null(json_object_get(root, "priority")));
	json_t *named = json_array_get(json_object_get(root, "arguments"), 0);
	assert_string_equal(json_string_value(json_object_get(named, "name")), "Zo\xc3\xab");
	assert_int_equal(json_array_size(json_object_get(named, "_aj_ruby2_keywords")), 1);
	json_decref(root);
}

DB_CASE(a_time_in_the_past_is_now)
{
	const struct new_job job = { .class_name = "Late", .at = CLOCK_DAY };

	assert_int_equal(state_of(test, put_job(test->db, &job)), JOB_READY);
}

/* JB2, JB11, JB21: due and later ones mixed; results are in the order of the jobs. */
DB_CASE(jb11_bulk_of_mixed_jobs)
{
	struct new_job jobs[100];
	struct enqueued results[100];

	for (size_t i = 0; i < 100; i++)
		jobs[i] = (struct new_job){ .class_name = arena_printf(test->arena, "Class%zu", i),
					    .delay = i % 4 == 3 ? CLOCK_HOUR : 0 };
	must(enqueue, test->db, jobs, 100, results);
	for (size_t i = 0; i < 100; i++) {
		struct job job = find_job(test, results[i].id);
		assert_true(i == 0 || results[i].id > results[i - 1].id);
		assert_string_equal(job.class_name, jobs[i].class_name);
		assert_string_equal(job.active_job_id, results[i].active_job_id);
		assert_int_equal(job.state, i % 4 == 3 ? JOB_SCHEDULED : JOB_READY);
	}
	assert_int_equal(rows_of(test, "jobs WHERE scheduled_at IS NULL"), 0);
	test_invariant(test->db);
}

DB_CASE(ten_thousand_in_bulk)
{
	put_copies(test, &(struct new_job){ .class_name = "Bulk" }, BULK);
	assert_int_equal(rows_of(test, "jobs"), BULK);
	assert_int_equal(rows_of(test, "ready_executions"), BULK);
	assert_number(test, BULK, "SELECT count(DISTINCT active_job_id) FROM solid_queue_jobs");
	test_invariant(test->db);
}

/* Twice what fits into MariaDB's largest packet, and one wrong job stops all. */
DB_CASE(more_than_a_packet_is_one_transaction)
{
	enum { LENGTH = 60000, BAD = 30 };
	const size_t count = more_than_a_packet(test, LENGTH);
	struct new_job *jobs = arena_array(test->arena, count, sizeof(*jobs));
	struct enqueued *results = arena_array(test->arena, count, sizeof(*results));
	const char *arguments =
		arena_printf(test->arena, "[\"%s\"]", repeat(test->arena, '\\', LENGTH));

	for (size_t i = 0; i < count; i++)
		jobs[i] = (struct new_job){ .class_name = "Packet", .arguments = arguments };
	jobs[BAD].queue = "";
	must_say("enqueue.no_queue", STATUS_INVALID, enqueue, test->db, jobs, count, results);
	for (size_t i = 0; i < count; i++)
		assert_true(results[i].refused == (i == BAD));
	assert_int_equal(rows_of(test, "jobs"), 0);
	jobs[BAD].queue = NULL;
	must(enqueue, test->db, jobs, count, results);
	assert_int_equal(rows_of(test, "jobs"), count);
	for (size_t i = 0; i < count; i++) {
		struct job job = find_job(test, results[i].id);
		assert_string_equal(job.active_job_id, results[i].active_job_id);
	}
	test_invariant(test->db);
}

/* Eight processes enqueue at once: the rows of each belong to it. */
static int enqueue_many(unsigned index, void *data)
{
	const struct test_db *test = data;
	struct db *db = test_db_open(test->url);
	char queue[16];
	struct new_job jobs[20] = { 0 };
	struct enqueued results[20];

	(void)snprintf(queue, sizeof(queue), "q%u", index);
	for (size_t i = 0; i < 20; i++)
		jobs[i] = (struct new_job){ .class_name = "Many", .queue = queue };
	for (int round = 0; round < 5; round++)
		must(enqueue, db, jobs, 20, results);
	db_close(db);
	return 0;
}

DB_CASE(many_enqueuers_at_once)
{
	test_in_children(&(struct test_function){ enqueue_many, test }, 8);
	assert_int_equal(rows_of(test, "jobs"), 800);
	assert_int_equal(rows_of(test, "ready_executions"), 800);
	assert_count(test, 800,
		     "solid_queue_jobs j JOIN solid_queue_ready_executions r ON r.job_id = j.id "
		     "WHERE r.queue_name = j.queue_name");
	test_invariant(test->db);
}

/* JB19: what is wrong is said, by the job's place, and nothing of the batch is stored. */
DB_CASE(jb19_bad_jobs_store_nothing)
{
	static const struct new_job bad[] = {
		{ .class_name = "" },
		{ .class_name = NULL },
		{ .class_name = "A", .queue = "\xff" },
		{ .class_name = "A", .arguments = "[1," },
		{ .class_name = "A", .arguments = "7" },
		{ .class_name = "A", .payload = "[]" },
		{ .class_name = "A", .at = CLOCK_LAST + 1 },
		{ .class_name = "A", .delay = INT64_MAX },
	};
	const char *said = "";

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct new_job jobs[2] = { { .class_name = "Good" }, bad[i] };
		struct enqueued results[2];
		struct error error = { 0 };
		assert_status(enqueue(test->db, jobs, 2, results, &error), STATUS_INVALID, &error);
		assert_false(results[0].refused);
		assert_true(results[1].refused);
		said = arena_printf(test->arena, "%s%s\n", said, error.text);
	}
	assert_wording("enqueue.bad_jobs", said);
	assert_int_equal(rows_of(test, "jobs"), 0);
}

DB_CASE(names_of_255_characters_and_no_more)
{
	char name[600] = "";
	struct new_job job = { .class_name = "A", .queue = name };
	struct enqueued result;

	for (size_t i = 0; i < 255; i++)
		memcpy(name + 2 * i, "\xc3\xa9", 3);
	must(enqueue, test->db, &job, 1, &result);
	memcpy(name + 510, "x", 2);
	must_say("enqueue.long_name", STATUS_INVALID, enqueue, test->db, &job, 1, &result);
}

DB_CASE(payload_of_70_kilobytes)
{
	const struct new_job job = { .class_name = "Big",
				     .arguments = arena_printf(test->arena, "[\"%070000d\"]", 0) };
	struct enqueued result;

	if (db_text_maximum(test->db) == 65535)
		must_say("enqueue.too_long_for_the_column", STATUS_INVALID, enqueue, test->db, &job,
			 1, &result);
	else
		must(enqueue, test->db, &job, 1, &result);
}

/* Quotes, backslashes, emoji, LIKE and JSON metacharacters come back as they went in. */
DB_CASE(odd_texts_survive)
{
	static const char *const texts[] = {
		"it's",   "a\"b",   "back\\slash", "100%_x", "\xf0\x9f\x98\x80",
		"{in:x}", ":now ?", "$1;--"
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct new_job job = { .class_name = texts[i],
					     .queue = texts[i],
					     .concurrency_key = texts[i] };
		int64_t id = put_job(test->db, &job);
		struct job found = find_job(test, id);
		assert_string_equal(found.class_name, texts[i]);
		assert_string_equal(found.queue, texts[i]);
		assert_string_equal(found.concurrency_key, texts[i]);
	}
}
