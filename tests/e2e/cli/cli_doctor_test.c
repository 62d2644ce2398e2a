/* dray doctor on every database: what it says, what it exits with, and that it mends. */
#include "tests/support/limited.h"
#include "tests/support/sites/cli.h"
#include "tests/support/torn.h"

/* What dray health exits with. */
enum { WELL, DEGRADED, DEAD, UNKNOWN };

static json_t *finding(json_t *report, const char *kind)
{
	json_t *findings = json_object_get(report, "tables");

	for (size_t i = 0; i < json_array_size(findings); i++) {
		json_t *row = json_array_get(findings, i);
		if (strcmp(test_json_text(row, "kind"), kind) == 0)
			return row;
	}
	fail_msg("no %s", kind);
	return NULL;
}

static void assert_report(struct test_result result, bool healthy, json_int_t count,
			  json_int_t left)
{
	json_t *report = test_json(result);
	const json_t *row = finding(report, "jobs_in_no_table");

	assert_json(result, healthy ? EXIT_STOPPED : EXIT_ERROR,
		    healthy ? "{'healthy': true}" : "{'healthy': false}");
	assert_int_equal(test_json_integer(row, "count"), count);
	assert_int_equal(test_json_integer(row, "left"), left);
	assert_int_equal(json_array_size(json_object_get(row, "examples")), count < 5 ? count : 5);
	json_decref(report);
}

static void join(struct test_db *test, const char *kind, const char *metadata)
{
	struct process_row row = {
		.kind = kind, .name = kind, .pid = 4711, .hostname = "host-1", .metadata = metadata
	};

	must(process_register, test->db, &row);
}

/* Nothing in these tables is only slow, so nothing has to be waited for. */
#define REPAIR "doctor", "--repair", "--wait", "0"

DB_CASE(test_health)
{
	put(test->db, "a", 0);
	join(test, "Worker", "{\"queues\":\"*\"}");
	assert_told("doctor.healthy", EXIT_STOPPED, test_cli(test, "doctor"));
	assert_int_equal(test_query_int(test->url, "SELECT count(*) FROM dray_audit"), 0);
	assert_wording("doctor.healthy", test_cli(test, REPAIR).output);
	assert_audited(test, "doctor 0 done all jobs");
	assert_report(test_cli(test, "doctor", "--json"), true, 0, 0);
}

DB_CASE(test_repair)
{
	for (int i = 0; i < 7; i++)
		put(test->db, "a", 0);
	test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
	assert_told("doctor.lost_jobs", EXIT_ERROR, test_cli(test, "doctor"));
	assert_report(test_cli(test, "doctor", "--json"), false, 7, 7);
	assert_int_equal(rows_of(test, "ready_executions"), 0);
	assert_told("doctor.repaired", EXIT_STOPPED, test_cli(test, REPAIR));
	assert_int_equal(rows_of(test, "ready_executions"), 7);
	assert_audited(test, "doctor 7 done all jobs");
	test_invariant(test->db);
}

/* What a repair writes first needs a number, too. */
DB_CASE_ONLY(test_repair_of_the_audit_trail_itself, "postgresql")
{
	for (int i = 0; i < 3; i++)
		assert_code(test_cli(test, i == 1 ? "resume" : "pause", "q"), EXIT_STOPPED);
	test_execute(test->db, "SELECT setval('dray_audit_id_seq', 1, false)");
	json_t *report = test_json(test_cli(test, REPAIR, "--json"));
	const json_t *row = finding(report, "sequences_behind");
	assert_int_equal(test_json_integer(row, "count"), 1);
	assert_int_equal(test_json_integer(row, "left"), 0);
	json_decref(report);
	assert_audited(test, "doctor 0 done all jobs");
	torn_assert_well(test);
}

