/* The files of db/sql and how they become statements. */
#include <stdio.h>
#include <string.h>

#include "common/text.h"
#include "db/schema.h"
#include "tests/support/plan.h"
#include "tests/support/rails.h"

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
	struct error error = { 0 };

	assert_ok(dialect_render_file(arena, &file, dialect, &script, &error), &error);
	return script;
}

/* Hand-made texts */

static void check_sql(const struct dialect *dialect, const char *text, const char *expected)
{
	struct arena *arena = arena_new();
	const struct script *script = render(arena, "test", text, dialect);

	assert_int_equal(script->statement_count, 1);
	assert_string_equal(script->statements[0].sql, expected);
	arena_free(arena);
}

static void parameters_become_placeholders(void **state)
{
	static const char text[] = "-- test(ids, queue) -> id\n"
				   "SELECT id FROM t\n"
				   "WHERE id {in:ids} AND q = :queue AND ':ids' <> :queue;\n";

	(void)state;
	check_sql(&dialects[0], text,
		  "SELECT id FROM t\nWHERE id IN (SELECT value FROM json_each(?)) "
		  "AND q = ? AND ':ids' <> ?");
	check_sql(&dialects[1], text,
		  "SELECT id FROM t\nWHERE id = ANY ($1::bigint[]) AND q = $2 AND ':ids' <> $2");
}

static void placeholders_know_their_parameters(void **state)
{
	static const char text[] = "-- test(a, b, c) -> x\nSELECT :c, :a, :c;\nSELECT :b;\n";
	struct arena *arena = arena_new();
	const struct script *script = render(arena, "test", text, &dialects[0]);
	const struct script *numbered = render(arena, "test", text, &dialects[1]);
	static const unsigned char first[] = { 2, 0, 2 };

	(void)state;
	assert_int_equal(script->parameter_count, 3);
	assert_string_equal(script->parameters[1], "b");
	assert_null(script->parameters[3]);
	assert_int_equal(script->statement_count, 2);
	assert_int_equal(script->statements[0].order_count, 3);
	assert_memory_equal(script->statements[0].order, first, 3);
	assert_int_equal(script->statements[1].order[0], 1);
	assert_int_equal(numbered->statements[0].order_count, 2);
	assert_memory_equal(numbered->statements[0].order, first, 2);
	arena_free(arena);
}

static void tokens_are_the_dialects(void **state)
{
	static const char lock[] = "-- test() -> x\nSELECT 1 {skip_locked};\n";
	static const char utf8[] = "-- test() -> x\nSELECT 1 {as_jobs};\n";

	(void)state;
	check_sql(&dialects[0], lock, "SELECT 1 ");
	check_sql(&dialects[1], lock, "SELECT 1 FOR UPDATE SKIP LOCKED");
	check_sql(&dialects[2], lock, "SELECT 1 FOR UPDATE");
	check_sql(&dialects[3], lock, "SELECT 1 FOR UPDATE SKIP LOCKED");
	check_sql(&dialects[4], lock, "SELECT 1 FOR UPDATE");
	check_sql(&dialects[3], utf8, "SELECT 1 CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci");
	check_sql(&dialects[4], utf8, "SELECT 1 CHARACTER SET utf8mb4");
}

static void tables_get_the_schema(void **state)
{
	static const char text[] =
		"-- test() -> x\n"
		"SELECT solid_queue_jobs.id, index_solid_queue_x, 'solid_queue_y'\n"
		"FROM solid_queue_jobs, dray_migrations;\n";

	(void)state;
	check_sql(&dialects[2], text,
		  "SELECT \"jobs\".solid_queue_jobs.id, index_solid_queue_x, 'solid_queue_y'\n"
		  "FROM \"jobs\".solid_queue_jobs, \"jobs\".dray_migrations");
	check_sql(&dialects[1], "-- test() -> x\nSELECT 1 FROM solid_queue_jobs;\n",
		  "SELECT 1 FROM solid_queue_jobs");
}

static void comments_mark_statements(void **state)
{
	struct arena *arena = arena_new();
	const struct script *script =
		render(arena, "test", "-- test() -> x\n-- guard\nSELECT 1;\n-- rows\nSELECT 2;\n",
		       &dialects[0]);

	(void)state;
	assert_false(script->read);
	assert_true(script->statements[0].guard && !script->statements[0].rows);
	assert_true(script->statements[1].rows && !script->statements[1].guard);
	script = render(arena, "test", "-- test() -> x\n-- read\n-- rows\nSELECT 2::int;\n",
			&dialects[1]);
	assert_true(script->read);
	assert_string_equal(script->statements[0].sql, "SELECT 2::int");
	arena_free(arena);
}

