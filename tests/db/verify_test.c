/* verify names every table, column, index and key that is missing or different. */
#include "db/schema/schema.h"
#include "db/schema/verify.h"
#include "db/scripts/dialect.h"
#include "tests/support/database.h"

struct found {
	const char **list;
	size_t count;
};

static struct found verify(struct test_db *test)
{
	struct found found = { 0 };

	must(schema_verify, test->db, test->arena, &found.list, &found.count);
	return found;
}

/* `expected` is a part of each difference, in order; NULL ends it. */
static void compare(struct test_db *test, const char *const *expected)
{
	struct found found = verify(test);
	size_t count = 0;

	for (; expected[count] && count < found.count; count++)
		assert_contains(found.list[count], expected[count]);
	for (size_t i = count; i < found.count; i++)
		print_error("not expected: %s\n", found.list[i]);
	if (expected[count])
		print_error("not found: %s\n", expected[count]);
	assert_int_equal(found.count, count);
	assert_null(expected[count]);
}

#define assert_differences(test, ...) compare((test), (const char *const[]){ __VA_ARGS__ })

static void drop_index(struct test_db *test, const char *table, const char *index)
{
	const char *on = db_dialect_of(test->db) == DB_MYSQL ? " ON " : "";

	sql_execute(test->db, "DROP INDEX %s%s%s;", index, on, *on ? table : "");
}

DB_CASE(test_nothing)
{
	assert_differences(test, NULL);
}

/* A table or a column that a migration made and nobody wrote down would never be missed. */
DB_CASE(test_what_migrations_make_is_in_the_manifest)
{
	const char *manifest = sql_find("schema/manifest", DB_DIALECTS);
	struct db_rows rows;
	size_t count = 0;

	must(verify_catalog, test->db, test->arena, "schema_columns", &rows);
	for (size_t i = 0; i < rows.count; i++) {
		const char *table = db_text(&rows, i, 0);
		if (strncmp(table, "dray_", 5) != 0)
			continue;
		assert_contains(manifest, arena_printf(test->arena, "\ncolumn %s %s ", table,
						       db_text(&rows, i, 1)));
		count++;
	}
	assert_true(count > 0);
}

DB_CASE(test_missing_table)
{
	test_execute(test->db, "DROP TABLE solid_queue_pauses;");
	assert_differences(test, "solid_queue_pauses: the table is missing", NULL);
}

DB_CASE_ON_EMPTY(test_all_missing)
{
	struct found found = verify(test);

	assert_int_equal(found.count, 28);
	assert_string_equal(found.list[0], "dray_migrations: the table is missing");
	assert_string_equal(found.list[found.count - 1],
			    "solid_queue_recurring_executions: the table is missing");
}

DB_CASE(test_indexes)
{
	drop_index(test, "solid_queue_ready_executions", "index_solid_queue_poll_all");
	drop_index(test, "solid_queue_ready_executions", "index_solid_queue_poll_by_queue");
	sql_do(test, "CREATE UNIQUE INDEX index_solid_queue_poll_by_queue ON "
		     "solid_queue_ready_executions (priority, queue_name);CREATE INDEX "
		     "of_somebody_else ON solid_queue_ready_executions (created_at);");
	assert_differences(
		test,
		"solid_queue_ready_executions, index index_solid_queue_poll_all: missing, "
		"expected (priority, job_id)",
		"solid_queue_ready_executions, index index_solid_queue_poll_by_queue: "
		"unique (priority, queue_name), expected (queue_name, priority, job_id)",
		NULL);
}

