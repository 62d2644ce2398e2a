/*
 * Every statement of db/sql reaches its rows as tests/db/plans says: through an index, whatever
 * the tables hold, and with no scan of a table that grows but those listed there with a reason.
 * The target "plans" runs this program with DRAY_UPDATE_PLANS=1, which writes what it sees there.
 */
#include "db/scripts/operation.h"
#include "tests/support/plan/learn.h"

/* One look at all statements. */
struct look {
	struct plan_session session;
	struct plan_lines expected;
	bool learns;       /* for the target "plans" */
	const char *state; /* of the tables */
	size_t problems;
};

/* What runs all day keeps its plans: they hold for tables of other sizes and statistics, too. */
static const char *const hot[] = { "claim",
				   "claim_eligible",
				   "claim_queue",
				   "claim_window",
				   "claimable_queues",
				   "clear_finished",
				   "dispatch",
				   "due",
				   "enqueue",
				   "fail",
				   "finish",
				   "finish_and_delete",
				   "first_eligible",
				   "held",
				   "lose",
				   "orphans",
				   "process_deregister",
				   "process_heartbeat",
				   "process_lose",
				   "process_rewind",
				   "process_stale",
				   "release",
				   "waiting",
				   "waiting_in",
				   "window_end",
				   "window_end_paused" };

/* Tables whose rows are as many as the jobs. */
static const char *const growing[] = { "jobs",
				       "ready_executions",
				       "scheduled_executions",
				       "claimed_executions",
				       "blocked_executions",
				       "failed_executions",
				       "recurring_executions",
				       "dray_losses" };

static bool is_hot(const char *operation)
{
	for (size_t i = 0; i < sizeof(hot) / sizeof(hot[0]); i++)
		if (strcmp(hot[i], operation) == 0)
			return true;
	return false;
}

static void compare(struct look *look, const char *key, const char *kind, const char *plan)
{
	const struct plan_line nothing = { .words = " " };
	struct plan_line *line = plan_lines_find(&look->expected, key);

	if (line)
		line->seen = true;
	if (look->learns)
		plan_learn(look->session.dialect.kind, key, plan);
	if (look->learns || plan_line_agrees(look->session.arena, line ? line : &nothing, plan))
		return;
	print_error("%s, %s, %s plan of %s:\n  expected:%s\n  found:    %s\n",
		    look->session.connection->server, look->state, kind, key,
		    line ? line->words : " nothing", plan);
	look->problems++;
}

static void look_at_statement(struct look *look, const struct script *script, unsigned number)
{
	struct plan_session *session = &look->session;
	const char *key = arena_printf(session->arena, "%s %u", script->name, number + 1);
	struct plan_statement full = { script, number, plan_values(session->arena, script, false) };
	struct plan_statement sparse = { script, number,
					 plan_values(session->arena, script, true) };

	compare(look, key, "full", plan_of(session, &full));
	compare(look, key, "sparse", plan_of(session, &sparse));
	if (session->dialect.kind == DB_POSTGRESQL)
		compare(look, key, "generic", plan_generic(session, &full));
}

static void look_at_all(struct look *look, const char *state, bool hot_only)
{
	size_t count;

	look->state = state;
	for (const char **names = operation_names(look->session.arena, &count); *names; names++) {
		const struct script *script = plan_script(&look->session, *names);
		for (unsigned i = 0; i < script->statement_count; i++)
			if (!hot_only || is_hot(*names))
				look_at_statement(look, script, i);
	}
}

static void conclude(struct look *look)
{
	for (size_t i = 0; i < look->expected.count && !look->learns; i++)
		if (!look->expected.lines[i].seen) {
			print_error("%s: there is no '%s'\n", look->expected.path,
				    look->expected.lines[i].key);
			look->problems++;
		}
	plan_close(&look->session);
	if (look->problems > 0)
		fail_msg("for the lines as they are now, to be looked at before they are kept:\n"
			 "cmake --build %s --target plans",
			 BINARY_DIR);
}

/* As Rails makes it, of which one statement knows. */
static const char batches[] = "CREATE TABLE solid_queue_batch_executions (job_id bigint NOT NULL);"
			      "CREATE UNIQUE INDEX index_solid_queue_batch_executions_on_job_id ON "
			      "solid_queue_batch_executions (job_id);";

static void look_at_everything(struct test_db *test, bool learns)
{
	struct look look = { .learns = learns };

	test_execute(test->db, batches);
	plan_open(&look.session, test);
	plan_lines_read(test->arena, look.session.dialect.kind, &look.expected);
	plan_begin(test);
	look_at_all(&look, "empty tables", true);
	plan_analyze(test);
	look_at_all(&look, "empty tables and statistics", true);
	plan_fill(test, 60);
	look_at_all(&look, "few jobs and older statistics", true);
	plan_analyze(test);
	look_at_all(&look, "few jobs and statistics", true);
	plan_fill(test, 20000);
	look_at_all(&look, "many jobs and older statistics", true);
	plan_analyze(test);
	look_at_all(&look, "many jobs and statistics", false);
	conclude(&look);
}

static void every_statement_uses_its_index(void **state)
{
	look_at_everything(*state, false);
}

static void every_statement_is_learnt(void **state)
{
	look_at_everything(*state, true);
}

/* What is expected is itself without scans but for a reason. */
static void scans_have_a_reason(void **state)
{
	struct test_db *test = *state;
	struct plan_lines expected;

	plan_lines_read(test->arena, db_dialect_of(test->db), &expected);
	for (size_t i = 0; i < expected.count; i++)
		for (size_t k = 0; k < sizeof(growing) / sizeof(growing[0]); k++)
			if (plan_reads_all_of(expected.lines[i].words, growing[k]) &&
			    *expected.lines[i].reason == '\0')
				fail_msg("%s: %s reads all of %s: why? (\" -- REASON\" ends its "
					 "line)",
					 expected.path, expected.lines[i].key, growing[k]);
}

static int learn(const struct test_case *check)
{
	static const struct test_case cases[] = { TEST_ROW(every_statement_is_learnt) };
	int failures;

	if (!plan_learn_begin()) {
		print_error("no database is at hand: see tests/support/database.h\n");
		return 1;
	}
	failures = test_run_backends("plans", cases, 1);
	if (failures > 0)
		return failures;
	plan_learn_end();
	return test_run_backends("plans", check, 1);
}

TEST_MAIN()
{
	static const struct test_case cases[] = {
		TEST_ROW(every_statement_uses_its_index),
		TEST_ROW_ON_EMPTY(scans_have_a_reason),
	};

	if (getenv("DRAY_UPDATE_PLANS"))
		return learn(&cases[1]);
	return test_run_backends("plan_index", cases, sizeof(cases) / sizeof(cases[0]));
}
