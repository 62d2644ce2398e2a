/* Queues, discarding, processes: QU1 to QU5, JB13, JB15, JB16, JB18, RE18, RE19, PR1 to PR5. */
#include "tests/support/queue.h"

DB_CASE(qu1_qu3_sizes)
{
	put(test->db, "a", 0);
	put(test->db, "a", 0);
	put_for_later(test->db, "A", "b");
	assert_int_equal(queue_row_of(test, "a")->size, 2);
	assert_int_equal(queue_row_of(test, "b")->size, 0);
	assert_int_equal(queue_row_of(test, "b")->counts[JOB_SCHEDULED], 1);
	assert_null(queue_row_of(test, "c"));
}

DB_CASE(qu4_pause_and_resume)
{
	assert_true(pause_queue(test, "new"));
	assert_false(pause_queue(test, "new"));
	assert_true(queue_row_of(test, "new")->paused);
	assert_true(resume_queue(test, "new"));
	assert_false(resume_queue(test, "new"));
	assert_null(queue_row_of(test, "new"));
}

DB_CASE(qu5_latency)
{
	put(test->db, "a", 0);
	sql_do(test, "UPDATE solid_queue_ready_executions SET created_at = '2026-01-01 00:00:00'");
	assert_true(queue_row_of(test, "a")->latency > CLOCK_DAY);
	take_all(test, register_worker(test->db, "w"), 1);
	assert_int_equal(queue_row_of(test, "a")->latency, 0);
}

DB_CASE(jb13_jb16_discard_waiting_jobs)
{
	int64_t ready = put(test->db, "a", 0);
	int64_t scheduled = put_for_later(test->db, "A", NULL);

	must(job_discard, test->db, ready);
	must(job_discard, test->db, scheduled);
	assert_int_equal(rows_of(test, "jobs"), 0);
	assert_int_equal(rows_of(test, "ready_executions"), 0);
	assert_int_equal(rows_of(test, "scheduled_executions"), 0);
	must_be(STATUS_NONE, job_discard, test->db, ready);
}

DB_CASE(jb15_a_running_job_is_not_discarded)
{
	int64_t id = put(test->db, "a", 0);
	struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);

	must_say("discard.running", STATUS_INVALID, job_discard, test->db, id);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	must_say("discard.finished", STATUS_INVALID, job_discard, test->db, id);
	assert_int_equal(rows_of(test, "jobs"), 1);
}

/* JB18, IN14: and how many there were. */
DB_CASE(jb18_bulk_discard_by_state)
{
	struct job_filter filter = { .has_state = true, .state = JOB_READY, .queue = "a" };
	int64_t count;

	for (int i = 0; i < 6; i++)
		put(test->db, i < 4 ? "a" : "b", 0);
	put_for_later(test->db, "A", NULL);
	must(job_discard_all, test->db, &filter, &count);
	assert_int_equal(count, 4);
	filter = (struct job_filter){ .has_state = true, .state = JOB_SCHEDULED };
	must(job_discard_all, test->db, &filter, &count);
	assert_int_equal(count, 1);
	assert_int_equal(rows_of(test, "jobs"), 2);
	filter.state = JOB_CLAIMED;
	must_be(STATUS_INVALID, job_discard_all, test->db, &filter, &count);
	test_invariant(test->db);
}

