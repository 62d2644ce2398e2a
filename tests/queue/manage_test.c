/*
 * Queues, discarding, dispatching and processes: QU1 to QU5, JB13, JB15, JB16, JB18, RE18, RE19,
 * PR1 to PR5 (docs/internals/solid-queue.md, 5).
 */
#include "tests/support/queue.h"

TEST(qu1_qu3_sizes)
{
	struct test_db *test = *state;
	const struct new_job later = { .class_name = "A", .queue = "b", .delay = CLOCK_HOUR };

	put(test->db, "a", 0);
	put(test->db, "a", 0);
	put_job(test->db, &later);
	assert_int_equal(queue_row_of(test, "a")->size, 2);
	assert_int_equal(queue_row_of(test, "b")->size, 0);
	assert_int_equal(queue_row_of(test, "b")->counts[JOB_SCHEDULED], 1);
	assert_null(queue_row_of(test, "c"));
}

TEST(qu4_pause_and_resume)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	bool changed;

	assert_ok(queue_pause(test->db, "new", &changed, &error), &error);
	assert_true(changed);
	assert_ok(queue_pause(test->db, "new", &changed, &error), &error);
	assert_false(changed);
	assert_true(queue_row_of(test, "new")->paused);
	assert_ok(queue_resume(test->db, "new", &changed, &error), &error);
	assert_true(changed);
	assert_ok(queue_resume(test->db, "new", &changed, &error), &error);
	assert_false(changed);
	assert_null(queue_row_of(test, "new"));
}

TEST(qu5_latency)
{
	struct test_db *test = *state;

	put(test->db, "a", 0);
	test_execute(test->db, "UPDATE solid_queue_ready_executions SET created_at ="
			       " '2026-01-01 00:00:00'");
	assert_true(queue_row_of(test, "a")->latency > CLOCK_DAY);
	take_all(test, register_worker(test->db, "w"), 1);
	assert_int_equal(queue_row_of(test, "a")->latency, 0);
}

TEST(jb13_jb16_discard_waiting_jobs)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	const struct new_job later = { .class_name = "A", .delay = CLOCK_HOUR };
	int64_t ready = put(test->db, "a", 0);
	int64_t scheduled = put_job(test->db, &later);

	assert_ok(job_discard(test->db, ready, &error), &error);
	assert_ok(job_discard(test->db, scheduled, &error), &error);
	assert_int_equal(rows_of(test, "jobs"), 0);
	assert_int_equal(rows_of(test, "ready_executions"), 0);
	assert_int_equal(rows_of(test, "scheduled_executions"), 0);
	assert_status(job_discard(test->db, ready, &error), STATUS_NONE, &error);
}

TEST(jb15_a_running_job_is_not_discarded)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	int64_t id = put(test->db, "a", 0);
	struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);

	assert_status(job_discard(test->db, id, &error), STATUS_INVALID, &error);
	assert_contains(error.text, "it is running and cannot be discarded");
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	assert_status(job_discard(test->db, id, &error), STATUS_INVALID, &error);
	assert_contains(error.text, "it is already finished");
	assert_int_equal(rows_of(test, "jobs"), 1);
}

/* JB18, IN14: and how many there were. */
TEST(jb18_bulk_discard_by_state)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	const struct new_job later = { .class_name = "A", .delay = CLOCK_HOUR };
	struct job_filter filter = { .has_state = true, .state = JOB_READY, .queue = "a" };
	int64_t count;

	for (int i = 0; i < 6; i++)
		put(test->db, i < 4 ? "a" : "b", 0);
	put_job(test->db, &later);
	assert_ok(job_discard_all(test->db, &filter, &count, &error), &error);
	assert_int_equal(count, 4);
	filter = (struct job_filter){ .has_state = true, .state = JOB_SCHEDULED };
	assert_ok(job_discard_all(test->db, &filter, &count, &error), &error);
	assert_int_equal(count, 1);
	assert_int_equal(rows_of(test, "jobs"), 2);
	filter.state = JOB_CLAIMED;
	assert_status(job_discard_all(test->db, &filter, &count, &error), STATUS_INVALID, &error);
	test_invariant(test->db);
}

static int64_t discard_ready(struct test_db *test, const char *queue)
{
	const struct job_filter filter = { .has_state = true, .state = JOB_READY, .queue = queue };
	struct error error = { 0 };
	int64_t count;

	assert_ok(job_discard_all(test->db, &filter, &count, &error), &error);
	return count;
}

/* QU2: clearing a queue is discarding what is ready in it. */
TEST(qu2_re18_re19_clear_queues)
{
	struct test_db *test = *state;

	for (int i = 0; i < 8; i++)
		put(test->db, i < 5 ? "a" : "b", i);
	assert_int_equal(discard_ready(test, "a"), 5);
	assert_int_equal(rows_of(test, "jobs"), 3);
	assert_int_equal(rows_of(test, "ready_executions"), 3);
	assert_int_equal(discard_ready(test, "a"), 0);
	assert_int_equal(rows_of(test, "jobs"), 3);
	for (int i = 0; i < 5; i++)
		put(test->db, "a", i);
	assert_int_equal(discard_ready(test, NULL), 8);
	assert_int_equal(rows_of(test, "jobs"), 0);
	test_invariant(test->db);
}