static void malformed_texts_are_refused(void **state)
{
	static const struct {
		const char *text;
		const char *message;
	} cases[] = {
		{ "SELECT 1;\n", "db/sql/test: the first line must be '-- name(parameters)" },
		{ "-- test -> x\nSELECT 1;\n", "the first line must be" },
		{ "-- test(a -> x\nSELECT 1;\n", "the parameter list is not closed" },
		{ "-- test() -> x\n", "no statement" },
		{ "-- test() -> x\nSELECT 1\n", "the last statement does not end with ';'" },
		{ "-- test(a) -> x\nSELECT :b;\n", "unknown parameter :b" },
		{ "-- test(ab) -> x\nSELECT :a;\n", "unknown parameter :a" },
		{ "-- test(a) -> x\nSELECT 1 {in:b};\n", "unknown parameter :b" },
		{ "-- test(a) -> x\nSELECT 1 {in};\n", "unknown parameter :" },
		{ "-- test(a) -> x\nSELECT 1 {in:a;\n", "unknown token {in}" },
		{ "-- test() -> x\nSELECT 1 {lock};\n", "unknown token {lock}" },
		{ "-- test() -> x\nSELECT 'a;\nSELECT b';\n", "a quotation does not end" },
		{ "-- test() -> x\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n",
		  "too many statements" },
	};
	struct arena *arena = arena_new();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct sql_file file = { .name = "test", .text = cases[i].text };
		const struct script *script = NULL;
		struct error error = { 0 };
		assert_status(dialect_render_file(arena, &file, &dialects[0], &script, &error),
			      STATUS_FATAL, &error);
		assert_null(script);
		assert_contains(error.text, cases[i].message);
	}
	arena_free(arena);
}

static void placeholders_have_a_limit(void **state)
{
	struct arena *arena = arena_new();
	struct text text = { 0 };
	struct error error = { 0 };
	const struct script *script = NULL;

	(void)state;
	text_add(&text, "-- test(a) -> x\nSELECT 1");
	for (int i = 0; i < 63; i++)
		text_add(&text, ", :a");
	text_add(&text, ", 1 {in:a}");
	const char *full = arena_printf(arena, "%s;\n", text_string(&text));
	const char *more = arena_printf(arena, "%s, 1 {in:a};\n", text_string(&text));
	text_free(&text);
	assert_int_equal(render(arena, "test", full, &dialects[0])->statements[0].order_count, 64);
	const struct sql_file file = { .name = "test", .text = more };
	assert_status(dialect_render_file(arena, &file, &dialects[0], &script, &error),
		      STATUS_FATAL, &error);
	assert_contains(error.text, "too many placeholders");
	arena_free(arena);
}

static void unknown_operations_are_refused(void **state)
{
	struct arena *arena = arena_new();
	const struct script *script = NULL;
	struct error error = { 0 };

	(void)state;
	assert_status(dialect_render(arena, "clam", &dialects[0], &script, &error), STATUS_FATAL,
		      &error);
	assert_contains(error.text, "db/sql/clam.sql: no such operation");
	arena_free(arena);
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

static void operations_are_complete(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	for (const char *const *names = plan_operations(arena); *names; names++)
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

static void every_file_renders(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
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
	for (const char *const *names = plan_operations(session->arena); *names; names++) {
		const struct script *script = plan_script(session, *names);
		const struct db_value *values = plan_values(session->arena, script, false);
		for (unsigned i = 0; i < script->statement_count; i++) {
			const struct plan_statement statement = { script, i, values };
			(void)plan_of(session, &statement);
		}
	}
}

static void every_statement_prepares(void **state)
{
	struct plan_session session;

	test_rails_batches(*state);
	plan_open(&session, *state);
	explain_all(&session);
	session.dialect.no_skip_locked = true;
	explain_all(&session);
	plan_close(&session);
}

/* PostgreSQL: no statement relies on the search path once a schema is configured. */
static void every_statement_finds_the_schema(void **state)
{
	const struct db_options options = { .schema = "elsewhere" };
	struct test_db *test = *state;
	struct plan_session session;
	struct error error = { 0 };
	struct db *db = NULL;
	size_t applied;

	assert_ok(db_open(&db, test->url, &options, &error), &error);
	assert_ok(schema_migrate(db, test->arena, &applied, &error), &error);
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
static void every_statement_has_the_collation(void **state)
{
	static const char *const collations[] = { "utf8mb4_unicode_ci", "utf8mb3_general_ci",
						  "latin1_swedish_ci" };
	struct test_db *test = *state;
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

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(parameters_become_placeholders),
		cmocka_unit_test(placeholders_know_their_parameters),
		cmocka_unit_test(tokens_are_the_dialects),
		cmocka_unit_test(tables_get_the_schema),
		cmocka_unit_test(comments_mark_statements),
		cmocka_unit_test(malformed_texts_are_refused),
		cmocka_unit_test(placeholders_have_a_limit),
		cmocka_unit_test(unknown_operations_are_refused),
		cmocka_unit_test(operations_are_complete),
		cmocka_unit_test(every_file_renders),
	};
	static const struct test_case cases[] = {
		TEST(every_statement_prepares),
		{ "every_statement_finds_the_schema", every_statement_finds_the_schema, TEST_EMPTY,
		  "postgresql" },
		TEST_ONLY(every_statement_has_the_collation, "mysql mariadb"),
	};

	return cmocka_run_group_tests_name("sql", tests, NULL, NULL) +
	       test_run_backends("sql", cases, sizeof(cases) / sizeof(cases[0]));
}
