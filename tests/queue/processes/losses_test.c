/*
 * Lost processes: their jobs run again a bounded number of times and then fail with Solid Queue's
 * errors (docs/internals/solid-queue.md, 2.14). FL11, FS8, PR2, PY1 where dray gives back what
 * Solid Queue fails at once.
 */
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "common/log/log.h"
#include "common/text/text.h"
#include "db/operations.h"
#include "queue/payload/payload.h"
#include "tests/support/queue.h"
#include "tests/support/sites/command.h"

/* A worker with this name takes `jobs` jobs and dies; what became of them. */
static struct loss_result kill_worker(struct test_db *test, const char *name, size_t jobs,
				      const struct loss_policy *policy)
{
	const struct burial burial = { name, 4711, "Received unhandled signal 9." };
	struct loss_result result;

	take_all(test, register_worker(test->db, name), jobs);
	must(process_bury, test->db, &burial, policy, &result);
	assert_int_equal(result.processes, 1);
	assert_int_equal(result.released + result.failed, jobs);
	test_invariant(test->db);
	return result;
}

DB_CASE(a_job_is_lost_so_often_and_no_more)
{
	int64_t id = put(test->db, "a", 7);

	for (int64_t loss = 1; loss <= 3; loss++) {
		assert_int_equal(kill_worker(test, "w", 1, &test_policy).released, 1);
		assert_int_equal(state_of(test, id), JOB_READY);
		assert_int_equal(find_job(test, id).losses, loss);
	}
	assert_int_equal(kill_worker(test, "w", 1, &test_policy).failed, 1);
	assert_int_equal(state_of(test, id), JOB_FAILED);
	assert_int_equal(find_job(test, id).losses, 4);
	assert_lost(test, id, "ProcessExitError",
		    "Process pid=4711 exited unexpectedly. Received unhandled signal 9.");
	assert_int_equal(rows_of(test, "processes"), 0);
}

DB_CASE(leaving_in_good_order_is_no_loss)
{
	int64_t id = put(test->db, "a", 0);
	int64_t released;

	for (int i = 0; i < 5; i++) {
		int64_t process = register_worker(test->db, "w");
		take_all(test, process, 1);
		must(process_deregister, test->db, process, &released);
		assert_int_equal(released, 1);
	}
	assert_int_equal(state_of(test, id), JOB_READY);
	assert_int_equal(find_job(test, id).losses, 0);
}

static int64_t put_class(struct test_db *test, const char *class_name)
{
	const struct new_job job = { .class_name = class_name };

	return put_job(test->db, &job);
}

/* Names are compared byte by byte, also where the server's collation is milder. */
DB_CASE(classes_have_their_own_bounds)
{
	int64_t never = put_class(test, "P\xc3\xb6st::\"Never\"");
	int64_t once = put_class(test, "Once");
	int64_t other = put_class(test, "once");

	declare_losses(test->db, "Once", 1);
	declare_losses(test->db, "P\xc3\xb6st::\"Never\"", 0);
	struct loss_result result = kill_worker(test, "w", 3, &test_policy);
	assert_int_equal(result.released, 2);
	assert_int_equal(result.failed, 1);
	assert_int_equal(state_of(test, never), JOB_FAILED);
	result = kill_worker(test, "w", 2, &test_policy);
	assert_int_equal(result.failed, 1);
	assert_states(test, once, JOB_FAILED, other, JOB_READY);
	assert_int_equal(find_job(test, other).losses, 2);
}

static struct loss_end end_as_declared(struct arena *arena, const char *declared, int executions)
{
	(void)arena;
	if (strcmp(declared, "away") == 0)
		return (struct loss_end){ LOSS_DISCARDS, 0, NULL };
	return (struct loss_end){ executions < 2 ? LOSS_RETRIES : LOSS_FAILS, CLOCK_HOUR,
				  "[lost]" };
}

/* A job of a class that no loss leaves as it is. */
static int64_t put_ending(struct test_db *test, const char *class_name, const char *end)
{
	const struct class_policy class = { .name = class_name, .lost_end = end };

	must(classes_publish, test->db, &class, 1);
	return put_class(test, class_name);
}

static const char *history(struct test_db *test, int64_t id)
{
	return sql_text(test,
			"SELECT attempt, process_name, outcome FROM dray_attempts"
			" WHERE job_id = %lld ORDER BY id",
			(long long)id);
}

