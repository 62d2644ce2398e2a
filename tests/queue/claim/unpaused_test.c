/*
 * Claiming while something is paused: RE7, and PA, which is dray's own
 * (docs/internals/solid-queue.md, 5). The order over all queues stays, whatever stands in front;
 * classes and processes are paused as queues are.
 */
#include "queue/pauses/pause.h"
#include "tests/support/jobs/poller.h"

#define MANY 250 /* more than are looked at in front of the others */

static const struct poller_queues chosen = { "q", "q*" };

static void open_worker(struct poller *worker, struct test_db *test, size_t choice, size_t limit)
{
	open_poller(worker, test, choice, &chosen);
	worker->claim.limit = limit;
}

/* Jobs of classes that were left alone a moment ago may take another one. */
static int64_t poll_until(struct poller *worker)
{
	test_until(poll_once(worker) > 0, "a job");
	return worker->claims[0].job.id;
}

static void fill(struct test_db *test, const char *queue, const char *class, int priority,
		 size_t count)
{
	const struct new_job job = {
		.class_name = class, .queue = queue, .has_priority = true, .priority = priority
	};

	put_copies(test, &job, count);
}

static bool change(struct test_db *test, enum pause_kind kind, const char *name, bool pause)
{
	const struct pause_note note = { .reason = "deploy", .who = "alice", .host = "host-1" };
	struct error error = { 0 };
	bool changed = false;

	assert_ok(
		(pause ? pause_other : resume_other)(test->db, kind, name, &note, &changed, &error),
		&error);
	return changed;
}

/* As many queues as there are, some of them paused: one order by priority and age. */
DB_CASE(pa_one_order_over_many_queues)
{
	enum { QUEUES = 30 };
	struct poller worker;
	int64_t priority = -1;
	int64_t id = 0;
	size_t count = 0;

	for (int i = 0; i < 2 * QUEUES; i++)
		put(test->db, arena_printf(test->arena, "q%d", i % QUEUES), i % 7);
	for (int i = 0; i < QUEUES; i += 10)
		pause_queue(test, arena_printf(test->arena, "q%d", i));
	open_worker(&worker, test, 0, 10);
	while (poll_once(&worker) > 0) {
		for (size_t i = 0; i < worker.count; i++) {
			const struct job *job = &worker.claims[i].job;
			assert_true(job->priority > priority ||
				    (job->priority == priority && job->id > id));
			priority = job->priority;
			id = job->id;
			assert_true(strtol(job->queue + 1, NULL, 10) % 10 != 0);
		}
		count += worker.count;
	}
	assert_int_equal(count, 2 * (QUEUES - QUEUES / 10));
	test_invariant(test->db);
}

static void assert_queues(struct poller *worker, const char *const *queues)
{
	for (; *queues; queues++) {
		assert_int_equal(poll_once(worker), 1);
		assert_string_equal(worker->claims[0].job.queue, *queues);
	}
}

/* Paused jobs of the best priority, more of them between the others, and a long run of them. */
DB_CASE(pa_a_paused_backlog_in_front)
{
	static const char *const first[] = { "b", "a", "c", "a", "c", NULL };
	static const char *const then[] = { "b", NULL };
	static const char *const last[] = { "p", "p", NULL };
	struct poller worker;

	fill(test, "p", "Test", 0, MANY);
	put(test->db, "a", 3);
	put(test->db, "b", 1);
	put(test->db, "c", 4);
	fill(test, "p", "Test", 5, MANY);
	put(test->db, "a", 7);
	put(test->db, "c", 7);
	pause_queue(test, "p");
	open_worker(&worker, test, 0, 1);
	assert_queues(&worker, first);
	for (int i = 0; i < 3; i++)
		assert_int_equal(poll_once(&worker), 0);
	put(test->db, "b", 9);
	assert_queues(&worker, then);
	resume_queue(test, "p");
	assert_queues(&worker, last);
	test_invariant(test->db);
}

