/* More than a server takes in one packet, and payloads at the edge of a column. */
#include <jansson.h>

#include "common/text/text.h"
#include "queue/payload/payload.h"
#include "tests/support/queue.h"

#define LENGTH 60000 /* of a text of backslashes; twice that as JSON */

static char *backslashes(struct arena *arena, const char *before, const char *after)
{
	return arena_printf(arena, "%s%s%s", before, repeat(arena, '\\', LENGTH), after);
}

static void fail_each(struct test_db *test, size_t count)
{
	const char *text = backslashes(test->arena, "", "");
	struct outcome *outcomes = arena_array(test->arena, count, sizeof(*outcomes));
	const struct claim *claims = take_all(test, register_worker(test->db, "w"), count);

	for (size_t i = 0; i < count; i++)
		outcomes[i] = (struct outcome){ .claim = claim_name(&claims[i]),
						.kind = OUTCOME_FAILED,
						.error = text };
	outcomes[7].claim.id += 1000000;
	settle_outcomes(test, outcomes, count, false);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(outcomes[i].refused, i == 7);
}

DB_CASE(many_large_jobs_fail_and_are_retried_at_once)
{
	const char *arguments = backslashes(test->arena, "[\"", "\"]");
	const struct new_job job = { .class_name = "Packet", .arguments = arguments };
	const size_t count = more_than_a_packet(test, (size_t)2 * LENGTH);

	put_copies(test, &job, count);
	fail_each(test, count);
	assert_int_equal(rows_of(test, "failed_executions"), count - 1);
	assert_number(test, LENGTH, "SELECT max(LENGTH(error)) FROM solid_queue_failed_executions");
	assert_int_equal(retry_failed(test, NULL), count - 1);
	assert_int_equal(rows_of(test, "ready_executions"), count - 1);
	test_invariant(test->db);
}

static void fail_one(struct test_db *test, int64_t id)
{
	const struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);

	assert_int_equal(claim->job.id, id);
	assert_true(settle_one(test->db, claim, OUTCOME_FAILED));
}

/* Lines of characters of three bytes, more than a column of MySQL's holds. */
static const char *many_lines(struct arena *arena, size_t count)
{
	struct text lines = { 0 };

	for (size_t i = 0; i < count; i++)
		text_printf(&lines, "%zu \xe2\x82\xac\xe2\x82\xac \"\\\x01\n", i);
	const char *copy = arena_strdup(arena, text_string(&lines));
	text_free(&lines);
	return copy;
}

/* A long message ends where a character does; of the lines the last ones are kept. */
DB_CASE(an_error_is_as_long_as_the_column_takes)
{
	char message[10000] = "a";
	const size_t count = 5000;

	for (size_t at = 1; at + 3 < sizeof(message); at += 3)
		memcpy(message + at, "\xe2\x82\xac", 4);
	int64_t id = put(test->db, "a", 0);
	const struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);
	struct outcome outcome = { .claim = claim_name(claim),
				   .kind = OUTCOME_FAILED,
				   .error = payload_error(test->arena, "Class", message,
							  many_lines(test->arena, count),
							  db_text_maximum(test->db)) };
	settle_outcomes(test, &outcome, 1, false);
	struct job job = find_job(test, id);
	json_t *root = json_loads(job.error, 0, NULL);
	const json_t *lines = json_object_get(root, "backtrace");
	size_t kept = json_array_size(lines);
	assert_int_equal(strlen(json_string_value(json_object_get(root, "message"))), 8191);
	assert_string_equal(json_string_value(json_array_get(lines, kept - 1)),
			    "4999 \xe2\x82\xac\xe2\x82\xac \"\\\x01");
	if (db_text_maximum(test->db) == 65535)
		assert_true(strlen(job.error) <= 65535 && strlen(job.error) > 65535 - 64);
	else
		assert_int_equal(kept, count);
	json_decref(root);
}

/* A payload without counters, which would need them, has no room for them in MySQL's column. */
DB_CASE(a_full_payload_is_retried_as_it_is)
{
	size_t length = 65535;
	const char *payload = arena_printf(test->arena, "{\"arguments\":[\"%s\"]}",
					   repeat(test->arena, 'x', length - 18));
	const struct new_job job = { .class_name = "Full", .payload = payload };

	int64_t id = put_job(test->db, &job);
	fail_one(test, id);
	must(job_retry, test->db, id);
	struct job found = find_job(test, id);
	assert_int_equal(found.state, JOB_READY);
	if (db_text_maximum(test->db) == length)
		assert_string_equal(found.payload, payload);
	else
		assert_contains(found.payload, "\"executions\":0");
}

/* Whatever somebody else has stored there. */
DB_CASE(garbage_is_retried_as_it_is)
{
	static const char *const payloads[] = { "''", "'no json'", "'[1]'",
						"'{\"a\":12345678901234567890}'", "NULL" };

	for (size_t i = 0; i < sizeof(payloads) / sizeof(payloads[0]); i++) {
		int64_t id = put(test->db, "a", 0);
		sql_execute(test->db, "UPDATE solid_queue_jobs SET arguments = %s", payloads[i]);
		fail_one(test, id);
		must(job_retry, test->db, id);
		assert_int_equal(state_of(test, id), JOB_READY);
		must(job_discard, test->db, id);
	}
	assert_int_equal(rows_of(test, "jobs"), 0);
}