/* What stands there is shown, whatever it is. */
DB_CASE(test_what_stands_there)
{
	put_for_later(test->db, "A", NULL);
	if (db_dialect_of(test->db) == DB_SQLITE)
		test_execute(test->db, "UPDATE solid_queue_scheduled_executions"
				       " SET scheduled_at = char(27) || '[31mT'");
	else
		torn_set_odd_time(test, "solid_queue_scheduled_executions", "scheduled_at", 0);
	const char *time = db_dialect_of(test->db) == DB_SQLITE ? "?[31mT" : torn_odd_time(test);
	struct test_result result = test_cli(test, "doctor");
	assert_code(result, EXIT_ERROR);
	assert_contains(result.output,
			arena_printf(test->arena, "\n  job 1: scheduled_at '%s'\n", time));
	assert_contains(test_cli(test, "why", "1").output, time);
	assert_contains(test_cli(test, "jobs", "--state", "scheduled").output, "A");
	json_t *report = test_json(test_cli(test, "doctor", "--json"));
	json_t *row = finding(report, "times_that_are_none");
	assert_int_equal(json_array_size(json_object_get(row, "details")), 1);
	json_decref(report);
	assert_code(test_cli(test, REPAIR), EXIT_STOPPED);
	assert_audited(test, "doctor 1 done all jobs");
}

/* Both looks in one run: before and after. The fate of lost jobs is that of queue.yml. */
DB_CASE(test_repair_as_json)
{
	put(test->db, "a", 0);
	put(test->db, "a", 0);
	test_execute(test->db, "DELETE FROM solid_queue_ready_executions WHERE job_id = 1");
	(void)take_all(test, register_worker(test->db, "w"), 1);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	struct test_result result = test_cli(test, REPAIR, "--json");
	assert_report(result, true, 1, 0);
	json_t *report = test_json(result);
	assert_int_equal(test_json_integer(finding(report, "claims_without_process"), "count"), 1);
	json_decref(report);
	assert_states(test, 1, JOB_READY, 2, JOB_READY);
	assert_audited(test, "doctor 2 done all jobs");
}

DB_CASE(test_silent_process)
{
	int64_t worker = register_worker(test->db, "w");

	sql_do(test, "UPDATE solid_queue_processes SET last_heartbeat_at = '2026-01-01 00:00:00'");
	struct test_result result = test_cli(test, "doctor");
	assert_code(result, EXIT_ERROR);
	assert_int_equal(worker, 1);
	assert_wording("doctor.silent_process", result.output);
	result = test_cli(test, REPAIR);
	assert_code(result, EXIT_STOPPED);
	assert_null(strstr(result.output, "waiting"));
	assert_int_equal(rows_of(test, "processes"), 0);
	assert_audited(test, "doctor 1 done all jobs");
}

/*
 * As right after an outage: it beats again while the doctor listens. This is about the time that is
 * waited by default, so it needs the real clock: the heartbeat must come within ten seconds.
 */
TEST_REAL(test_a_process_that_comes_back, NULL)
{
	struct test_db *test = *state;
	const char *const arguments[] = { "--database", test->url, "doctor", "--repair", NULL };
	const struct test_command command = { .arguments = arguments, .directory = "/" };
	struct process_row row = { .id = register_worker(test->db, "w"), .name = "w" };

	put(test->db, "a", 0);
	(void)take_all(test, row.id, 1);
	sql_do(test, "UPDATE solid_queue_processes SET last_heartbeat_at = '2026-01-01 00:00:00'");
	struct test_running doctor = test_command_start(&command);
	test_until(strstr(test_command_output(test->arena, &doctor),
			  "1 process is silent: waiting 10 s for a heartbeat."),
		   "the doctor to listen");
	must(process_heartbeat, test->db, &row);
	assert_code(test_command_finish(test->arena, &doctor, CLOCK_MINUTE), EXIT_STOPPED);
	assert_int_equal(rows_of(test, "processes"), 1);
	assert_int_equal(rows_of(test, "claimed_executions"), 1);
	assert_audited(test, "doctor 0 done all jobs");
}