/* How the first loss of three jobs ended: their worker can write no line about it. */
static void assert_ends_are_logged(const char *lines, int64_t again, int64_t away, int64_t fails)
{
	static const char *const events[] = { "job.retried", "job.discarded", "job.failed" };
	const int64_t jobs[] = { again, away, fails };
	static const char *const classes[] = { "Again", "Away", "Fails" };

	for (size_t i = 0; i < 3; i++) {
		const char *line = strstr(lines, events[i]);
		json_t *record;

		assert_non_null(line);
		while (line > lines && line[-1] != '\n')
			line--;
		record = json_loads(line, JSON_DISABLE_EOF_CHECK, NULL);
		assert_non_null(record);
		assert_int_equal(json_integer_value(json_object_get(record, "job")), jobs[i]);
		assert_string_equal(json_string_value(json_object_get(record, "class")),
				    classes[i]);
		assert_int_equal(json_integer_value(json_object_get(record, "attempt")), 1);
		assert_int_equal(strlen(json_string_value(json_object_get(record, "group"))), 8);
		assert_string_equal(json_string_value(json_object_get(record, "level")),
				    i < 2 ? "info" : "warn");
		assert_true(json_number_value(json_object_get(record, "wait")) ==
			    (i == 0 ? 3600.0 : 0.0));
		json_decref(record);
	}
	assert_int_equal(test_count_text(lines, "\"group\""), 3);
}

DB_CASE(a_class_may_retry_what_losses_end)
{
	const int log = test_memory_file("log", NULL);

	const struct loss_policy policy = { .keep_attempts = 20, .end = end_as_declared };
	int64_t again = put_ending(test, "Again", "again");
	int64_t away = put_ending(test, "Away", "away");
	int64_t fails = put_ending(test, "Fails", NULL);

	log_configure(&(struct log_options){ LOG_INFO, LOG_FORMAT_JSON, log });
	struct loss_result result = kill_worker(test, "w", 3, &policy);
	log_configure(&(struct log_options){ LOG_INFO, LOG_AUTO, STDERR_FILENO });
	assert_ends_are_logged(test_memory_read(test->arena, log), again, away, fails);
	(void)close(log);
	assert_int_equal(result.released, 1);
	assert_int_equal(result.failed, 2);
	assert_int_equal(state_of(test, again), JOB_SCHEDULED);
	assert_int_equal(payload_executions(find_job(test, again).payload), 1);
	assert_true(find_job(test, again).scheduled_at > db_now(test->db) + 50 * CLOCK_MINUTE);
	assert_states(test, away, JOB_FINISHED, fails, JOB_FAILED);
	assert_string_equal(history(test, away), "1 w discarded\n");
	assert_number(test, 1, "SELECT count(DISTINCT error_group) FROM dray_attempts");
	assert_string_equal(history(test, fails), "1 w failed\n");

	make_due(test);
	assert_int_equal(dispatch_due(test, 9), 1);
	take_all(test, register_worker(test->db, "w"), 1);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	assert_int_equal(lose_orphans(test, &policy).released, 1);
	make_due(test);
	assert_int_equal(dispatch_due(test, 9), 1);
	assert_int_equal(kill_worker(test, "w", 1, &policy).failed, 1);
	assert_int_equal(state_of(test, again), JOB_FAILED);
	assert_string_equal(history(test, again), "1 w retried\n2 NULL retried\n3 w failed\n");
}

/* MySQL's column has 65,535 bytes, for this text as it is but not with escapes. */
DB_CASE(a_large_payload_is_retried_as_it_is)
{
	const struct loss_policy policy = { .keep_attempts = 20, .end = end_as_declared };
	const struct class_policy class = { .name = "Large", .lost_end = "again" };
	struct text arguments = { 0 };

	text_append(&arguments, "[\"", 2);
	for (int i = 0; i < 20000; i++)
		text_append(&arguments, "\xc3\xa4", 2);
	text_append(&arguments, "\"]", 2);
	must(classes_publish, test->db, &class, 1);
	const struct new_job job = { .class_name = "Large", .arguments = text_string(&arguments) };
	int64_t id = put_job(test->db, &job);
	assert_int_equal(kill_worker(test, "w", 1, &policy).failed, 0);
	assert_int_equal(state_of(test, id), JOB_SCHEDULED);
	assert_int_equal(payload_executions(find_job(test, id).payload), 1);
	text_free(&arguments);
}

/* A policy without ends, as for the jobs of other software. */
DB_CASE(what_others_ran_has_no_retry)
{
	const struct loss_policy policy = { .alike = true, .end = end_as_declared };
	int64_t id = put_ending(test, "Again", "again");

	assert_int_equal(kill_worker(test, "w", 1, &policy).failed, 1);
	assert_int_equal(state_of(test, id), JOB_FAILED);
}