/* A table of the same name and another form: each kind of difference in a column. */
DB_CASE(test_columns)
{
	sql_do(test, "DROP TABLE solid_queue_recurring_tasks;CREATE TABLE "
		     "solid_queue_recurring_tasks (id bigint NOT NULL PRIMARY KEY, schedule "
		     "varchar(20) NOT NULL, command varchar(2048), class_name varchar(255) "
		     "DEFAULT 'x', arguments text, priority integer DEFAULT 5, static integer, "
		     "description text NOT NULL, shard integer NOT NULL, harmless integer, "
		     "created_at date NOT NULL);");
	const char *string = db_dialect_of(test->db) == DB_MYSQL
				     ? "class_name: string default "
				     : "class_name: string(255) default ";
	assert_differences(
		test, "solid_queue_recurring_tasks.id: bigint not null, expected id not null",
		"solid_queue_recurring_tasks.key: missing, expected string not null",
		"solid_queue_recurring_tasks.schedule: string(20) not null, expected "
		"string not null",
		string, "solid_queue_recurring_tasks.queue_name: missing, expected string",
		"solid_queue_recurring_tasks.priority: integer default 5, expected integer "
		"default 0",
		"solid_queue_recurring_tasks.static: integer, expected boolean not null "
		"default true",
		"solid_queue_recurring_tasks.description: text not null, expected text",
		"solid_queue_recurring_tasks.created_at: date not null, expected datetime "
		"not null",
		"solid_queue_recurring_tasks.updated_at: missing, expected datetime not "
		"null",
		"solid_queue_recurring_tasks, index "
		"index_solid_queue_recurring_tasks_on_key: missing, expected unique (key)",
		"solid_queue_recurring_tasks, index "
		"index_solid_queue_recurring_tasks_on_static: missing, expected (static)",
		"solid_queue_recurring_tasks.shard: integer not null, not expected, and no "
		"row can be inserted without it",
		NULL);
}

static void make_failed_executions(struct test_db *test, const char *constraint)
{
	static const char *const ids[DB_DIALECTS] = {
		[DB_SQLITE] = "integer PRIMARY KEY AUTOINCREMENT NOT NULL",
		[DB_POSTGRESQL] = "bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
		[DB_MYSQL] = "bigint NOT NULL AUTO_INCREMENT PRIMARY KEY",
	};
	static const char *const times[DB_DIALECTS] = {
		[DB_SQLITE] = "datetime(6)",
		[DB_POSTGRESQL] = "timestamp",
		[DB_MYSQL] = "datetime(6)",
	};
	enum db_dialect dialect = db_dialect_of(test->db);

	sql_execute(test->db,
		    "DROP TABLE solid_queue_failed_executions;"
		    "CREATE TABLE solid_queue_failed_executions (id %s, job_id bigint NOT NULL, "
		    "error text, created_at %s NOT NULL%s);"
		    "CREATE UNIQUE INDEX index_solid_queue_failed_executions_on_job_id ON "
		    "solid_queue_failed_executions (job_id);",
		    ids[dialect], times[dialect], constraint);
}

DB_CASE(test_keys)
{
	make_failed_executions(test, "");
	assert_differences(test,
			   "solid_queue_failed_executions, foreign key (job_id): missing, "
			   "expected solid_queue_jobs (id) on delete cascade",
			   NULL);
	make_failed_executions(test, ", FOREIGN KEY (job_id) REFERENCES solid_queue_jobs (id)");
	assert_differences(test,
			   "solid_queue_failed_executions, foreign key (job_id): "
			   "solid_queue_jobs (id) on delete ",
			   NULL);
	make_failed_executions(test, ", CONSTRAINT another_name FOREIGN KEY (job_id) "
				     "REFERENCES solid_queue_jobs (id) ON DELETE CASCADE");
	assert_differences(test, NULL);
}

/* Ids of deleted claims must not come again: SQLite gives them out again unless told not to. */
DB_CASE_ONLY(test_reused_ids, "sqlite")
{
	sql_do(test, "DROP TABLE solid_queue_pauses;CREATE TABLE solid_queue_pauses (id integer "
		     "PRIMARY KEY NOT NULL, queue_name varchar NOT NULL, created_at datetime(6) "
		     "NOT NULL);CREATE UNIQUE INDEX index_solid_queue_pauses_on_queue_name ON "
		     "solid_queue_pauses (queue_name);");
	assert_differences(test,
			   "solid_queue_pauses.id: integer not null, "
			   "expected id not null",
			   NULL);
}

/* What a failed CREATE INDEX CONCURRENTLY leaves looks like the index and is none. */
DB_CASE_ONLY(test_invalid_index, "postgresql")
{
	test_execute(test->db, "UPDATE pg_index SET indisvalid = false WHERE indexrelid = "
			       "'index_solid_queue_dispatch_all'::regclass;");
	assert_differences(test,
			   "index index_solid_queue_dispatch_all: (scheduled_at, "
			   "priority, job_id) invalid, expected (scheduled_at, ",
			   NULL);
}