/* A slot that a vanished job held, and a semaphore that counts wrong without any. */
DB_CASE(test_slots_are_counted)
{
	declare(test, "Limited", 2, LIMIT_BLOCK);
	put_many(test, "Limited", "a", 2);
	put_limited(test, "Limited", "b");
	test_execute(test->db, "DELETE FROM solid_queue_jobs WHERE concurrency_key = 'a'");
	sql_execute(test->db, "UPDATE solid_queue_semaphores SET value = 0 WHERE %s = 'b'",
		    db_dialect_of(test->db) == DB_MYSQL ? "`key`" : "key");
	assert_code(test_cli(test, REPAIR), EXIT_STOPPED);
	assert_audited(test, "doctor 3 done all jobs");
	assert_slots_add_up(test);
}

/* It goes wrong on its way, after it has mended something: that stands, and is counted. */
DB_CASE(test_an_end_before_time_is_counted)
{
	put(test->db, "a", 0);
	put(test->db, "a", 0);
	test_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = created_at WHERE id = 1");
	test_execute(test->db, "DELETE FROM solid_queue_ready_executions WHERE job_id = 2");
	test_execute(test->db, "ALTER TABLE solid_queue_scheduled_executions"
			       " RENAME COLUMN scheduled_at TO away");
	assert_int_not_equal(test_cli(test, REPAIR).code, EXIT_STOPPED);
	test_execute(test->db, "ALTER TABLE solid_queue_scheduled_executions"
			       " RENAME COLUMN away TO scheduled_at");
	assert_int_equal(rows_of(test, "ready_executions"), 0);
	assert_audited(test, "doctor 1 interrupted all jobs");
}

/* So long ago; in a session of its own, because a server ends one that is silent for too long. */
static void hear_last(struct test_db *test, int64_t ago)
{
	struct db *db = test_db_open(test->url);
	char time[CLOCK_TEXT_SIZE];

	clock_format(db_now(db) - ago, time);
	sql_execute(db, "UPDATE solid_queue_processes SET last_heartbeat_at = '%s'", time);
	db_close(db);
}

/* Other software beats once a minute and is given five. */
DB_CASE(test_processes_of_other_software)
{
	register_process(test->db, "Worker", "other", NULL);
	hear_last(test, 3 * CLOCK_MINUTE);
	assert_code(test_cli(test, "doctor"), EXIT_STOPPED);
	hear_last(test, 6 * CLOCK_MINUTE);
	assert_code(test_cli(test, "doctor"), EXIT_ERROR);
}

/* The tables are well, but somebody is missing. A monitor hears the same, in the same words. */
static void assert_absent(struct test_db *test, const char *wording)
{
	struct test_result result = test_cli(test, "doctor");
	struct test_result health = test_cli(test, "health");
	const char *said = strchr(health.output, '\n') + 1;

	assert_code(result, EXIT_ERROR);
	assert_wording(wording, result.output);
	assert_int_equal(health.code, rows_of(test, "processes") > 0 ? DEGRADED : DEAD);
	/* Up to a number: an age may have changed. */
	assert_memory_equal(result.output, said, strcspn(said, ".0123456789"));
}

DB_CASE(test_nobody_runs)
{
	assert_absent(test, "doctor.nobody");
	put(test->db, "a", 0);
	put(test->db, "b", 0);
	assert_absent(test, "doctor.nobody_for_jobs");
	/* What does not run cannot be repaired, and does not count then. */
	assert_code(test_cli(test, REPAIR), EXIT_STOPPED);
	assert_wording("processes.none", test_cli(test, "processes").output);
	assert_json(test_cli(test, "processes", "--json"), EXIT_STOPPED, "[]");
	assert_json(test_cli(test, "doctor", "--json"), EXIT_ERROR,
		    "{'healthy': false, 'findings': [{'name': 'nothing_running'}]}");
}