/* The same in one go, and from the beginning while it remembers how deep the others stand. */
DB_CASE(pa_a_paused_backlog_and_a_full_batch)
{
	struct poller worker;

	fill(test, "p", "Test", 0, MANY);
	fill(test, "a", "Test", 1, 3);
	fill(test, "p", "Test", 2, MANY);
	fill(test, "b", "Test", 3, 3);
	pause_queue(test, "p");
	open_worker(&worker, test, 0, 5);
	assert_int_equal(poll_once(&worker), 5);
	assert_string_equal(worker.claims[2].job.queue, "a");
	assert_string_equal(worker.claims[4].job.queue, "b");
	put(test->db, "c", -1);
	assert_int_equal(poll_once(&worker), 2);
	assert_string_equal(worker.claims[0].job.queue, "c");
	assert_string_equal(worker.claims[1].job.queue, "b");
	assert_int_equal(poll_once(&worker), 0);
	assert_int_equal(rows_of(test, "ready_executions"), 2 * MANY);
	test_invariant(test->db);
}

/* Where the backlog ends is remembered for less than it takes to claim them all. */
DB_CASE(pa_the_urgent_pass_a_paused_backlog)
{
	enum { OTHERS = 200 };
	struct poller worker;

	fill(test, "p", "Test", 0, MANY);
	fill(test, "a", "Test", 1, OTHERS);
	pause_queue(test, "p");
	open_worker(&worker, test, 0, 1);
	assert_int_equal(poll_once(&worker), 1);
	int64_t urgent = put(test->db, "c", -1);
	for (int i = 1; i < OTHERS && worker.claims[0].job.id != urgent; i++) {
		clock_sleep(5 * CLOCK_MILLISECOND);
		assert_int_equal(poll_once(&worker), 1);
	}
	assert_int_equal(worker.claims[0].job.id, urgent);
	test_invariant(test->db);
}

/* What one has been told of, others may have taken: there is more behind it. */
DB_CASE(pa_a_window_that_others_use_up)
{
	struct poller worker;
	struct poller other;

	fill(test, "a", "Test", 0, MANY);
	pause_queue(test, "p");
	open_worker(&worker, test, 0, 5);
	open_worker(&other, test, 0, MANY - 10);
	assert_int_equal(poll_once(&worker), 5);
	assert_int_equal(poll_once(&other), MANY - 10);
	assert_int_equal(poll_once(&worker), 5);
	assert_int_equal(rows_of(test, "ready_executions"), 0);
	test_invariant(test->db);
}

/* More comes to be paused than a worker knows of, and then nothing is. */
DB_CASE(pa_more_is_paused_meanwhile)
{
	const struct pause_note note = { .who = "alice" };
	bool changed;
	struct poller worker;

	fill(test, "q1", "Test", 0, 4);
	fill(test, "other", "Paused", 1, 4);
	fill(test, "other", "Test", 2, 4);
	pause_queue(test, "p");
	open_worker(&worker, test, 0, 2);
	assert_int_equal(poll_once(&worker), 2);
	assert_string_equal(worker.claims[0].job.queue, "q1");
	must(pattern_pause, test->db, "q*", &note, &changed);
	assert_int_equal(poll_once(&worker), 2);
	assert_string_equal(worker.claims[0].job.class_name, "Paused");
	assert_true(change(test, PAUSE_CLASS, "Paused", true));
	assert_int_equal(poll_once(&worker), 2);
	assert_string_equal(worker.claims[0].job.class_name, "Test");
	assert_true(change(test, PAUSE_CLASS, "Paused", false));
	must(pattern_resume, test->db, "q*", &note, &changed);
	resume_queue(test, "q1"); /* which the pattern has paused by name */
	assert_int_equal(poll_once(&worker), 2);
	assert_string_equal(worker.claims[0].job.queue, "q1");
	test_invariant(test->db);
}

DB_CASE(pa_a_paused_class)
{
	struct poller worker;

	for (size_t i = 0; i < CHOICES; i++) {
		open_worker(&worker, test, i, 1);
		fill(test, "q", "Paused", 0, MANY);
		assert_true(change(test, PAUSE_CLASS, "Paused", true));
		assert_false(change(test, PAUSE_CLASS, "Paused", true));
		int64_t first = put(test->db, "q", 0);
		int64_t second = put(test->db, "q", 0);
		assert_int_equal(poll_until(&worker), first);
		assert_int_equal(poll_until(&worker), second);
		for (int round = 0; round < 3; round++)
			assert_int_equal(poll_once(&worker), 0);
		/* A name that is only like it is another class. */
		assert_false(change(test, PAUSE_CLASS, "paused", false));
		assert_int_equal(poll_once(&worker), 0);
		assert_true(change(test, PAUSE_CLASS, "Paused", false));
		(void)poll_until(&worker);
		assert_string_equal(worker.claims[0].job.class_name, "Paused");
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
	}
	test_invariant(test->db);
}

