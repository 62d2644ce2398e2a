/*
 * PostgreSQL keeps one plan for all values of a statement where statements are run again and
 * again: in roles and in clients. A command of the moment has its statements planned for their
 * values, and the URL has the last word.
 */
#include "include/dray.h"
#include "tests/support/sites/site.h"

static void assert_modes(struct test_db *test, const char *modes)
{
	assert_string_equal(sql_text(test, "SELECT DISTINCT replace(place, 'solid_queue_', ''),"
					   " mode FROM seen ORDER BY 1, 2"),
			    modes);
	test_execute(test->db, "DELETE FROM seen");
}

static void enqueue_by_client(const char *url)
{
	struct dray_new_job job = DRAY_NEW_JOB(.class_name = "Log");
	struct dray_client *client = NULL;
	struct dray_error error;

	assert_int_equal(dray_open(url, NULL, &client, &error), DRAY_STATUS_OK);
	assert_int_equal(dray_enqueue(client, &job, &error), DRAY_STATUS_OK);
	dray_close(client);
}

DB_CASE_ONLY(roles_and_clients_plan_once, "postgresql")
{
	struct site *site = site_open(test);

	/* Each table that is written to notes how the session that does it plans. */
	sql_do(test, "CREATE TABLE seen (place text, mode text);CREATE FUNCTION note_mode() "
		     "RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO seen VALUES "
		     "(TG_TABLE_NAME, current_setting('plan_cache_mode')); RETURN NULL; END "
		     "$$;CREATE TRIGGER noted AFTER INSERT ON solid_queue_jobs FOR EACH ROW "
		     "EXECUTE FUNCTION note_mode();CREATE TRIGGER noted AFTER INSERT ON "
		     "solid_queue_processes FOR EACH ROW EXECUTE FUNCTION note_mode()");
	site_start(site, 3);
	assert_modes(test, "processes force_generic_plan\n");
	site_run(site, "Log");
	assert_modes(test, "jobs auto\n");
	(void)site_stop(site, SIGTERM);
	site_close(site);
	enqueue_by_client(test->url);
	assert_modes(test, "jobs force_generic_plan\n");
	enqueue_by_client(arena_printf(test->arena, "%s%coptions=-c%%20plan_cache_mode%%3Dauto",
				       test->url, strchr(test->url, '?') ? '&' : '?'));
	assert_modes(test, "jobs auto\n");
}
