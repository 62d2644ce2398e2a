/* PostgreSQL: plans that hold for all values are made anew after some seconds. */
#include "db/postgresql/driver.h"
#include "tests/support/plan/plan.h"

/* The rows that the plan in use reckons with: as many as the table's pages held at its making. */
static int64_t reckoned(struct plan_session *session)
{
	struct db_rows rows = plan_query(session, "EXPLAIN EXECUTE known (0)");
	const char *line = db_text(&rows, 0, 0);

	return strtol(strstr(line, "rows=") + strlen("rows="), NULL, 10);
}

DB_CASE_ONLY(plans_are_not_kept_for_long, "postgresql")
{
	struct plan_session session;

	test_execute(test->db, "CREATE TABLE grows (id int) WITH (autovacuum_enabled = false)");
	plan_open(&session, test);
	struct postgresql *pg = (struct postgresql *)session.connection;
	pg->one_plan = true; /* as roles open it; a plan is made when this says so */
	pg->replan_at = INT64_MAX;
	plan_execute(&session, "SET plan_cache_mode = force_generic_plan");
	plan_execute(&session, "PREPARE known (int) AS SELECT id FROM grows WHERE id > $1");
	int64_t few = reckoned(&session);
	test_execute(test->db, "INSERT INTO grows SELECT generate_series(1, 100000)");
	assert_int_equal(reckoned(&session), few);
	pg->replan_at = clock_monotonic();
	(void)plan_query(&session, "SELECT 1");
	assert_true(reckoned(&session) > 10 * few);
	assert_in_range(pg->replan_at - clock_monotonic(), CLOCK_SECOND, CLOCK_MINUTE);
	plan_close(&session);
}