/* Rows that nobody keeps any more are no processes. */
DB_CASE(test_only_the_dead_are_registered)
{
	join(test, "Worker", "{\"queues\":\"*\",\"heartbeat_interval\":1}");
	hear_last(test, CLOCK_HOUR);
	assert_json(test_cli(test, "doctor", "--json"), EXIT_ERROR,
		    "{'findings': [{'name': 'nothing_running'}]}");
	assert_contains(test_cli(test, "processes").output,
			"None of them is alive: nothing runs.\n");
	assert_contains(test_cli(test, "stats").output, "No process is alive: nothing runs.\n");
}

DB_CASE(test_a_role_is_missing)
{
	join(test, "Scheduler", "{}");
	put(test->db, "a", 0);
	assert_absent(test, "doctor.no_worker");
	join(test, "Worker", "{\"queues\":\"b,a*\"}");
	assert_code(test_cli(test, "doctor"), EXIT_STOPPED);
	put_for_later(test->db, "A", "a");
	assert_code(test_cli(test, "doctor"), EXIT_STOPPED);
	make_due(test);
	assert_absent(test, "doctor.no_dispatcher");
	join(test, "Dispatcher", "{}");
	assert_code(test_cli(test, "doctor"), EXIT_STOPPED);
	assert_null(strstr(test_cli(test, "processes").output, "nothing runs"));
}

DB_CASE(test_no_scheduler)
{
	join(test, "Worker", "{\"queues\":\"*\"}");
	assert_code(test_cli(test, "recurring", "add", "tidy", "--schedule", "every day at 4am",
			     "--class", "Tidy"),
		    EXIT_STOPPED);
	assert_absent(test, "doctor.no_scheduler");
	assert_code(test_cli(test, "recurring", "pause", "tidy"), EXIT_STOPPED);
	assert_code(test_cli(test, "doctor"), EXIT_STOPPED);
	assert_code(test_cli(test, "recurring", "resume", "tidy"), EXIT_STOPPED);
	join(test, "Scheduler", "{}");
	assert_code(test_cli(test, "doctor"), EXIT_STOPPED);
}

DB_CASE(test_a_child_was_given_up)
{
	join(test, "Supervisor(fork)", "{\"given_up\":\"worker 2\"}");
	assert_absent(test, "doctor.given_up");
}

DB_CASE(test_a_worker_cannot_work)
{
	join(test, "Worker",
	     "{\"queues\":\"*\",\"trouble\":\"permission denied for table t\","
	     "\"trouble_since\":\"2026-01-01T12:00:00.5Z\"}");
	assert_absent(test, "doctor.trouble");
	assert_json(test_cli(test, "doctor", "--json"), EXIT_ERROR,
		    "{'findings': [{'name': 'process_troubled'}]}");
	assert_json(test_cli(test, "processes", "--json"), EXIT_STOPPED,
		    "[{'trouble': 'permission denied for table t'}]");
	assert_contains(test_cli(test, "processes").output, "TROUBLE");
}

#define OUTDATED "{\"queues\":\"*\",\"outdated_since\":\"2026-01-01T12:00:00Z\""

DB_CASE(test_a_worker_is_not_replaced)
{
	join(test, "Worker", OUTDATED "}");
	assert_absent(test, "doctor.outdated");
	assert_json(test_cli(test, "doctor", "--json"), EXIT_ERROR,
		    "{'findings': [{'name': 'process_outdated'}]}");
	assert_contains(test_cli(test, "processes").output, "2026-01-01T12:00:00Z");
}

DB_CASE(test_an_outdated_worker_is_leaving)
{
	join(test, "Worker", OUTDATED ",\"leaving_since\":\"2026-01-01T12:00:01Z\"}");
	assert_code(test_cli(test, "doctor"), EXIT_STOPPED);
}

DB_CASE(test_mistakes)
{
	assert_code(test_cli(test, "doctor", "--mend"), EXIT_USAGE);
	assert_code(test_cli(test, "doctor", "jobs"), EXIT_USAGE);
	assert_code(test_cli(test, "doctor", "--wait", "soon"), EXIT_USAGE);
}

