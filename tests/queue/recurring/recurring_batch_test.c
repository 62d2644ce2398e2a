/* Batches of recurring jobs: each is found again and recorded (solid-queue.md, 2.13). */
#include "queue/recurring/recurring.h"
#include "tests/support/jobs/recurring.h"
#include "tests/support/limited.h"

/* A batch of several megabytes travels in parts, each with the occurrences of its own jobs. */
DB_CASE(a_large_batch_is_sorted_out)
{
	enum { COUNT = 80, BYTES = 60000, EARLY = 3, LATE = 77 };
	struct new_job jobs[COUNT];
	struct enqueued results[COUNT];
	const char *arguments = arena_printf(test->arena, "[\"%0*d\"]", BYTES, 0);

	for (int i = 0; i < COUNT; i++)
		jobs[i] = (struct new_job){ .class_name = "Test",
					    .arguments = arguments,
					    .queue = "a",
					    .task_key = "a",
					    .run_at = OCCURRENCE + i * CLOCK_SECOND };
	must(enqueue, test->db, &jobs[EARLY], 1, results);
	must(enqueue, test->db, &jobs[LATE], 1, results);
	must(enqueue, test->db, jobs, COUNT, results);
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(results[i].repeated, i == EARLY || i == LATE);
		assert_int_equal(results[i].id > 0, i != EARLY && i != LATE);
	}
	assert_rows(test, COUNT, 0, 0);
	assert_int_equal(rows_of(test, "recurring_executions"), COUNT);
	assert_int_equal(runs_of(test), COUNT);
}

DB_CASE(occurrences_and_others_do_not_mix)
{
	const struct new_job jobs[] = {
		{ .class_name = "Test", .task_key = "a", .run_at = OCCURRENCE },
		{ .class_name = "Test" }
	};
	struct enqueued results[2];

	must_be(STATUS_INVALID, enqueue, test->db, jobs, 2, results);
	assert_int_equal(rows_of(test, "jobs"), 0);
}
