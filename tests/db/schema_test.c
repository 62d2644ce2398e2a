/* The tables that migrations make, against section 1 of the behaviour they follow. */
#include "db/schema/schema.h"

#include "common/text/text.h"
#include "db/operations.h"
#include "tests/support/database.h"
#include "tests/support/invariant.h"

/* Written out from the specification, not from the manifest: a fault there must show here. */
static const char expected_columns[] =
	"solid_queue_blocked_executions: id job_id queue_name priority concurrency_key "
	"expires_at created_at\n"
	"solid_queue_claimed_executions: id job_id process_id created_at\n"
	"solid_queue_failed_executions: id job_id error created_at\n"
	"solid_queue_jobs: id queue_name class_name arguments priority active_job_id "
	"scheduled_at finished_at concurrency_key created_at updated_at\n"
	"solid_queue_pauses: id queue_name created_at\n"
	"solid_queue_processes: id kind last_heartbeat_at supervisor_id pid hostname "
	"metadata created_at name\n"
	"solid_queue_ready_executions: id job_id queue_name priority created_at\n"
	"solid_queue_recurring_executions: id job_id task_key run_at created_at\n"
	"solid_queue_recurring_tasks: id key schedule command class_name arguments "
	"queue_name priority static description created_at updated_at\n"
	"solid_queue_scheduled_executions: id job_id queue_name priority scheduled_at "
	"created_at\n"
	"solid_queue_semaphores: id key value expires_at created_at updated_at\n";

static const char expected_indexes[] =
	"solid_queue_blocked_executions.index_solid_queue_blocked_executions_for_maintenance "
	"(expires_at, concurrency_key)\n"
	"solid_queue_blocked_executions.index_solid_queue_blocked_executions_for_release "
	"(concurrency_key, priority, job_id)\n"
	"solid_queue_blocked_executions.index_solid_queue_blocked_executions_on_job_id unique "
	"(job_id)\n"
	"solid_queue_claimed_executions.index_solid_queue_claimed_executions_on_job_id unique "
	"(job_id)\n"
	"solid_queue_claimed_executions.index_solid_queue_claimed_executions_on_process_id_and_job_"
	"id (process_id, job_id)\n"
	"solid_queue_failed_executions.index_solid_queue_failed_executions_on_job_id unique "
	"(job_id)\n"
	"solid_queue_jobs.index_solid_queue_jobs_for_alerting (scheduled_at, finished_at)\n"
	"solid_queue_jobs.index_solid_queue_jobs_for_filtering (queue_name, finished_at)\n"
	"solid_queue_jobs.index_solid_queue_jobs_on_active_job_id (active_job_id)\n"
	"solid_queue_jobs.index_solid_queue_jobs_on_class_name (class_name)\n"
	"solid_queue_jobs.index_solid_queue_jobs_on_finished_at (finished_at)\n"
	"solid_queue_pauses.index_solid_queue_pauses_on_queue_name unique (queue_name)\n"
	"solid_queue_processes.index_solid_queue_processes_on_last_heartbeat_at "
	"(last_heartbeat_at)\n"
	"solid_queue_processes.index_solid_queue_processes_on_name_and_supervisor_id unique (name, "
	"supervisor_id)\n"
	"solid_queue_processes.index_solid_queue_processes_on_supervisor_id (supervisor_id)\n"
	"solid_queue_ready_executions.index_solid_queue_poll_all (priority, job_id)\n"
	"solid_queue_ready_executions.index_solid_queue_poll_by_queue (queue_name, priority, "
	"job_id)\n"
	"solid_queue_ready_executions.index_solid_queue_ready_executions_on_job_id unique "
	"(job_id)\n"
	"solid_queue_recurring_executions.index_solid_queue_recurring_executions_on_job_id unique "
	"(job_id)\n"
	"solid_queue_recurring_executions.index_solid_queue_recurring_executions_on_task_key_and_"
	"run_at unique (task_key, run_at)\n"
	"solid_queue_recurring_tasks.index_solid_queue_recurring_tasks_on_key unique (key)\n"
	"solid_queue_recurring_tasks.index_solid_queue_recurring_tasks_on_static (static)\n"
	"solid_queue_scheduled_executions.index_solid_queue_dispatch_all (scheduled_at, priority, "
	"job_id)\n"
	"solid_queue_scheduled_executions.index_solid_queue_scheduled_executions_on_job_id unique "
	"(job_id)\n"
	"solid_queue_semaphores.index_solid_queue_semaphores_on_expires_at (expires_at)\n"
	"solid_queue_semaphores.index_solid_queue_semaphores_on_key unique (key)\n"
	"solid_queue_semaphores.index_solid_queue_semaphores_on_key_and_value (key, value)\n";