TEST(lists_by_state_and_page)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	struct job_filter filter = { .limit = 3 };
	struct job *jobs;
	size_t count;
	int64_t ids[5];

	for (int i = 0; i < 5; i++)
		ids[i] = put(test->db, i == 2 ? "b" : "a", 0);
	assert_ok(job_list(test->db, test->arena, &filter, &jobs, &count, &error), &error);
	assert_int_equal(count, 3);
	assert_int_equal(jobs[0].id, ids[4]);
	filter.before = jobs[2].id;
	assert_ok(job_list(test->db, test->arena, &filter, &jobs, &count, &error), &error);
	assert_int_equal(count, 2);
	assert_int_equal(jobs[1].id, ids[0]);
	filter = (struct job_filter){ .has_state = true, .state = JOB_READY, .queue = "b" };
	assert_ok(job_list(test->db, test->arena, &filter, &jobs, &count, &error), &error);
	assert_int_equal(count, 1);
	assert_int_equal(jobs[0].id, ids[2]);
	assert_int_equal(jobs[0].state, JOB_READY);
	filter.class_name = "None";
	assert_ok(job_list(test->db, test->arena, &filter, &jobs, &count, &error), &error);
	assert_int_equal(count, 0);
}

/* IN1: how many were moved is what the verb returns. */
TEST(di_dispatch_moves_what_is_due)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	const struct new_job later = { .class_name = "A", .delay = CLOCK_HOUR };
	int64_t moved;

	for (int i = 0; i < 5; i++)
		put_job(test->db, &later);
	assert_ok(dispatch(test->db, 10, &moved, &error), &error);
	assert_int_equal(moved, 0);
	/* The job's own queue and priority count, should anybody have changed them
	 * (solid-queue.md, 2.6). */
	test_execute(test->db, "UPDATE solid_queue_jobs SET queue_name = 'moved', priority = 7");
	test_execute(test->db, "UPDATE solid_queue_scheduled_executions SET scheduled_at ="
			       " '2026-01-01 00:00:00'");
	assert_ok(dispatch(test->db, 3, &moved, &error), &error);
	assert_int_equal(moved, 3);
	assert_ok(dispatch(test->db, 3, &moved, &error), &error);
	assert_int_equal(moved, 2);
	assert_int_equal(test_query_int(test->url,
					"SELECT count(*) FROM solid_queue_ready_executions"
					" WHERE queue_name = 'moved' AND priority = 7"),
			 5);
	assert_int_equal(rows_of(test, "scheduled_executions"), 0);
	test_invariant(test->db);
}

/* PR1, PR2, IN9: how many jobs the dead had is told. */
TEST(pr1_pr2_prune_only_the_dead)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	struct loss_result result;
	int64_t dead = register_worker(test->db, "dead");
	int64_t id = put(test->db, "a", 0);

	take_all(test, dead, 1);
	int64_t self = register_worker(test->db, "self");
	register_worker(test->db, "alive");
	test_execute(test->db, "UPDATE solid_queue_processes SET last_heartbeat_at ="
			       " '2026-01-01 00:00:00' WHERE name <> 'alive'");
	const struct prune prune = { self, 30 * CLOCK_SECOND, 5 * CLOCK_MINUTE };
	assert_ok(process_prune(test->db, &prune, &test_policy, &result, &error), &error);
	assert_int_equal(result.processes, 1);
	assert_int_equal(result.released, 1);
	assert_int_equal(state_of(test, id), JOB_READY);
	assert_int_equal(rows_of(test, "processes"), 2);
	test_invariant(test->db);
}

TEST(pr3_a_supervisor_and_its_worker)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	struct loss_result result;
	struct process_row row = { .kind = "Supervisor(fork)", .name = "s", .hostname = "h" };

	assert_ok(process_register(test->db, &row, &error), &error);
	row = (struct process_row){
		.kind = "Worker", .name = "w", .hostname = "h", .supervisor_id = row.id
	};
	assert_ok(process_register(test->db, &row, &error), &error);
	int64_t id = put(test->db, "a", 0);
	take_all(test, row.id, 1);
	test_execute(test->db, "UPDATE solid_queue_processes SET last_heartbeat_at ="
			       " '2026-01-01 00:00:00'");
	const struct prune prune = { 0, CLOCK_SECOND, CLOCK_SECOND };
	assert_ok(process_prune(test->db, &prune, &test_policy, &result, &error), &error);
	assert_int_equal(result.processes, 2);
	assert_int_equal(result.released, 1);
	assert_int_equal(rows_of(test, "processes"), 0);
	assert_int_equal(state_of(test, id), JOB_READY);
}