DB_CASE(losses_are_in_the_history)
{
	const struct loss_policy policy = { .max_losses = 9, .keep_attempts = 2 };
	int64_t id = put(test->db, "a", 0);

	for (int i = 0; i < 3; i++)
		kill_worker(test, "w", 1, &policy);
	assert_string_equal(history(test, id), "2 w lost\n3 w lost\n");
}

DB_CASE(pruning_counts_and_fails)
{
	int64_t id = put(test->db, "a", 0);

	take_all(test, register_worker(test->db, "w"), 1);
	set_heartbeats(test, "2026-01-02 03:04:05.999999");
	struct loss_result result = prune_dead(test, &test_patience, &fail_all);
	assert_int_equal(result.failed, 1);
	assert_string_equal(result.who, "Worker w (test, pid 1)");
	assert_lost(test, id, "ProcessPrunedError",
		    "Process was found dead and pruned (last heartbeat at: 2026-01-02 03:04:05 "
		    "UTC)");
	test_invariant(test->db);
}

static void beat_at(struct test_db *test, int64_t process, const char *time)
{
	sql_execute(test->db,
		    "UPDATE solid_queue_processes SET last_heartbeat_at = '%s' WHERE id = %lld",
		    time, (long long)process);
}

/* The session of a vanished process may keep its locks for a while: the others need not wait. */
DB_CASE(a_lock_of_a_dead_process_delays_only_that)
{
	const struct db_options impatient = { .call_timeout = 5 * CLOCK_SECOND, .retry_for = 1 };
	int64_t locked = register_worker(test->db, "locked");
	int64_t other = register_worker(test->db, "other");
	struct loss_result result;
	struct db *session;

	if (db_dialect_of(test->db) == DB_SQLITE)
		return; /* one lock for all, and none that outlives its owner */
	beat_at(test, locked, "2026-01-02 03:04:05");
	beat_at(test, other, "2026-01-02 03:04:06");
	struct db *db = test_db_open_with(test->url, &impatient);
	session = test_db_open(test->url);
	test_begin(session);
	sql_execute(session, "SELECT id FROM solid_queue_processes WHERE id = %lld FOR UPDATE",
		    (long long)locked);
	must_be(STATUS_RETRY, process_prune, db, &test_patience, &fail_all, &result);
	assert_int_equal(result.processes, 1);
	assert_int_equal(result.locked, 1);
	assert_int_equal(rows_of(test, "processes"), 1);
	test_execute(session, "COMMIT");
	must(process_prune, db, &test_patience, &fail_all, &result);
	assert_int_equal(result.processes, 1);
	db_close(session);
	db_close(db);
}

/* A clock that was set back: the dead are not to seem alive until it gets there again. */
DB_CASE(a_heartbeat_from_the_future_counts_as_made_now)
{
	const char *ahead = "SELECT COUNT(*) FROM solid_queue_processes"
			    " WHERE last_heartbeat_at > '2500-01-01'";

	(void)register_worker(test->db, "w");
	set_heartbeats(test, "2999-01-01 00:00:00");
	assert_int_equal(sql_number(test, "%s", ahead), 1);
	assert_int_equal(prune_dead(test, &test_patience, &fail_all).processes, 0);
	assert_int_equal(rows_of(test, "processes"), 1);
	assert_int_equal(sql_number(test, "%s", ahead), 0);
}

/* IN8: who was pruned is told, and how many; the names of many are cut. */
DB_CASE(many_pruned_are_named)
{
	for (int i = 0; i < 40; i++)
		(void)register_worker(test->db, arena_printf(test->arena, "worker-%02d", i));
	set_heartbeats(test, "2026-01-02 03:04:05");
	struct loss_result result = prune_dead(test, &test_patience, &fail_all);
	assert_int_equal(result.processes, 40);
	assert_memory_equal(result.who, "Worker worker-00 (test, pid 1), Worker worker-01 (", 50);
	assert_true(strlen(result.who) < sizeof(result.who));
	assert_string_equal(result.who + strlen(result.who) - 6, "), ...");
}

DB_CASE(orphans_are_counted_and_fail)
{
	int64_t id = put(test->db, "a", 0);

	take_all(test, register_worker(test->db, "w"), 1);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	struct loss_result result = lose_orphans(test, &test_policy);
	assert_int_equal(result.released, 1);
	assert_int_equal(find_job(test, id).losses, 1);
	result = lose_orphans(test, &test_policy);
	assert_int_equal(result.released + result.failed, 0); /* there is none left */
	take_all(test, register_worker(test->db, "w"), 1);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	(void)lose_orphans(test, &test_policy);
	assert_int_equal(find_job(test, id).losses, 2);
	take_all(test, register_worker(test->db, "w"), 1);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	result = lose_orphans(test, &fail_all);
	assert_int_equal(result.failed, 1);
	assert_lost(test, id, "ProcessMissingError",
		    "The process that was running this job no longer exists");
	test_invariant(test->db);
}