/* The rows of a catalog operation about Solid Queue's tables. */
static struct db_rows catalog(struct test_db *test, const char *operation)
{
	struct db_call call = DB_CALL(schema_columns, .schema = P_TEXT(NULL));
	struct db_rows rows = { 0 };

	call.operation = operation;
	must(db_query, test->db, test->arena, call, &rows);
	return rows;
}

static bool is_solid_queue(const struct db_rows *rows, size_t row)
{
	return strncmp(db_text(rows, row, 0), "solid_queue_", 12) == 0;
}

DB_CASE(test_columns)
{
	struct db_rows rows = catalog(test, "schema_columns");
	struct text text = { 0 };
	const char *table = "";

	for (size_t i = 0; i < rows.count; i++) {
		if (!is_solid_queue(&rows, i))
			continue;
		const char *name = db_text(&rows, i, 0);
		if (strcmp(name, table) != 0)
			text_printf(&text, "%s%s:", *table ? "\n" : "", name);
		text_printf(&text, " %s", db_text(&rows, i, 1));
		table = name;
	}
	text_add(&text, "\n");
	char *found = arena_strdup(test->arena, text_string(&text));
	text_free(&text);
	assert_string_equal(found, expected_columns);
}

DB_CASE(test_indexes)
{
	struct db_rows rows = catalog(test, "schema_indexes");
	struct text text = { 0 };

	for (size_t i = 0; i < rows.count; i++)
		if (is_solid_queue(&rows, i))
			text_printf(&text, "%s.%s %s\n", db_text(&rows, i, 0), db_text(&rows, i, 1),
				    db_text(&rows, i, 2));
	char *found = arena_strdup(test->arena, text_string(&text));
	text_free(&text);
	assert_string_equal(found, expected_indexes);
}

/* The server's own words for a table that has every type; the logical ones may hide a fault. */
static const char sqlite_query[] =
	"SELECT name, lower(type), \"notnull\", COALESCE(dflt_value, '-') "
	"FROM pragma_table_info('solid_queue_recurring_tasks') ORDER BY cid";

static const char sqlite_types[] = "id integer 1 -\n"
				   "key varchar 1 -\n"
				   "schedule varchar 1 -\n"
				   "command varchar(2048) 0 -\n"
				   "class_name varchar 0 -\n"
				   "arguments text 0 -\n"
				   "queue_name varchar 0 -\n"
				   "priority integer 0 0\n"
				   "static boolean 1 1\n"
				   "description text 0 -\n"
				   "created_at datetime(6) 1 -\n"
				   "updated_at datetime(6) 1 -\n";

static const char postgresql_query[] =
	"SELECT attname, format_type(atttypid, atttypmod), attnotnull::int, "
	"COALESCE(pg_get_expr(adbin, adrelid), '-') FROM pg_attribute "
	"LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum "
	"WHERE attrelid = 'solid_queue_recurring_tasks'::regclass AND attnum > 0 ORDER BY attnum";

