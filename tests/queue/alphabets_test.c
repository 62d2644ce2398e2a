/*
 * Tables that Rails made on MySQL long ago: of other character sets than utf8mb4. What they can
 * hold goes through every verb; what they cannot is refused and never stored in part.
 */
#include "queue/payload.h"
#include "tests/support/queue.h"
#include "tests/support/rails.h"

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

static void fail_with(struct test_db *test, const struct claim *claim, const char *text,
		      enum status expected)
{
	struct outcome outcome = { .claim_id = claim->id,
				   .kind = OUTCOME_FAILED,
				   .error = payload_error(test->arena, "E", text, text, 65535) };
	struct settle_request request = { .process_id = claim->job.process_id,
					  .outcomes = &outcome,
					  .outcome_count = 1 };
	struct error error = { 0 };
	struct claim *none;
	size_t count;

	assert_status(settle(test->db, test->arena, &request, &none, &count, &error), expected,
		      &error);
}

static void a_life(struct test_db *test)
{
	static const char *const list[] = { "other", UMLAUT, "x*", NULL };
	const struct new_job jobs[] = {
		{ .class_name = UMLAUT, .queue = UMLAUT, .arguments = "[\"" UMLAUT "\"]" },
		{ .class_name = "Later", .queue = "xylo", .delay = CLOCK_HOUR },
	};
	struct enqueued results[2];
	struct error error = { 0 };
	struct job job;
	size_t count;

	assert_ok(enqueue(test->db, jobs, 2, results, &error), &error);
	assert_ok(enqueue_resolve(test->db, results, 2, &error), &error);
	struct claim *claims = take(test, register_worker(test->db, "w"), list, 5, &count);
	assert_int_equal(count, 1);
	assert_string_equal(claims[0].job.class_name, UMLAUT);
	assert_contains(claims[0].job.payload, UMLAUT);
	fail_with(test, &claims[0], CRAB, STATUS_INVALID);
	assert_int_equal(state_of(test, results[0].id), JOB_CLAIMED);
	fail_with(test, &claims[0], UMLAUT, STATUS_OK);
	assert_ok(job_find(test->db, test->arena, results[0].id, &job, &error), &error);
	assert_contains(job.error, UMLAUT);
	assert_ok(job_retry(test->db, results[0].id, &error), &error);
	assert_ok(job_find(test->db, test->arena, results[0].id, &job, &error), &error);
	assert_contains(job.payload, UMLAUT);
	assert_int_equal(job.state, JOB_READY);
}

static void what_fits_lives(void **state)
{
	struct test_db *test = *state;
	struct db *original = test->db;

	for (size_t i = 0; i < COLLATIONS; i++) {
		test->db = open_converted(test, collations[i]);
		a_life(test);
		test_invariant(test->db);
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
		db_close(test->db);
		test->db = original;
	}
}

static void what_does_not_fit_is_refused(void **state)
{
	const struct new_job bad[] = {
		{ .class_name = "A", .arguments = "[\"" CRAB "\"]" },
		{ .class_name = CRAB },
		{ .class_name = "A", .queue = CRAB },
		{ .class_name = "A", .concurrency_key = CRAB },
		{ .class_name = "A", .payload = "{\"job_id\":\"" CRAB "\"}" },
	};
	struct test_db *test = *state;

	for (size_t i = 0; i < COLLATIONS; i++) {
		struct db *db = open_converted(test, collations[i]);
		for (size_t k = 0; k < sizeof(bad) / sizeof(bad[0]); k++) {
			struct new_job jobs[] = { { .class_name = "Good" }, bad[k] };
			struct enqueued results[2];
			struct error error = { 0 };
			assert_status(enqueue(db, jobs, 2, results, &error), STATUS_INVALID,
				      &error);
			assert_int_equal(rows_of(test, "jobs"), 0);
		}
		db_close(db);
	}
}

int main(void)
{
	static const struct test_case cases[] = {
		TEST_ONLY(what_fits_lives, "mysql mariadb"),
		TEST_ONLY(what_does_not_fit_is_refused, "mysql mariadb"),
	};

	return test_run_backends("alphabets", cases, sizeof(cases) / sizeof(cases[0]));
}