DB_CASE(pa_a_paused_class_and_a_paused_queue)
{
	struct poller worker;

	open_worker(&worker, test, 0, 5);
	fill(test, "p", "Test", 0, 3);
	fill(test, "q", "Paused", 0, 3);
	int64_t mine = put(test->db, "q", 0);
	pause_queue(test, "p");
	assert_true(change(test, PAUSE_CLASS, "Paused", true));
	assert_int_equal(poll_until(&worker), mine);
	assert_int_equal(worker.count, 1);
	assert_int_equal(poll_once(&worker), 0);
	assert_true(change(test, PAUSE_CLASS, "Paused", false));
	(void)poll_until(&worker);
	assert_int_equal(worker.count, 3);
	resume_queue(test, "p");
	assert_int_equal(poll_once(&worker), 3);
	test_invariant(test->db);
}

/* The others go on; with its row its pause goes. */
DB_CASE(pa_a_paused_process)
{
	struct poller paused;
	struct poller other;

	for (size_t i = 0; i < CHOICES; i++) {
		const char *name = arena_printf(test->arena, "w%zu", i);
		int64_t released;
		open_worker(&paused, test, i, 1);
		open_worker(&other, test, (i + 1) % CHOICES, 1);
		fill(test, "q", "Test", 0, 3);
		assert_true(change(test, PAUSE_PROCESS, name, true));
		assert_false(change(test, PAUSE_PROCESS, name, true));
		for (int round = 0; round < 3; round++)
			assert_int_equal(poll_once(&paused), 0);
		assert_int_equal(poll_once(&other), 1);
		assert_true(change(test, PAUSE_PROCESS, name, false));
		assert_int_equal(poll_once(&paused), 1);
		assert_true(change(test, PAUSE_PROCESS, name, true));
		must(process_deregister, test->db, paused.claim.process_id, &released);
		assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_pauses"), 0);
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
		test_execute(test->db, "DELETE FROM solid_queue_processes");
	}
	test_invariant(test->db);
}

DB_CASE(only_a_worker_is_paused)
{
	const struct pause_note note = { .who = "alice" };
	bool changed;

	must_be(STATUS_NONE, pause_other, test->db, PAUSE_PROCESS, "nobody", &note, &changed);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_audit"), 0);
}

DB_CASE(classes_and_processes_end_at_their_time)
{
	const struct pause_note over = { .ends_at = db_now(test->db) - 1 };
	struct pause_row *ended;
	size_t count;
	int64_t next;
	bool changed;

	(void)register_worker(test->db, "w");
	must(pause_other, test->db, PAUSE_CLASS, "Test", &over, &changed);
	must(pause_other, test->db, PAUSE_PROCESS, "w", &over, &changed);
	must(pause_sweep, test->db, test->arena, &ended, &count, &next);
	assert_int_equal(count, 2);
	assert_string_equal(ended[0].kind, "class");
	assert_string_equal(ended[1].kind, "process");
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_pauses"), 0);
}

/* What Rails has paused, too. */
DB_CASE(everything_paused_is_shown)
{
	struct pause_row *rows;
	size_t count;

	(void)register_worker(test->db, "w");
	pause_queue(test, "mail");
	test_execute(test->db, "INSERT INTO solid_queue_pauses (queue_name, created_at) VALUES "
			       "('rails', '2026-01-01 00:00:00')");
	assert_true(change(test, PAUSE_CLASS, "Import", true));
	assert_true(change(test, PAUSE_PROCESS, "w", true));
	must(pause_shown, test->db, test->arena, &rows, &count);
	assert_int_equal(count, 4);
	assert_string_equal(rows[0].name, "Import");
	assert_string_equal(rows[0].note.reason, "deploy");
	assert_string_equal(rows[1].name, "w");
	assert_string_equal(rows[2].name, "mail");
	assert_non_null(rows[2].note.who);
	assert_string_equal(rows[3].name, "rails");
	assert_null(rows[3].note.who);
}
