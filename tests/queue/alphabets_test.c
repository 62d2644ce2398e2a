/*
 * Databases of other character sets: tables that Rails made on MySQL before utf8mb4, PostgreSQL in
 * LATIN1. What they can hold goes through every verb; of what they cannot, a job is refused and
 * never stored in part, and an error is stored with escapes.
 */
#include <jansson.h>

#include "common/text/text.h"
#include "db/schema/schema.h"
#include "queue/payload/payload.h"
#include "tests/support/queue.h"
#include "tests/support/sites/rails.h"

#define UMLAUT "gr\xc3\xbc\xc3\x9f"
#define CRAB   "\xf0\x9f\xa6\x80"

static const char *const collations[] = { "utf8mb3_general_ci", "latin1_swedish_ci" };

#define COLLATIONS (sizeof(collations) / sizeof(collations[0]))

/* Converts the tables and returns a connection that has seen them so. */
static struct db *open_converted(struct test_db *test, const char *collation)
{
	test_rails_collation(test, collation);
	return test_db_open(test->url);
}

/* Two jobs end in one trip, one with an error that cannot be stored as it is. */
static void end_with_a_crab(struct test_db *test, struct claim claims[2])
{
	struct outcome outcomes[] = {
		{ .claim = claim_name(&claims[0]),
		  .kind = OUTCOME_FAILED,
		  .error = payload_error(test->arena, "E", CRAB, UMLAUT "\n" CRAB, 65535) },
		{ .claim = claim_name(&claims[1]), .kind = OUTCOME_FINISHED },
	};

	settle_outcomes(test, outcomes, 2, true);
	assert_false(outcomes[0].refused || outcomes[1].refused);
	assert_int_equal(state_of(test, claims[1].job.id), JOB_FINISHED);
	struct job job = find_job(test, claims[0].job.id);
	assert_int_equal(job.state, JOB_FAILED);
	json_t *root = json_loads(job.error, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(root, "message")), CRAB);
	const json_t *lines = json_object_get(root, "backtrace");
	assert_string_equal(json_string_value(json_array_get(lines, 0)), UMLAUT);
	assert_string_equal(json_string_value(json_array_get(lines, 1)), CRAB);
	json_decref(root);
}

static void a_life(struct test_db *test)
{
	static const char *const list[] = { "other", UMLAUT, "x*", NULL };
	const struct new_job jobs[] = {
		{ .class_name = UMLAUT, .queue = UMLAUT, .arguments = "[\"" UMLAUT "\"]" },
		{ .class_name = "Good", .queue = "xylo" },
		{ .class_name = "Later", .queue = "xylo", .delay = CLOCK_HOUR },
	};
	struct enqueued results[3];
	size_t count;

	must(enqueue, test->db, jobs, 3, results);
	must(enqueue_resolve, test->db, results, 3);
	struct claim *claims = take(test, register_worker(test->db, "w"), list, 5, &count);
	assert_int_equal(count, 2);
	assert_string_equal(claims[0].job.class_name, UMLAUT);
	assert_contains(claims[0].job.payload, UMLAUT);
	end_with_a_crab(test, claims);
	must(job_retry, test->db, results[0].id);
	struct job job = find_job(test, results[0].id);
	assert_contains(job.payload, UMLAUT);
	assert_int_equal(job.state, JOB_READY);
	test_invariant(test->db);
}

/* One that nothing but its size stands in the way of. */
DB_CASE(escaped_errors_fit)
{
	struct text lines = { 0 };

	for (int i = 0; i < 3000; i++)
		text_printf(&lines, "%d %s%s\n", i, CRAB, CRAB);
	const char *error = payload_error(test->arena, "E", "m", text_string(&lines),
					  db_text_maximum(test->db));
	for (size_t maximum = 1000; maximum < 200000; maximum *= 4) {
		const char *ascii = payload_error_ascii(test->arena, error, maximum);
		assert_true(strlen(ascii) <= maximum);
		assert_contains(ascii, "\"2999 \\uD83E\\uDD80");
	}
	assert_string_equal(payload_error_ascii(test->arena, "no json", 10), "no json");
	text_free(&lines);
}