/* QU2: clearing a queue is discarding what is ready in it. */
DB_CASE(qu2_re18_re19_clear_queues)
{
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

DB_CASE(lists_by_state_and_page)
{
	struct job_filter filter = { .limit = 3 };
	struct job *jobs;
	size_t count;
	int64_t ids[5];

	for (int i = 0; i < 5; i++)
		ids[i] = put(test->db, i == 2 ? "b" : "a", 0);
	must(job_list, test->db, test->arena, &filter, &jobs, &count);
	assert_int_equal(count, 3);
	assert_int_equal(jobs[0].id, ids[4]);
	filter.before = jobs[2].id;
	must(job_list, test->db, test->arena, &filter, &jobs, &count);
	assert_int_equal(count, 2);
	assert_int_equal(jobs[1].id, ids[0]);
	filter = (struct job_filter){ .has_state = true, .state = JOB_READY, .queue = "b" };
	must(job_list, test->db, test->arena, &filter, &jobs, &count);
	assert_int_equal(count, 1);
	assert_int_equal(jobs[0].id, ids[2]);
	assert_int_equal(jobs[0].state, JOB_READY);
	filter.class_name = "None";
	must(job_list, test->db, test->arena, &filter, &jobs, &count);
	assert_int_equal(count, 0);
}

/* Whatever a database's collation holds for equal: other letters, and spaces behind. */
DB_CASE(a_class_is_only_itself)
{
	static const char *const classes[] = { "T", "t", "T ", "\xc5\xa4" };
	struct job_filter filter = { .class_name = "t", .limit = 9 };
	const size_t put_count = sizeof(classes) / sizeof(classes[0]);
	int64_t ids[sizeof(classes) / sizeof(classes[0])];
	struct job *jobs;
	size_t count;
	int64_t changed;

	for (size_t i = 0; i < put_count; i++)
		ids[i] = put_job(test->db, &(struct new_job){ .class_name = classes[i] });
	for (int by_state = 0; by_state < 2; by_state++) {
		filter.has_state = by_state == 1;
		filter.state = JOB_READY;
		must(job_list, test->db, test->arena, &filter, &jobs, &count);
		assert_int_equal(count, 1);
		assert_int_equal(jobs[0].id, ids[1]);
	}
	must(job_discard_all, test->db, &filter, &changed);
	assert_int_equal(changed, 1);
	assert_int_equal(rows_of(test, "jobs"), put_count - 1);
	finish_jobs(test, register_worker(test->db, "w"), put_count - 1);
	assert_int_equal(clear_finished(test, db_now(test->db) + CLOCK_DAY, "T", 9), 1);
	assert_int_equal(rows_of(test, "jobs"), put_count - 2);
}

/* IN1: how many were moved is what the verb returns. */
DB_CASE(di_dispatch_moves_what_is_due)
{
	for (int i = 0; i < 5; i++)
		put_for_later(test->db, "A", NULL);
	assert_int_equal(dispatch_due(test, 10), 0);
	/* The job's own queue and priority count, should anybody have changed them
	 * (solid-queue.md, 2.6). */
	test_execute(test->db, "UPDATE solid_queue_jobs SET queue_name = 'moved', priority = 7");
	make_due(test);
	assert_int_equal(dispatch_due(test, 3), 3);
	assert_int_equal(dispatch_due(test, 3), 2);
	assert_count(test, 5,
		     "solid_queue_ready_executions WHERE queue_name = 'moved' AND priority = 7");
	assert_int_equal(rows_of(test, "scheduled_executions"), 0);
	test_invariant(test->db);
}

/* PR1, PR2, IN9: how many jobs the dead had is told. */
DB_CASE(pr1_pr2_prune_only_the_dead)
{
	int64_t dead = register_worker(test->db, "dead");
	int64_t id = put(test->db, "a", 0);

	take_all(test, dead, 1);
	int64_t self = register_worker(test->db, "self");
	register_worker(test->db, "alive");
	test_execute(test->db, "UPDATE solid_queue_processes SET last_heartbeat_at = '2026-01-01 "
			       "00:00:00' WHERE name <> 'alive'");
	const struct prune prune = { self, 30 * CLOCK_SECOND, 5 * CLOCK_MINUTE };
	struct loss_result result = prune_dead(test, &prune, &test_policy);
	assert_int_equal(result.processes, 1);
	assert_int_equal(result.released, 1);
	assert_int_equal(state_of(test, id), JOB_READY);
	assert_int_equal(rows_of(test, "processes"), 2);
	test_invariant(test->db);
}

DB_CASE(pr3_a_supervisor_and_its_worker)
{
	struct process_row row = { .kind = "Supervisor(fork)", .name = "s", .hostname = "h" };

	must(process_register, test->db, &row);
	row = (struct process_row){
		.kind = "Worker", .name = "w", .hostname = "h", .supervisor_id = row.id
	};
	must(process_register, test->db, &row);
	int64_t id = put(test->db, "a", 0);
	take_all(test, row.id, 1);
	set_heartbeats(test, "2026-01-01 00:00:00");
	const struct prune prune = { 0, CLOCK_SECOND, CLOCK_SECOND };
	struct loss_result result = prune_dead(test, &prune, &test_policy);
	assert_int_equal(result.processes, 2);
	assert_int_equal(result.released, 1);
	assert_int_equal(rows_of(test, "processes"), 0);
	assert_int_equal(state_of(test, id), JOB_READY);
}

/* Rows of other software beat more slowly: they have a threshold of their own. */
DB_CASE(foreign_rows_have_their_own_threshold)
{
	register_process(test->db, "Worker", "rails", NULL);
	register_worker(test->db, "ours");
	clock_sleep(20 * CLOCK_MILLISECOND);
	struct prune prune = { 0, CLOCK_MILLISECOND, CLOCK_HOUR };
	struct loss_result result = prune_dead(test, &prune, &test_policy);
	assert_int_equal(result.processes, 0); /* ours may miss five beats of five seconds */
	prune.other_threshold = CLOCK_MILLISECOND;
	result = prune_dead(test, &prune, &test_policy);
	assert_int_equal(result.processes, 1);
	assert_int_equal(rows_of(test, "processes WHERE name = 'ours'"), 1);
}

DB_CASE(pr4_odd_hostnames)
{
	struct process_row row = {
		.kind = "Worker", .name = "odd", .pid = 1, .hostname = "h\xc3\xb6st 'x' \\ %"
	};
	struct process_row *rows;
	size_t count;

	must(process_register, test->db, &row);
	must(process_list, test->db, test->arena, &rows, &count);
	assert_int_equal(count, 1);
	assert_string_equal(rows[0].hostname, row.hostname);
	assert_null(rows[0].metadata);
}

DB_CASE(pr5_heartbeats)
{
	int64_t id = register_worker(test->db, "w");
	struct process_row row = {
		.id = id, .name = "w", .supervisor_id = 77, .metadata = "{\"a\":1}"
	};
	struct process_row other = { .id = id, .name = "v" };
	struct process_row *rows;
	size_t count;
	int64_t before = db_now(test->db);

	must(process_heartbeat, test->db, &row);
	must(process_list, test->db, test->arena, &rows, &count);
	assert_true(rows[0].last_heartbeat_at > before);
	assert_string_equal(rows[0].metadata, "{\"a\":1}");
	assert_int_equal(rows[0].supervisor_id, 77);
	must_be(STATUS_NONE, process_heartbeat, test->db, &other);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	must_be(STATUS_NONE, process_heartbeat, test->db, &row);
}

/* However many slow ones stand before it, a dead process of ours is found. */
DB_CASE(the_slow_do_not_hide_the_dead)
{
	const struct prune prune = { 0, 30 * CLOCK_SECOND, CLOCK_DAY };

	for (int i = 0; i < 60; i++) {
		const char *name = arena_printf(test->arena, "slow %d", i);
		register_process(test->db, "Worker", name, NULL);
		fall_silent(test, name, CLOCK_HOUR);
	}
	register_process(test->db, "Worker", "boundless", "{\"heartbeat_interval\":1e300}");
	fall_silent(test, "boundless", CLOCK_HOUR);
	register_worker(test->db, "dead");
	fall_silent(test, "dead", CLOCK_MINUTE);
	assert_int_equal(prune_dead(test, &prune, &test_policy).processes, 1);
	assert_int_equal(rows_of(test, "processes WHERE name = 'dead'"), 0);
}