/* Rows of other software beat more slowly: they have a threshold of their own. */
TEST(foreign_rows_have_their_own_threshold)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	struct loss_result result;
	struct process_row foreign = {
		.kind = "Worker", .name = "rails", .pid = 1, .hostname = "h"
	};

	assert_ok(process_register(test->db, &foreign, &error), &error);
	register_worker(test->db, "ours");
	clock_sleep(20 * CLOCK_MILLISECOND);
	struct prune prune = { 0, CLOCK_MILLISECOND, CLOCK_HOUR };
	assert_ok(process_prune(test->db, &prune, &test_policy, &result, &error), &error);
	assert_int_equal(result.processes, 0); /* ours may miss five beats of five seconds */
	prune.other_threshold = CLOCK_MILLISECOND;
	assert_ok(process_prune(test->db, &prune, &test_policy, &result, &error), &error);
	assert_int_equal(result.processes, 1);
	assert_int_equal(test_query_int(test->url, "SELECT count(*) FROM solid_queue_processes"
						   " WHERE name = 'ours'"),
			 1);
}

TEST(pr4_odd_hostnames)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	struct process_row row = {
		.kind = "Worker", .name = "odd", .pid = 1, .hostname = "h\xc3\xb6st 'x' \\ %"
	};
	struct process_row *rows;
	size_t count;

	assert_ok(process_register(test->db, &row, &error), &error);
	assert_ok(process_list(test->db, test->arena, &rows, &count, &error), &error);
	assert_int_equal(count, 1);
	assert_string_equal(rows[0].hostname, row.hostname);
	assert_null(rows[0].metadata);
}

TEST(pr5_heartbeats)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	int64_t id = register_worker(test->db, "w");
	const struct process_row row = {
		.id = id, .name = "w", .supervisor_id = 77, .metadata = "{\"a\":1}"
	};
	const struct process_row other = { .id = id, .name = "v" };
	struct process_row *rows;
	size_t count;
	int64_t before = db_now(test->db);

	assert_ok(process_heartbeat(test->db, &row, &error), &error);
	assert_ok(process_list(test->db, test->arena, &rows, &count, &error), &error);
	assert_true(rows[0].last_heartbeat_at > before);
	assert_string_equal(rows[0].metadata, "{\"a\":1}");
	assert_int_equal(rows[0].supervisor_id, 77);
	assert_status(process_heartbeat(test->db, &other, &error), STATUS_NONE, &error);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	assert_status(process_heartbeat(test->db, &row, &error), STATUS_NONE, &error);
}

TEST(bury_and_orphans)
{
	struct test_db *test = *state;
	const struct burial burial = { "killed", 1, "Exited with status 1." };
	struct loss_result result;
	struct error error = { 0 };

	put(test->db, "a", 0);
	put(test->db, "a", 0);
	take_all(test, register_worker(test->db, "killed"), 2);
	assert_ok(process_bury(test->db, &burial, &test_policy, &result, &error), &error);
	assert_int_equal(result.processes, 1);
	assert_int_equal(result.released, 2);
	assert_status(process_bury(test->db, &burial, &test_policy, &result, &error), STATUS_NONE,
		      &error);
	take_all(test, register_worker(test->db, "gone"), 2);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	assert_ok(process_lose_orphans(test->db, &test_policy, &result, &error), &error);
	assert_int_equal(result.released, 2);
	assert_int_equal(rows_of(test, "ready_executions"), 2);
	test_invariant(test->db);
}

static void beat_before(struct test_db *test, const char *name, int64_t ago)
{
	char time[CLOCK_TEXT_SIZE];

	clock_format(db_now(test->db) - ago, time);
	test_execute(test->db, arena_printf(test->arena,
					    "UPDATE solid_queue_processes SET last_heartbeat_at ="
					    " '%s' WHERE name = '%s'",
					    time, name));
}

/* However many slow ones stand before it, a dead process of ours is found. */
TEST(the_slow_do_not_hide_the_dead)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	const struct prune prune = { 0, 30 * CLOCK_SECOND, CLOCK_DAY };
	struct loss_result result;
	struct process_row slow = { .kind = "Worker", .hostname = "h" };

	for (int i = 0; i < 60; i++) {
		slow.name = arena_printf(test->arena, "slow %d", i);
		assert_ok(process_register(test->db, &slow, &error), &error);
		beat_before(test, slow.name, CLOCK_HOUR);
	}
	slow.name = "boundless";
	slow.metadata = "{\"heartbeat_interval\":1e300}";
	assert_ok(process_register(test->db, &slow, &error), &error);
	beat_before(test, "boundless", CLOCK_HOUR);
	register_worker(test->db, "dead");
	beat_before(test, "dead", CLOCK_MINUTE);
	assert_ok(process_prune(test->db, &prune, &test_policy, &result, &error), &error);
	assert_int_equal(result.processes, 1);
	assert_int_equal(test_query_int(test->url, "SELECT count(*) FROM solid_queue_processes"
						   " WHERE name = 'dead'"),
			 0);
}