DB_CASE(more_orphans_than_a_batch)
{
	declare_losses(test->db, "Odd", 0);
	put_copies(test, &(struct new_job){ .class_name = "Even" }, 251);
	put_copies(test, &(struct new_job){ .class_name = "Odd" }, 250);
	take_all(test, register_worker(test->db, "w"), 501);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	struct loss_result result = lose_orphans(test, &test_policy);
	assert_int_equal(result.released, 251);
	assert_int_equal(result.failed, 250);
	test_invariant(test->db);
}

/* A process that beat in time is not buried, and nothing is counted. */
DB_CASE(a_late_heartbeat_saves_everything)
{
	struct db_rows rows;
	int64_t id = put(test->db, "a", 0);
	int64_t process = register_worker(test->db, "w");

	take_all(test, process, 1);
	int64_t before = db_now(test->db);
	must(process_heartbeat, test->db, &(struct process_row){ .id = process, .name = "w" });
	const struct db_call lose = DB_CALL(
		process_lose, .process_id = P_INT(process), .heartbeat_before = P_TIME(before),
		.claims = P_TEXT("[]"), .failures = P_TEXT("[]"), .keep = P_INT(20),
		.now = P_TIME(db_now(test->db)), .audit = P_NULL, .kind = P_TEXT("Worker"),
		.name = P_TEXT("w"), .hostname = P_NULL, .pid = P_INT(1),
		.last_heartbeat_at = P_TIME(before), .how = P_TEXT("Exited."));
	must_be(STATUS_NONE, db_query, test->db, test->arena, lose, &rows);
	assert_int_equal(state_of(test, id), JOB_CLAIMED);
	assert_int_equal(find_job(test, id).losses, 0);
	assert_int_equal(rows_of(test, "processes"), 1);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_gone"), 0);
}

/* Others' claims are others' business. */
DB_CASE(only_the_dead_process_loses)
{
	int64_t kept = put(test->db, "a", 0);
	struct claim *claim = take_all(test, register_worker(test->db, "alive"), 1);

	int64_t lost = put(test->db, "a", 0);
	kill_worker(test, "dead", 1, &fail_all);
	assert_int_equal(state_of(test, lost), JOB_FAILED);
	assert_int_equal(find_job(test, kept).losses, 0);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	test_invariant(test->db);
}

/* Other software finished them and left the claims: nobody is to run them again. */
DB_CASE(a_finished_job_does_not_come_back)
{
	const struct burial burial = { "dead", 1, "Exited with status 1." };
	int64_t released;
	int64_t orphan = register_worker(test->db, "orphan");
	int64_t leaving = register_worker(test->db, "leaving");
	int64_t resolving = register_worker(test->db, "resolving");
	struct settle_request nothing = { .process_id = resolving };

	const int64_t workers[] = { orphan, leaving, resolving, register_worker(test->db, "dead") };
	for (size_t i = 0; i < 4; i++) {
		put(test->db, "a", 0);
		take_all(test, workers[i], 1);
	}
	test_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = created_at");
	test_execute(test->db, "DELETE FROM solid_queue_processes WHERE name = 'orphan'");
	struct loss_result result = lose_orphans(test, &test_policy);
	assert_int_equal(result.released + result.failed, 0);
	assert_int_equal(rows_of(test, "claimed_executions"), 3);
	must(process_bury, test->db, &burial, &fail_all, &result);
	assert_int_equal(result.released + result.failed, 0);
	must(process_deregister, test->db, leaving, &released);
	must(settle_resolve, test->db, &nothing, NULL, 0);
	assert_int_equal(rows_of(test, "claimed_executions"), 0);
	assert_int_equal(rows_of(test, "ready_executions"), 0);
	assert_int_equal(rows_of(test, "failed_executions"), 0);
	test_invariant(test->db);
}

DB_CASE(retry_forgets_losses)
{
	int64_t retried = put(test->db, "a", 0);
	int64_t left = put(test->db, "a", 0);

	kill_worker(test, "w", 2, &fail_all);
	must(job_retry, test->db, retried);
	assert_int_equal(find_job(test, retried).losses, 0);
	assert_int_equal(find_job(test, left).losses, 1);
	assert_int_equal(kill_worker(test, "w", 1, &test_policy).released, 1);
	assert_int_equal(find_job(test, retried).losses, 1);
	must(job_discard, test->db, left);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_losses"), 1);
}
