/* dray cancel by filter, of jobs that do not stand still. */
#include "tests/support/limited.h"
#include "tests/support/sites/cli.h"

/* As soon as a job is cancelled, the run of a newer one puts its job off: by dialect. */
#define PUT_OFF                                                                                    \
	" INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, "            \
	"scheduled_at, created_at) SELECT j.id, j.queue_name, j.priority, j.created_at, "          \
	"j.created_at FROM solid_queue_jobs j JOIN solid_queue_claimed_executions c ON c.job_id "  \
	"= j.id WHERE j.id > NEW.job_id;"                                                          \
	" DELETE FROM solid_queue_claimed_executions WHERE job_id > NEW.job_id;"

static const char *const triggers[DB_DIALECTS] = {
	[DB_SQLITE] = "CREATE TRIGGER restless AFTER INSERT ON dray_attempts BEGIN" PUT_OFF " END",
	[DB_POSTGRESQL] = "CREATE FUNCTION restless() RETURNS trigger LANGUAGE plpgsql AS $$ "
			  "BEGIN" PUT_OFF " RETURN NULL; END $$;"
			  "CREATE TRIGGER restless AFTER INSERT ON dray_attempts"
			  " FOR EACH ROW EXECUTE FUNCTION restless()",
	[DB_MYSQL] =
		"CREATE TRIGGER restless AFTER INSERT ON dray_attempts FOR EACH ROW BEGIN" PUT_OFF
		" END",
};

/* It passes by the states, which are gone through one after the other. */
DB_CASE(test_none_gets_away)
{
	int64_t worker = register_ours(test, "w");
	int64_t first = put(test->db, "a", 0);
	int64_t second = put(test->db, "a", 0);

	(void)take_all(test, worker, 2);
	sql_execute(test->db, "DELETE FROM solid_queue_claimed_executions WHERE job_id = %" PRId64,
		    first);
	sql_execute(test->db,
		    "INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, "
		    "scheduled_at, created_at) SELECT id, queue_name, priority, created_at, "
		    "created_at FROM solid_queue_jobs WHERE id = %" PRId64,
		    first);
	test_execute(test->db, triggers[db_dialect_of(test->db)]);
	assert_json(test_cli(test, "cancel", "--class", "Test", "--yes", "--json"), 0,
		    "{'cancelled': 2, 'stopping': 0, 'refused': [], 'known': []}");
	assert_int_equal(state_of(test, second), JOB_FINISHED);
	test_invariant(test->db);
}

/* What cannot be stopped is said once, and looked at no more often than there is something to do.
 */
DB_CASE(test_what_cannot_be_stopped)
{
	int64_t worker = register_process(test->db, "Worker", "of Rails", NULL);

	(void)put(test->db, "a", 0);
	(void)take_all(test, worker, 1);
	(void)put(test->db, "a", 0);
	assert_json(test_cli(test, "cancel", "--class", "Test", "--yes", "--json"), EXIT_ERROR,
		    "{'cancelled': 1, 'refused': [{'id': 1}], 'refused_count': 1}");
}

#define MANY 520 /* more than a batch */

struct work {
	struct test_db *test;
	const struct claim *claims;
};

static int cancel_or_work(unsigned index, void *data)
{
	const struct work *work = data;
	struct test_db own = own_open(work->test);

	if (index == 0)
		assert_json(test_cli(&own, "cancel", "--class", "Test", "--yes", "--json"), 0,
			    "{'cancelled': 520, 'refused_count': 0, 'known_count': 0}");
	else
		while (sql_number(&own, "SELECT count(*) FROM dray_cancellations") == 0)
			clock_sleep(CLOCK_MILLISECOND);
	for (size_t i = 0; i < MANY && index > 0; i++)
		assert_true(settle_one(own.db, &work->claims[i], OUTCOME_INTERRUPTED));
	own_close(&own);
	return 0;
}

/* Each job is met once: none is refused because it has ended as it was told to. */
DB_CASE(test_what_it_has_stopped_is_not_refused)
{
	put_copies(test, &(struct new_job){ .class_name = "Test" }, MANY);
	struct work work = { test, take_all(test, register_ours(test, "w"), MANY) };

	test_in_children(&(struct test_function){ cancel_or_work, &work }, 2);
	assert_int_equal(rows_of(test, "jobs WHERE finished_at IS NULL"), 0);
	assert_count(test, MANY, "dray_attempts WHERE outcome = 'cancelled'");
	test_invariant(test->db);
}

/* When, by whom and why, if the history has it. */
DB_CASE(test_what_was_cancelled_before)
{
	(void)put(test->db, "a", 0);
	assert_json(test_cli(test, "cancel", "1", "--reason", "a mistake", "--json"), 0,
		    "{'cancelled': 1}");
	const char *refused = test_cli(test, "cancel", "1").errors;
	assert_contains(refused, "job 1: it has ended: at 20");
	assert_contains(refused, "Z it was cancelled by ");
	assert_contains(refused, ": a mistake\n");
	assert_json(test_cli(test, "discard", "1", "--json"), 1, "{'refused_count': 1}");
	test_execute(test->db, "DELETE FROM dray_attempts");
	assert_contains(test_cli(test, "cancel", "1").errors, "already finished");
}

static void assert_shown(struct test_db *test, int64_t id, const char *state)
{
	const char *number = arena_printf(test->arena, "%" PRId64, id);
	const char *next = arena_printf(test->arena, "%" PRId64, id + 1);
	const char *before = arena_printf(test->arena, "%" PRId64, id - 1);

	assert_contains(test_cli(test, "jobs", "--after", before, "--before", next).output, state);
	assert_contains(test_cli(test, "job", number).output, state);
}

/* Jobs whose work was not done are not shown as finished. */
DB_CASE(test_how_jobs_have_ended_is_shown)
{
	int64_t worker = register_ours(test, "w");
	int64_t discarded = put(test->db, "a", 0);
	struct outcome outcome = { .claim = claim_name(take_all(test, worker, 1)),
				   .kind = OUTCOME_DISCARDED,
				   .error = test_failure,
				   .attempt = 1 };

	settle_outcomes(test, &outcome, 1, true);
	int64_t finished = put(test->db, "a", 0);
	assert_true(settle_one(test->db, take_all(test, worker, 1), OUTCOME_FINISHED));
	int64_t running = put(test->db, "a", 0);
	(void)take_all(test, worker, 1);
	int64_t waiting = put(test->db, "a", 0);
	must(job_cancel, test->db, running, NULL);
	must(job_cancel, test->db, waiting, NULL);
	assert_shown(test, discarded, " discarded ");
	assert_shown(test, finished, " finished ");
	assert_shown(test, running, " cancelling ");
	assert_shown(test, waiting, " cancelled ");
	assert_json(test_cli(test, "jobs", "--state", "finished", "--json"), 0,
		    "[{'outcome': 'cancelled'}, {'outcome': null}, {'outcome': 'discarded'}]");
	assert_json(test_cli(test, "jobs", "--state", "claimed", "--json"), 0,
		    "[{'state': 'claimed', 'outcome': 'cancelling'}]");
	assert_json(test_cli(test, "jobs", "--json"), 0,
		    "[{'state': 'finished', 'outcome': 'cancelled'}, {'state': 'claimed', "
		    "'outcome': 'cancelling'}, {'outcome': null}, {'outcome': 'discarded'}]");
}
