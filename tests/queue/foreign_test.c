/* Payloads that others have made, Rails or a script: kept as they are, whatever their job_id. */
#include "tests/support/queue.h"

DB_CASE(a_foreign_payload_is_kept)
{
	static const char payload[] =
		"{\"job_class\":\"HelloJob\",\"job_id\":\"ba8e4354-a748-4519-99d1-8079df3a32bf\","
		"\"arguments\":[1],\"mine\":{\"kept\":true}}";
	const struct new_job job = { .class_name = "HelloJob", .payload = payload };

	struct job found = find_job(test, put_job(test->db, &job));
	assert_string_equal(found.payload, payload);
	assert_string_equal(found.active_job_id, "ba8e4354-a748-4519-99d1-8079df3a32bf");
}

/*
 * active_job_id is not unique: a job enqueued twice is two jobs (defect 30;
 * docs/internals/solid-queue.md, 2.1). MySQL finds its new rows by it, and takes spellings for
 * equal that are not.
 */
DB_CASE(two_jobs_may_have_one_active_job_id)
{
	static const char *const ids[] = { "same", "same", "SAME", "same ", "other", "same" };
	enum { COUNT = sizeof(ids) / sizeof(ids[0]) };
	struct new_job jobs[COUNT];
	struct enqueued results[COUNT];

	for (size_t i = 0; i < COUNT; i++)
		jobs[i] = (struct new_job){ .class_name = "Twice",
					    .payload = arena_printf(test->arena,
								    "{\"job_id\":\"%s\"}", ids[i]),
					    .delay = i > 2 ? CLOCK_HOUR : 0 };
	must(enqueue, test->db, jobs, COUNT, results);
	for (int look = 0; look < 2; look++) {
		for (size_t i = 0; i < COUNT; i++) {
			assert_true(i == 0 || results[i].id > results[i - 1].id);
			struct job job = find_job(test, results[i].id);
			assert_string_equal(job.active_job_id, ids[i]);
			assert_int_equal(job.state, i > 2 ? JOB_SCHEDULED : JOB_READY);
		}
		for (size_t i = 0; i < COUNT; i++)
			results[i].id = 0;
		must(enqueue_resolve, test->db, results, COUNT);
	}
	assert_int_equal(rows_of(test, "jobs"), COUNT);
	test_invariant(test->db);
}

/* The same over more statements than one. */
DB_CASE(a_repeated_active_job_id_may_be_far_away)
{
	enum { COUNT = 250, LENGTH = 60000 };
	struct new_job jobs[COUNT];
	struct enqueued results[COUNT];
	const char *payload = arena_printf(test->arena, "{\"job_id\":\"i\",\"x\":\"%s\"}",
					   repeat(test->arena, 'x', LENGTH));

	for (size_t i = 0; i < COUNT; i++)
		jobs[i] = (struct new_job){ .class_name = "Same", .payload = payload };
	must(enqueue, test->db, jobs, COUNT, results);
	for (size_t i = 1; i < COUNT; i++)
		assert_true(results[i].id > results[i - 1].id);
	assert_int_equal(rows_of(test, "ready_executions"), COUNT);
	test_invariant(test->db);
}