static const char postgresql_types[] =
	"id bigint 1 nextval('solid_queue_recurring_tasks_id_seq'::regclass)\n"
	"key character varying 1 -\n"
	"schedule character varying 1 -\n"
	"command character varying(2048) 0 -\n"
	"class_name character varying 0 -\n"
	"arguments text 0 -\n"
	"queue_name character varying 0 -\n"
	"priority integer 0 0\n"
	"static boolean 1 true\n"
	"description text 0 -\n"
	"created_at timestamp(6) without time zone 1 -\n"
	"updated_at timestamp(6) without time zone 1 -\n";

/* MariaDB shows display widths and writes the absence of a default as the text NULL. */
static const char mysql_query[] =
	"SELECT column_name, REPLACE(REPLACE(column_type, '(20)', ''), '(11)', ''), "
	"is_nullable = 'NO', COALESCE(NULLIF(column_default, 'NULL'), '-') "
	"FROM information_schema.columns WHERE table_schema = DATABASE() "
	"AND table_name = 'solid_queue_recurring_tasks' ORDER BY ordinal_position";

static const char mysql_types[] = "id bigint 1 -\n"
				  "key varchar(255) 1 -\n"
				  "schedule varchar(255) 1 -\n"
				  "command varchar(2048) 0 -\n"
				  "class_name varchar(255) 0 -\n"
				  "arguments text 0 -\n"
				  "queue_name varchar(255) 0 -\n"
				  "priority int 0 0\n"
				  "static tinyint(1) 1 1\n"
				  "description text 0 -\n"
				  "created_at datetime(6) 1 -\n"
				  "updated_at datetime(6) 1 -\n";

DB_CASE(test_native_types)
{
	static const struct {
		const char *query, *types;
	} native[DB_DIALECTS] = {
		[DB_SQLITE] = { sqlite_query, sqlite_types },
		[DB_POSTGRESQL] = { postgresql_query, postgresql_types },
		[DB_MYSQL] = { mysql_query, mysql_types },
	};
	enum db_dialect dialect = db_dialect_of(test->db);

	assert_string_equal(sql_text(test, "%s", native[dialect].query), native[dialect].types);
}

/* name, table: every one (job_id) references solid_queue_jobs (id) on delete cascade. */
static const char foreign_keys[] = "fk_rails_318a5533ed solid_queue_recurring_executions\n"
				   "fk_rails_39bbc7a631 solid_queue_failed_executions\n"
				   "fk_rails_4cd34e2228 solid_queue_blocked_executions\n"
				   "fk_rails_81fcbd66af solid_queue_ready_executions\n"
				   "fk_rails_9cfe4d4944 solid_queue_claimed_executions\n"
				   "fk_rails_c4316f352d solid_queue_scheduled_executions\n";

DB_CASE(test_foreign_key_names)
{
	const char *query =
		"SELECT constraint_name, table_name FROM information_schema.table_constraints "
		"WHERE constraint_type = 'FOREIGN KEY' AND table_name LIKE 'solid%' "
		"AND table_schema = DATABASE() ORDER BY 1";

	if (db_dialect_of(test->db) == DB_POSTGRESQL)
		query = "SELECT conname, conrelid::regclass FROM pg_constraint WHERE contype = 'f' "
			"AND conname LIKE 'fk_rails%' ORDER BY 1";
	if (db_dialect_of(test->db) == DB_SQLITE)
		query = "SELECT substr(sql, instr(sql, 'fk_rails_'), 19), name FROM sqlite_master "
			"WHERE sql LIKE '%fk_rails%' ORDER BY 1";
	assert_string_equal(sql_text(test, "%s", query), foreign_keys);
}

