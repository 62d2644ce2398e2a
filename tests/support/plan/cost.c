#include "common/text/text.h"
#include "tests/support/plan/plan.h"

#ifdef DRAY_WITH_SQLITE
#include <sqlite3.h>
#endif

static void add_ids(struct text *text, const struct db_value *value)
{
	for (size_t i = 0; i < value->count; i++)
		text_printf(text, "%s%lld", i > 0 ? "," : "", (long long)value->ids[i]);
}

/* PostgreSQL */

static void add_literal(struct text *sql, const struct db_value *value)
{
	char time[CLOCK_TEXT_SIZE];

	if (value->type == DB_NULL || (value->type == DB_TEXT && !value->text)) {
		text_add(sql, "NULL");
	} else if (value->type == DB_TEXT) {
		assert_null(strchr(value->text, '\''));
		text_printf(sql, "'%s'", value->text);
	} else if (value->type == DB_TIME) {
		clock_format(value->number, time);
		text_printf(sql, "'%s'", time);
	} else if (value->type == DB_IDS) {
		text_add(sql, "'{");
		add_ids(sql, value);
		text_add(sql, "}'");
	} else {
		text_printf(sql, "%lld", (long long)value->number);
	}
}

/* Prepares the statement by this name, unless it is already, and gives the EXECUTE of it. */
static const char *prepare(struct plan_session *session, const struct plan_statement *statement,
			   const char *name)
{
	const struct statement *like = &statement->script->statements[statement->number];
	struct text sql = { 0 };
	struct db_rows known = plan_query(
		session,
		arena_printf(session->arena,
			     "SELECT 1 FROM pg_prepared_statements WHERE name = '%s'", name));

	if (known.count == 0)
		plan_execute(session,
			     arena_printf(session->arena, "PREPARE %s AS %s", name, like->sql));
	text_printf(&sql, "EXECUTE %s", name);
	for (unsigned i = 0; i < like->order_count; i++) {
		text_add(&sql, i > 0 ? ", " : "(");
		add_literal(&sql, &statement->values[like->order[i]]);
	}
	text_add(&sql, like->order_count > 0 ? ")" : "");
	const char *execute = arena_strdup(session->arena, text_string(&sql));
	text_free(&sql);
	return execute;
}

const char *plan_generic(struct plan_session *session, const struct plan_statement *statement)
{
	const char *sql = statement->script->statements[statement->number].sql;
	const char *execute = prepare(session, statement, "plan");

	plan_execute(session, "SET plan_cache_mode = force_generic_plan");
	struct db_rows rows = plan_query(
		session, arena_printf(session->arena, "EXPLAIN (COSTS OFF) %s", execute));
	plan_execute(session, "RESET plan_cache_mode; DEALLOCATE plan");
	return plan_read(session, sql, &rows);
}

static int64_t number_after(const char *line, const char *part)
{
	const char *at = strstr(line, part);

	return at ? strtol(at + strlen(part), NULL, 10) : 0;
}

/* The first count of buffers is that of the whole, unless nothing was read. */
static int64_t pages(const struct db_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		const char *line = db_text(rows, i, 0);
		if (strncmp(line, "Planning:", 9) == 0)
			break;
		if (strstr(line, "Buffers: shared"))
			return number_after(line, " hit=") + number_after(line, " read=");
	}
	return 0;
}

static int64_t postgresql_cost(struct plan_session *session, const struct plan_statement *statement)
{
	const char *name =
		arena_printf(session->arena, "%s_%u", statement->script->name, statement->number);
	const char *execute = prepare(session, statement, name);
	struct db_rows rows = plan_query(
		session, arena_printf(session->arena,
				      "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, "
				      "SUMMARY OFF) %s",
				      execute));

	return pages(&rows);
}

/* MySQL */

static int64_t rows_read(struct plan_session *session)
{
	struct db_rows rows = plan_query(session, "SHOW SESSION STATUS LIKE 'Handler_read%'");
	int64_t sum = 0;

	for (size_t i = 0; i < rows.count; i++)
		sum += db_int(&rows, i, 1);
	return sum;
}

static int64_t mysql_cost(struct plan_session *session, const struct plan_statement *statement)
{
	int64_t before = rows_read(session);

	(void)plan_run(session, statement);
	return rows_read(session) - before;
}

/* SQLite */

#ifdef DRAY_WITH_SQLITE
static void bind(sqlite3_stmt *prepared, int index, const struct db_value *value)
{
	struct text text = { 0 };

	if (value->type == DB_NULL)
		return;
	if (value->type == DB_INT || value->type == DB_BOOL) {
		sqlite3_bind_int64(prepared, index, value->number);
		return;
	}
	if (value->type == DB_TIME) {
		char time[CLOCK_TEXT_SIZE];
		clock_format_short(value->number, time);
		text_add(&text, time);
	} else if (value->type == DB_IDS) {
		text_add(&text, "[");
		add_ids(&text, value);
		text_add(&text, "]");
	} else {
		text_add(&text, value->text);
	}
	sqlite3_bind_text(prepared, index, text_string(&text), -1, SQLITE_TRANSIENT);
	text_free(&text);
}

static int64_t steps(sqlite3 *handle, const struct plan_statement *statement)
{
	const struct statement *like = &statement->script->statements[statement->number];
	sqlite3_stmt *prepared = NULL;
	int code;

	assert_int_equal(sqlite3_prepare_v2(handle, like->sql, -1, &prepared, NULL), SQLITE_OK);
	for (unsigned i = 0; i < like->order_count; i++)
		bind(prepared, (int)i + 1, &statement->values[like->order[i]]);
	do {
		code = sqlite3_step(prepared);
	} while (code == SQLITE_ROW);
	assert_int_equal(code, SQLITE_DONE);
	int64_t count = sqlite3_stmt_status(prepared, SQLITE_STMTSTATUS_VM_STEP, 0);
	sqlite3_finalize(prepared);
	return count;
}

static int64_t sqlite_cost(struct plan_session *session, const struct script *script)
{
	const struct db_value *values = plan_values(session->arena, script, false);
	sqlite3 *handle = NULL;
	int64_t sum = 0;

	assert_int_equal(sqlite3_open(strchr(session->test->url, ':') + 1, &handle), SQLITE_OK);
	assert_int_equal(sqlite3_exec(handle, "PRAGMA foreign_keys=ON; BEGIN", NULL, NULL, NULL),
			 SQLITE_OK);
	for (unsigned i = 0; i < script->statement_count; i++) {
		const struct plan_statement statement = { script, i, values };
		sum += steps(handle, &statement);
	}
	sqlite3_close(handle); /* rolls back */
	return sum;
}
#else
static int64_t sqlite_cost(struct plan_session *session, const struct script *script)
{
	(void)session;
	(void)script;
	return 0;
}
#endif

int64_t plan_cost(struct plan_session *session, const char *operation)
{
	const struct script *script = plan_script(session, operation);
	const struct db_value *values = plan_values(session->arena, script, false);
	bool postgresql = session->dialect.kind == DB_POSTGRESQL;
	int64_t sum = 0;

	if (session->dialect.kind == DB_SQLITE)
		return sqlite_cost(session, script);
	if (postgresql)
		plan_execute(session, "SET plan_cache_mode = force_generic_plan");
	plan_execute(session, "BEGIN");
	for (unsigned i = 0; i < script->statement_count; i++) {
		const struct plan_statement statement = { script, i, values };
		sum += postgresql ? postgresql_cost(session, &statement)
				  : mysql_cost(session, &statement);
	}
	plan_execute(session, "ROLLBACK");
	return sum;
}
