/* The files of db/sql: all are complete, become statements, and are taken by the servers. */
#include "common/text/text.h"
#include "db/schema/schema.h"
#include "db/scripts/operation.h"
#include "tests/support/plan/plan.h"
#include "tests/support/sites/rails.h"

static const struct dialect dialects[] = {
	{ .kind = DB_SQLITE },
	{ .kind = DB_POSTGRESQL },
	{ .kind = DB_POSTGRESQL, .schema = "jobs", .no_skip_locked = true },
	{ .kind = DB_MYSQL, .collation = "utf8mb4_0900_ai_ci" },
	{ .kind = DB_MYSQL, .no_skip_locked = true },
};

#define DIALECTS (sizeof(dialects) / sizeof(dialects[0]))

static bool is_operation(const struct sql_file *file)
{
	return !strchr(file->name, '/');
}

static const struct script *render(struct arena *arena, const char *name, const char *text,
				   const struct dialect *dialect)
{
	const struct sql_file file = { .name = name, .text = text };
	const struct script *script = NULL;

	must(dialect_render_file, arena, &file, dialect, &script);
	return script;
}

static const char *first_line(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strcspn(text, "\n"));
}

/* Whether its files are for all dialects, for those without their own, or one for each. */
static void assert_complete(struct arena *arena, const char *name)
{
	const char *signature = NULL;
	size_t overrides = 0;
	bool common = false;

	for (size_t i = 0; i < sql_file_count; i++) {
		if (strcmp(sql_files[i].name, name) != 0)
			continue;
		common = common || sql_files[i].dialect == DB_DIALECTS;
		overrides += sql_files[i].dialect != DB_DIALECTS;
		const char *line = first_line(arena, sql_files[i].text);
		assert_string_equal(signature ? signature : line, line);
		signature = line;
	}
	if (common ? overrides >= DB_DIALECTS : overrides != DB_DIALECTS)
		fail_msg("%s: %zu overrides with%s a common file", name, overrides,
			 common ? "" : "out");
}

CASE(operations_are_complete)
{
	struct arena *arena = arena_new();
	size_t count;

	for (const char **names = operation_names(arena, &count); *names; names++)
		assert_complete(arena, *names);
	arena_free(arena);
}

static bool uses(const struct script *script, unsigned parameter)
{
	for (unsigned i = 0; i < script->statement_count; i++)
		for (unsigned k = 0; k < script->statements[i].order_count; k++)
			if (script->statements[i].order[k] == parameter)
				return true;
	return false;
}

/* A server has one schema of our tables but PostgreSQL. */
static bool may_be_unused(const struct dialect *dialect, const char *parameter)
{
	return dialect->kind != DB_POSTGRESQL && strcmp(parameter, "schema") == 0;
}

static void check_parameters(const struct script *script, const struct dialect *dialect)
{
	for (unsigned i = 0; i < script->parameter_count; i++)
		if (!uses(script, i) && !may_be_unused(dialect, script->parameters[i]))
			fail_msg("db/sql/%s (%d) does not use :%s", script->name,
				 (int)dialect->kind, script->parameters[i]);
}

static bool writes(const char *sql)
{
	return strstr(sql, "INSERT ") || strstr(sql, "UPDATE") || strstr(sql, "DELETE ");
}

/* "-- read" promises that nothing is written or locked. */
static void check_promises(const struct script *script, bool answers)
{
	unsigned rows = 0;
	unsigned writing = 0;

	for (unsigned i = 0; i < script->statement_count; i++) {
		const struct statement *statement = &script->statements[i];
		rows += statement->rows;
		writing += writes(statement->sql);
		if (statement->guard && i > 0)
			fail_msg("db/sql/%s: a guard that is not the first", script->name);
		if (strchr(statement->sql, ';') || strchr(statement->sql, '{') > statement->sql)
			fail_msg("db/sql/%s: %s", script->name, statement->sql);
	}
	if (rows != (answers ? 1 : 0))
		fail_msg("db/sql/%s: %u statements with rows", script->name, rows);
	if (script->read == (writing > 0))
		fail_msg("db/sql/%s: marked as%s reading", script->name,
			 script->read ? "" : " not");
}

CASE(every_file_renders)
{
	struct arena *arena = arena_new();

	for (size_t i = 0; i < sql_file_count; i++) {
		const struct sql_file *file = &sql_files[i];
		const char *result = strstr(first_line(arena, file->text), ") ->");
		for (size_t k = 0; is_operation(file) && k < DIALECTS; k++) {
			if (sql_find(file->name, dialects[k].kind) != file->text)
				continue;
			const struct script *script =
				render(arena, file->name, file->text, &dialects[k]);
			assert_non_null(result);
			check_parameters(script, &dialects[k]);
			check_promises(script, result[4] != '\0');
		}
	}
	arena_free(arena);
}

static void explain_all(struct plan_session *session)
{
	size_t count;

	for (const char **names = operation_names(session->arena, &count); *names; names++) {
		const struct script *script = plan_script(session, *names);
		const struct db_value *values = plan_values(session->arena, script, false);
		for (unsigned i = 0; i < script->statement_count; i++) {
			const struct plan_statement statement = { script, i, values };
			(void)plan_of(session, &statement);
		}
	}
}

DB_CASE(every_statement_prepares)
{
	struct plan_session session;

	test_rails_batches(test);
	plan_open(&session, test);
	explain_all(&session);
	session.dialect.no_skip_locked = true;
	explain_all(&session);
	plan_close(&session);
}

/* PostgreSQL: no statement relies on the search path once a schema is configured. */
DB_CASE_ON_EMPTY_ONLY(every_statement_finds_the_schema, "postgresql")
{
	const struct db_options options = { .schema = "elsewhere" };
	struct plan_session session;

	struct db *db = test_db_open_with(test->url, &options);
	test_migrate(db, test->arena);
	db_close(db);
	plan_open(&session, test);
	plan_execute(&session, "CREATE TABLE elsewhere.solid_queue_batch_executions "
			       "(job_id bigint)");
	plan_execute(&session, "SET search_path = pg_catalog");
	session.dialect.schema = options.schema;
	explain_all(&session);
	plan_close(&session);
}

/* Oracle's server compares only what has one collation, and Rails may have chosen another one. */
DB_CASE_ONLY(every_statement_has_the_collation, "mysql mariadb")
{
	static const char *const collations[] = { "utf8mb4_unicode_ci", "utf8mb3_general_ci",
						  "latin1_swedish_ci" };
	struct plan_session session;

	test_rails_batches(test);
	for (size_t i = 0; i < sizeof(collations) / sizeof(collations[0]); i++) {
		test_rails_collation(test, collations[i]);
		plan_open(&session, test);
		assert_string_equal(session.dialect.collation, collations[i]);
		explain_all(&session);
		plan_close(&session);
	}
}