/* A job's rows go with it, on every table that refers to jobs. */
DB_CASE(test_cascade)
{
	static const char *const tables[] = { "ready",   "claimed", "scheduled",
					      "blocked", "failed",  "recurring" };

	sql_do(test, "INSERT INTO solid_queue_jobs (queue_name, class_name, created_at, "
		     "updated_at) VALUES ('q', 'C', '2026-01-01 00:00:00', '2026-01-01 "
		     "00:00:00');INSERT INTO solid_queue_ready_executions (job_id, queue_name, "
		     "created_at) SELECT id, 'q', created_at FROM solid_queue_jobs;INSERT INTO "
		     "solid_queue_claimed_executions (job_id, created_at) SELECT id, created_at "
		     "FROM solid_queue_jobs;INSERT INTO solid_queue_scheduled_executions "
		     "(job_id, queue_name, scheduled_at, created_at) SELECT id, 'q', "
		     "created_at, created_at FROM solid_queue_jobs;INSERT INTO "
		     "solid_queue_blocked_executions (job_id, queue_name, concurrency_key, "
		     "expires_at, created_at) SELECT id, 'q', 'k', created_at, created_at FROM "
		     "solid_queue_jobs;INSERT INTO solid_queue_failed_executions (job_id, "
		     "created_at) SELECT id, created_at FROM solid_queue_jobs;INSERT INTO "
		     "solid_queue_recurring_executions (job_id, task_key, run_at, created_at) "
		     "SELECT id, 't', created_at, created_at FROM solid_queue_jobs;");
	test_execute(test->db, "DELETE FROM solid_queue_jobs;");
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		assert_int_equal(sql_number(test, "SELECT COUNT(*) FROM solid_queue_%s_executions",
					    tables[i]),
				 0);
}

DB_CASE_ONLY(test_storage_parameters, "postgresql")
{
	assert_string_equal(sql_text(test, "SELECT relname, split_part(reloptions[1], '=', 2) FROM "
					   "pg_class WHERE array_to_string(reloptions, ',') LIKE "
					   "'%%threshold=1000%%' ORDER BY relname"),
			    "solid_queue_blocked_executions 100\n"
			    "solid_queue_claimed_executions 100\n"
			    "solid_queue_ready_executions 100\n"
			    "solid_queue_scheduled_executions 100\n"
			    "solid_queue_semaphores 50\n");
}

/* The invariant query itself: it must see each kind of violation. */
DB_CASE(test_invariant_sees)
{
	struct db_rows rows = { 0 };

	test_invariant(test->db);
	sql_do(test, "INSERT INTO solid_queue_jobs (id, queue_name, class_name, finished_at, "
		     "created_at, updated_at) VALUES (1, 'q', 'good', NULL, '2026-01-01 "
		     "00:00:00', '2026-01-01 00:00:00'), (2, 'q', 'nowhere', NULL, '2026-01-01 "
		     "00:00:00', '2026-01-01 00:00:00'), (3, 'q', 'twice', NULL, '2026-01-01 "
		     "00:00:00', '2026-01-01 00:00:00'), (4, 'q', 'done', '2026-01-01 "
		     "00:00:00', '2026-01-01 00:00:00', '2026-01-01 00:00:00'), (5, 'q', "
		     "'kept', '2026-01-01 00:00:00', '2026-01-01 00:00:00', '2026-01-01 "
		     "00:00:00');INSERT INTO solid_queue_ready_executions (job_id, queue_name, "
		     "created_at) SELECT id, 'q', created_at FROM solid_queue_jobs WHERE id IN "
		     "(1, 3);INSERT INTO solid_queue_failed_executions (job_id, created_at) "
		     "SELECT id, created_at FROM solid_queue_jobs WHERE id IN (3, 4);");
	must(db_query, test->db, test->arena, DB_PLAIN(invariant), &rows);
	assert_int_equal(rows.count, 3);
	assert_string_equal(db_text(&rows, 0, INVARIANT_PROBLEM), "finished and still in a table");
	assert_int_equal(db_int(&rows, 0, INVARIANT_EXAMPLE), 4);
	assert_string_equal(db_text(&rows, 1, INVARIANT_PROBLEM), "in more than one table");
	assert_int_equal(db_int(&rows, 1, INVARIANT_EXAMPLE), 3);
	assert_string_equal(db_text(&rows, 2, INVARIANT_PROBLEM), "unfinished and in no table");
	assert_int_equal(db_int(&rows, 2, INVARIANT_EXAMPLE), 2);
}
