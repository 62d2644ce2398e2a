#include "tests/fault/history.h"

/* By dialect. */
static const char *const triggers[DB_DIALECTS] = {
	[DB_SQLITE] = "CREATE TRIGGER fault_finished AFTER UPDATE ON solid_queue_jobs"
		      " WHEN NEW.finished_at IS NOT NULL AND NEW.finished_at IS NOT OLD.finished_at"
		      " BEGIN INSERT INTO fault_history VALUES (NEW.id); END;"
		      "CREATE TRIGGER fault_deleted AFTER DELETE ON solid_queue_jobs"
		      " WHEN OLD.finished_at IS NULL"
		      " BEGIN INSERT INTO fault_history VALUES (OLD.id); END",
	[DB_POSTGRESQL] =
		"CREATE FUNCTION fault_note() RETURNS trigger LANGUAGE plpgsql AS $$"
		" BEGIN INSERT INTO fault_history VALUES (OLD.id); RETURN NULL; END $$;"
		"CREATE TRIGGER fault_finished AFTER UPDATE ON solid_queue_jobs FOR EACH ROW"
		" WHEN (NEW.finished_at IS NOT NULL"
		" AND NEW.finished_at IS DISTINCT FROM OLD.finished_at)"
		" EXECUTE FUNCTION fault_note();"
		"CREATE TRIGGER fault_deleted AFTER DELETE ON solid_queue_jobs FOR EACH ROW"
		" WHEN (OLD.finished_at IS NULL) EXECUTE FUNCTION fault_note()",
	[DB_MYSQL] = "CREATE TRIGGER fault_finished AFTER UPDATE ON solid_queue_jobs FOR EACH ROW"
		     " INSERT INTO fault_history SELECT NEW.id FROM DUAL"
		     " WHERE NEW.finished_at IS NOT NULL"
		     " AND NOT NEW.finished_at <=> OLD.finished_at;"
		     "CREATE TRIGGER fault_deleted AFTER DELETE ON solid_queue_jobs FOR EACH ROW"
		     " INSERT INTO fault_history SELECT OLD.id FROM DUAL"
		     " WHERE OLD.finished_at IS NULL",
};

void history_install(struct test_db *test)
{
	test_execute(test->db, "CREATE TABLE fault_history (job_id bigint)");
	test_execute(test->db, triggers[db_dialect_of(test->db)]);
}

int64_t history_doubled(struct test_db *test)
{
	return test_query_int(test->url, "SELECT COUNT(*) FROM (SELECT job_id FROM fault_history"
					 " GROUP BY job_id HAVING COUNT(*) > 1) doubled");
}