/* What is asked for is dead without it; what is of other queues is not asked for. */
DB_CASE(test_health_of_what_is_needed)
{
	join(test, "Worker", "{\"queues\":\"a\"}");
	assert_code(test_cli(test, "health", "--need", "worker", "--queue", "a"), WELL);
	assert_json(test_cli(test, "health", "--need", "scheduler", "--json"), DEAD,
		    "{'health': 'DEAD', 'findings': [{'name': 'no_scheduler', 'dead': true}]}");
	put(test->db, "b", 0);
	assert_json(test_cli(test, "health", "--json"), DEGRADED,
		    "{'health': 'DEGRADED', 'findings': [{'name': 'queue_unserved', 'subject': "
		    "'b', 'queue': 'b', 'dead': false}]}");
	assert_code(test_cli(test, "health", "--queue", "a"), WELL);
	assert_code(test_cli(test, "health", "--queue", "b"), DEAD);
	assert_code(test_cli(test, "health", "--queue", "c"), DEAD);
	assert_code(test_cli(test, "pause", "b"), EXIT_STOPPED);
	assert_code(test_cli(test, "health"), WELL);
}

/* The processes' rows say what is promised; a pause is no delay. */
DB_CASE(test_a_queue_is_late)
{
	join(test, "Supervisor(fork)", "{\"late_after\":{\"a\":3600000,\"*\":1}}");
	join(test, "Worker", "{\"queues\":\"*\"}");
	put(test->db, "a", 0);
	assert_code(test_cli(test, "health"), WELL);
	put(test->db, "b", 0);
	assert_absent(test, "doctor.late");
	assert_json(test_cli(test, "health", "--json"), DEGRADED,
		    "{'findings': [{'name': 'queue_late', 'subject': 'b', 'queue': 'b'}]}");
	assert_code(test_cli(test, "pause", "b"), EXIT_STOPPED);
	assert_code(test_cli(test, "health"), WELL);
}

/* That is why it is late, as long as no worker has a thread to spare. */
DB_CASE(test_a_queue_is_busy)
{
	join(test, "Supervisor(fork)", "{\"late_after\":{\"*\":1}}");
	int64_t worker = register_process(test->db, "Worker", "w",
					  "{\"queues\":\"*\",\"thread_pool_size\":1}");

	put(test->db, "a", 0);
	(void)take_all(test, worker, 1);
	assert_code(test_cli(test, "health"), WELL);
	put(test->db, "a", 0);
	assert_absent(test, "doctor.busy");
	assert_json(test_cli(test, "health", "--json"), DEGRADED,
		    "{'findings': [{'name': 'queue_busy', 'subject': 'a', 'queue': 'a'}]}");
	join(test, "Worker", "{\"queues\":\"a\",\"thread_pool_size\":1}");
	assert_json(test_cli(test, "health", "--json"), DEGRADED,
		    "{'findings': [{'name': 'queue_late', 'subject': 'a', 'queue': 'a'}]}");
}

/* So long ago; in a session of its own, as hear_last. */
static void make_old(struct test_db *test, int64_t age)
{
	struct db *db = test_db_open(test->url);
	char time[CLOCK_TEXT_SIZE];

	clock_format(db_now(db) - age, time);
	sql_execute(db, "UPDATE dray_recurring_tasks SET since = '%s'", time);
	db_close(db);
}