DB_CASE_ONLY(what_fits_lives, "mysql mariadb")
{
	struct db *original = test->db;

	for (size_t i = 0; i < COLLATIONS; i++) {
		test->db = open_converted(test, collations[i]);
		a_life(test);
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
		db_close(test->db);
		test->db = original;
	}
}

/* Beside an error that has to be escaped: a payload that would be too long with escapes. */
static void retry_beside_a_crab(struct test_db *test)
{
	const struct new_job jobs[] = { { .class_name = "A" }, { .class_name = "B" } };
	struct enqueued results[2];
	struct text payload = { 0 };

	must(enqueue, test->db, jobs, 2, results);
	struct claim *claims = take_all(test, register_worker(test->db, "w"), 2);
	text_printf(&payload, "{\"arguments\":[\"");
	for (int i = 0; i < 20000; i++)
		text_printf(&payload, "\xc3\xa4");
	text_printf(&payload, "\"]}");
	struct outcome outcomes[] = {
		{ .claim = claim_name(&claims[0]),
		  .kind = OUTCOME_FAILED,
		  .error = payload_error(test->arena, "E", CRAB, NULL, 65535) },
		{ .claim = claim_name(&claims[1]),
		  .kind = OUTCOME_RETRIED,
		  .error = payload_error(test->arena, "E", "m", NULL, 65535),
		  .payload = text_string(&payload),
		  .wait = CLOCK_HOUR },
	};
	settle_outcomes(test, outcomes, 2, true);
	assert_states(test, claims[0].job.id, JOB_FAILED, claims[1].job.id, JOB_SCHEDULED);
	assert_string_equal(find_job(test, claims[1].job.id).payload, text_string(&payload));
	text_free(&payload);
}

DB_CASE_ONLY(a_retry_beside_what_does_not_fit, "mysql mariadb")
{
	struct db *original = test->db;

	test->db = open_converted(test, "utf8mb3_general_ci");
	retry_beside_a_crab(test);
	db_close(test->db);
	test->db = original;
}

/* The bad jobs each with a good one: neither is stored. */
static void check_refused(struct test_db *test, struct db *db)
{
	static const struct new_job bad[] = {
		{ .class_name = "A", .arguments = "[\"" CRAB "\"]" },
		{ .class_name = CRAB },
		{ .class_name = "A", .queue = CRAB },
		{ .class_name = "A", .concurrency_key = CRAB },
		{ .class_name = "A", .payload = "{\"job_id\":\"" CRAB "\"}" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct new_job jobs[] = { { .class_name = "Good" }, bad[i] };
		struct enqueued results[2];
		struct job *list;
		size_t count;
		must_be(STATUS_INVALID, enqueue, db, jobs, 2, results);
		must(job_list, db, test->arena, &(struct job_filter){ 0 }, &list, &count);
		assert_int_equal(count, 0);
	}
}

DB_CASE_ONLY(what_does_not_fit_is_refused, "mysql mariadb")
{
	for (size_t i = 0; i < COLLATIONS; i++) {
		struct db *db = open_converted(test, collations[i]);
		check_refused(test, db);
		db_close(db);
	}
}

/* A database beside the test's, since an encoding is chosen when it is made. */
DB_CASE_ONLY(a_latin_database, "postgresql")
{
	struct db *original = test->db;
	const char *name = sql_text(test, "SELECT current_database() || '_latin'");

	name = arena_strndup(test->arena, name, strcspn(name, "\n"));
	sql_execute(original,
		    "CREATE DATABASE \"%s\" ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE "
		    "template0",
		    name);
	test->db = test_db_open(arena_printf(test->arena, "%s_latin", test->url));
	test_migrate(test->db, test->arena);
	check_refused(test, test->db);
	a_life(test);
	db_close(test->db);
	test->db = original;
	sql_execute(original, "DROP DATABASE \"%s\"", name);
}
