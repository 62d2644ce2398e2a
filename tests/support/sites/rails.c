#include "tests/support/sites/rails.h"

#include "db/scripts/dialect.h"

static const struct {
	const char *id;
	const char *time;
	const char *key; /* the word as a column's name */
} words[DB_DIALECTS] = {
	[DB_SQLITE] = { "integer PRIMARY KEY AUTOINCREMENT NOT NULL", "datetime(6)", "\"key\"" },
	[DB_POSTGRESQL] = { "bigserial PRIMARY KEY", "timestamp(6)", "key" },
	[DB_MYSQL] = { "bigint NOT NULL AUTO_INCREMENT PRIMARY KEY", "datetime(6)", "`key`" },
};

void test_rails_tables(struct test_db *test)
{
	enum db_dialect dialect = db_dialect_of(test->db);
	const char *time = words[dialect].time;

	test_execute(test->db, sql_find("schema/solid_queue", dialect));
	sql_execute(test->db,
		    "CREATE TABLE schema_migrations (version varchar(255) NOT NULL PRIMARY "
		    "KEY);"
		    "CREATE TABLE ar_internal_metadata (%s varchar(255) NOT NULL PRIMARY KEY, "
		    "value varchar(255), created_at %s NOT NULL, updated_at %s NOT NULL);"
		    "INSERT INTO schema_migrations (version) VALUES ('1');"
		    "INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, "
		    "scheduled_at, created_at, updated_at) VALUES ('default', 'HelloJob', "
		    "'{}', "
		    "'2026-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-01 00:00:00');"
		    "INSERT INTO solid_queue_ready_executions (job_id, queue_name, created_at) "
		    "SELECT id, queue_name, created_at FROM solid_queue_jobs;",
		    words[dialect].key, time, time);
}

void test_rails_batches(struct test_db *test)
{
	const char *id = words[db_dialect_of(test->db)].id;
	const char *time = words[db_dialect_of(test->db)].time;

	sql_execute(test->db,
		    "ALTER TABLE solid_queue_jobs ADD COLUMN batch_id bigint;"
		    "CREATE INDEX index_solid_queue_jobs_on_batch_id "
		    "ON solid_queue_jobs (batch_id);"
		    "CREATE TABLE solid_queue_batches (id %s, active_job_batch_id "
		    "varchar(255), "
		    "on_finish text, total_jobs integer NOT NULL DEFAULT 0, finished_at %s, "
		    "created_at %s NOT NULL, updated_at %s NOT NULL);"
		    "CREATE TABLE solid_queue_batch_executions (id %s, job_id bigint NOT NULL, "
		    "batch_id bigint NOT NULL, created_at %s NOT NULL, "
		    "FOREIGN KEY (batch_id) REFERENCES solid_queue_batches (id) "
		    "ON DELETE CASCADE, "
		    "FOREIGN KEY (job_id) REFERENCES solid_queue_jobs (id) ON DELETE CASCADE);"
		    "CREATE UNIQUE INDEX index_solid_queue_batch_executions_on_job_id "
		    "ON solid_queue_batch_executions (job_id);",
		    id, time, time, time, id, time);
}

void test_rails_batch(struct test_db *test)
{
	sql_do(test, "INSERT INTO solid_queue_batches (created_at, updated_at) VALUES "
		     "('2026-01-01 00:00:00', '2026-01-01 00:00:00');"
		     "INSERT INTO solid_queue_batch_executions (job_id, batch_id, created_at) "
		     "SELECT j.id, b.id, b.created_at FROM solid_queue_jobs j "
		     "CROSS JOIN solid_queue_batches b");
}

/* With oid and root page, so that a table made anew shows too. */
static const char sqlite_dump[] = "SELECT name, rootpage, sql FROM sqlite_master "
				  "WHERE tbl_name NOT LIKE 'dray%' ORDER BY name";

static const char postgresql_dump[] =
	"SELECT c.oid, c.relname, c.reloptions, "
	"(SELECT string_agg(concat(attname, ' ', format_type(atttypid, atttypmod), ' ', "
	"attnotnull, "
	"' ', pg_get_expr(adbin, adrelid)), ', ' ORDER BY attnum) FROM pg_attribute "
	"LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum "
	"WHERE attrelid = c.oid AND attnum > 0), "
	"(SELECT string_agg(pg_get_constraintdef(oid), ', ' ORDER BY oid) FROM pg_constraint "
	"WHERE conrelid = c.oid), "
	"CASE WHEN relkind = 'i' THEN pg_get_indexdef(c.oid) END FROM pg_class c "
	"WHERE relnamespace = 'public'::regnamespace AND relname NOT LIKE '%dray%' ORDER BY "
	"relname";

static const char *mysql_dump(struct test_db *test)
{
	struct db_rows tables = test_query(test->arena, test->url,
					   "SELECT table_name FROM information_schema.tables "
					   "WHERE table_schema = DATABASE() "
					   "AND table_name NOT LIKE 'dray%' ORDER BY table_name");
	const char *dump = "";

	for (size_t i = 0; i < tables.count; i++) {
		const char *sql =
			arena_printf(test->arena, "SHOW CREATE TABLE %s", db_text(&tables, i, 0));
		dump = arena_printf(test->arena, "%s%s", dump,
				    test_query_text(test->arena, test->url, sql));
	}
	return dump;
}

const char *test_rails_dump(struct test_db *test)
{
	static const char counts[] = "SELECT (SELECT COUNT(*) FROM solid_queue_jobs), "
				     "(SELECT COUNT(*) FROM solid_queue_ready_executions)";
	const char *tables;

	switch (db_dialect_of(test->db)) {
	case DB_MYSQL:
		tables = mysql_dump(test);
		break;
	case DB_POSTGRESQL:
		tables = test_query_text(test->arena, test->url, postgresql_dump);
		break;
	case DB_SQLITE:
	case DB_DIALECTS:
	default:
		tables = test_query_text(test->arena, test->url, sqlite_dump);
	}
	return arena_printf(test->arena, "%s%s", tables,
			    test_query_text(test->arena, test->url, counts));
}

void test_rails_task(struct test_db *test, const char *schedule, const char *class_name,
		     bool is_static)
{
	const char *class = class_name ? arena_printf(test->arena, "'%s'", class_name) : "NULL";

	sql_execute(test->db,
		    "INSERT INTO solid_queue_recurring_tasks (%s, schedule, static, class_name, "
		    "created_at, updated_at) VALUES ('theirs', '%s', %s, %s, "
		    "'2026-01-01 00:00:00', '2026-01-01 00:00:00')",
		    db_dialect_of(test->db) == DB_MYSQL ? "`key`" : "key", schedule,
		    is_static ? "true" : "false", class);
}

void test_rails_collation(struct test_db *test, const char *collation)
{
	static const char *const tables[] = { "solid_queue_jobs",
					      "solid_queue_ready_executions",
					      "solid_queue_scheduled_executions",
					      "solid_queue_blocked_executions",
					      "solid_queue_failed_executions",
					      "solid_queue_semaphores",
					      "solid_queue_pauses",
					      "solid_queue_recurring_tasks",
					      "solid_queue_recurring_executions",
					      "dray_recurring_tasks",
					      "dray_recurring_own",
					      "dray_recurring_runs",
					      "dray_classes",
					      "dray_slots",
					      "dray_keys" };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		sql_execute(test->db,
			    "ALTER TABLE %s CONVERT TO CHARACTER"
			    " SET %.*s COLLATE %s",
			    tables[i], (int)strcspn(collation, "_"), collation, collation);
}