/* Its time passed, and nobody has enqueued it; what falls due in a pause is dropped. */
DB_CASE(test_a_task_is_late)
{
	join(test, "Worker", "{\"queues\":\"*\"}");
	join(test, "Scheduler", "{}");
	assert_code(test_cli(test, "recurring", "add", "tidy", "--schedule", "every minute",
			     "--class", "Tidy"),
		    EXIT_STOPPED);
	assert_code(test_cli(test, "health"), WELL);
	make_old(test, CLOCK_HOUR);
	assert_absent(test, "doctor.task_late");
	assert_code(test_cli(test, "recurring", "change", "tidy", "--late-after", "2h"),
		    EXIT_STOPPED);
	assert_code(test_cli(test, "health"), WELL);
	assert_code(test_cli(test, "recurring", "change", "tidy", "--late-after", ""),
		    EXIT_STOPPED);
	assert_code(test_cli(test, "health"), DEGRADED);
	assert_code(test_cli(test, "health", "--queue", "default"), WELL);
	assert_code(test_cli(test, "recurring", "pause", "tidy"), EXIT_STOPPED);
	assert_code(test_cli(test, "health"), WELL);
	assert_code(test_cli(test, "recurring", "resume", "tidy"), EXIT_STOPPED);
	assert_code(test_cli(test, "health"), WELL);
}

/* Its run was ten days ago, as long as nobody remembers runs. */
DB_CASE(test_a_task_that_ran_long_ago_is_not_late)
{
	const struct date day = calendar_date(db_now(test->db) / CLOCK_DAY - 10);
	const char *yearly = arena_printf(test->arena, "0 0 %d %d *", day.day, day.month);

	join(test, "Worker", "{\"queues\":\"*\"}");
	join(test, "Scheduler", "{}");
	assert_code(
		test_cli(test, "recurring", "add", "tidy", "--schedule", yearly, "--class", "Tidy"),
		EXIT_STOPPED);
	make_old(test, 20 * CLOCK_DAY);
	assert_code(test_cli(test, "health"), WELL);
}

static void run_and_fail(struct test_db *test, const char *key, int64_t worker)
{
	assert_code(test_cli(test, "recurring", "run", key), EXIT_STOPPED);
	assert_true(settle_one(test->db, take_all(test, worker, 1), OUTCOME_FAILED));
}

/* Of a task that runs often three failures in a row, of a daily one each. */
DB_CASE(test_a_task_fails)
{
	int64_t worker = register_process(test->db, "Worker", "w", "{\"queues\":\"*\"}");

	join(test, "Scheduler", "{}");
	for (int i = 0; i < 2; i++)
		assert_code(test_cli(test, "recurring", "add", i == 0 ? "often" : "daily",
				     "--schedule", i == 0 ? "every minute" : "every day at 4am",
				     "--class", "Tidy"),
			    EXIT_STOPPED);
	for (int i = 0; i < 3; i++) {
		assert_code(test_cli(test, "health"), WELL);
		run_and_fail(test, "often", worker);
	}
	assert_absent(test, "doctor.task_fails");
	assert_code(test_cli(test, "recurring", "change", "often", "--failures-after", "4"),
		    EXIT_STOPPED);
	assert_code(test_cli(test, "health"), WELL);
	run_and_fail(test, "often", worker);
	assert_code(test_cli(test, "health"), DEGRADED);
	assert_code(test_cli(test, "discard", "--state", "failed", "--yes"), EXIT_STOPPED);
	assert_code(test_cli(test, "health"), WELL);
	run_and_fail(test, "daily", worker);
	assert_json(test_cli(test, "health", "--json"), DEGRADED,
		    "{'findings': [{'name': 'task_failing', 'subject': 'daily'}]}");
}

/* A mistake of who asks is not taken for a deployment that is dead. */
DB_CASE(test_health_that_cannot_be_known)
{
	join(test, "Worker", "{\"queues\":\"*\"}");
	assert_code(test_cli(test, "health", "--need", "waiter"), UNKNOWN);
	assert_code(test_cli(test, "health", "--bogus"), UNKNOWN);
	assert_code(test_cli(test, "health", "--root", "/nowhere"), UNKNOWN);
	test_execute(test->db, "DROP TABLE dray_pauses");
	assert_json(test_cli(test, "health", "--json"), UNKNOWN,
		    "{'health': 'UNKNOWN', 'findings': []}");
}
