/* How a file of db/sql becomes statements: texts made by hand. */
#include "common/text/text.h"
#include "db/scripts/dialect.h"
#include "tests/support/wording.h"

static const struct dialect dialects[] = {
	{ .kind = DB_SQLITE },
	{ .kind = DB_POSTGRESQL },
	{ .kind = DB_POSTGRESQL, .schema = "jobs", .no_skip_locked = true },
	{ .kind = DB_MYSQL, .collation = "utf8mb4_0900_ai_ci" },
	{ .kind = DB_MYSQL, .no_skip_locked = true },
};

static const struct script *render(struct arena *arena, const char *name, const char *text,
				   const struct dialect *dialect)
{
	const struct sql_file file = { .name = name, .text = text };
	const struct script *script = NULL;

	must(dialect_render_file, arena, &file, dialect, &script);
	return script;
}

static void check_sql(const struct dialect *dialect, const char *text, const char *expected)
{
	struct arena *arena = arena_new();
	const struct script *script = render(arena, "test", text, dialect);

	assert_int_equal(script->statement_count, 1);
	assert_string_equal(script->statements[0].sql, expected);
	arena_free(arena);
}

CASE(parameters_become_placeholders)
{
	static const char text[] = "-- test(ids, queue) -> id\n"
				   "SELECT id FROM t\n"
				   "WHERE id {in:ids} AND q = :queue AND ':ids' <> :queue;\n";

	check_sql(&dialects[0], text,
		  "SELECT id FROM t\nWHERE id IN (SELECT value FROM json_each(?)) "
		  "AND q = ? AND ':ids' <> ?");
	check_sql(&dialects[1], text,
		  "SELECT id FROM t\nWHERE id = ANY ($1::bigint[]) AND q = $2 AND ':ids' <> $2");
}

ARENA_CASE(placeholders_know_their_parameters)
{
	static const char text[] = "-- test(a, b, c) -> x\nSELECT :c, :a, :c;\nSELECT :b;\n";
	const struct script *script = render(arena, "test", text, &dialects[0]);
	const struct script *numbered = render(arena, "test", text, &dialects[1]);
	static const unsigned char first[] = { 2, 0, 2 };

	assert_int_equal(script->parameter_count, 3);
	assert_string_equal(script->parameters[1], "b");
	assert_null(script->parameters[3]);
	assert_int_equal(script->statement_count, 2);
	assert_int_equal(script->statements[0].order_count, 3);
	assert_memory_equal(script->statements[0].order, first, 3);
	assert_int_equal(script->statements[1].order[0], 1);
	assert_int_equal(numbered->statements[0].order_count, 2);
	assert_memory_equal(numbered->statements[0].order, first, 2);
}

CASE(tokens_are_the_dialects)
{
	static const char lock[] = "-- test() -> x\nSELECT 1 {skip_locked};\n";
	static const char utf8[] = "-- test() -> x\nSELECT 1 {as_jobs};\n";

	check_sql(&dialects[0], lock, "SELECT 1 ");
	check_sql(&dialects[1], lock, "SELECT 1 FOR UPDATE SKIP LOCKED");
	check_sql(&dialects[2], lock, "SELECT 1 FOR UPDATE");
	check_sql(&dialects[3], lock, "SELECT 1 FOR UPDATE SKIP LOCKED");
	check_sql(&dialects[4], lock, "SELECT 1 FOR UPDATE");
	check_sql(&dialects[3], utf8, "SELECT 1 CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_ai_ci");
	check_sql(&dialects[4], utf8, "SELECT 1 CHARACTER SET utf8mb4");
}

CASE(tables_get_the_schema)
{
	static const char text[] =
		"-- test() -> x\n"
		"SELECT solid_queue_jobs.id, index_solid_queue_x, 'solid_queue_y'\n"
		"FROM solid_queue_jobs, dray_migrations;\n";

	check_sql(&dialects[2], text,
		  "SELECT \"jobs\".solid_queue_jobs.id, index_solid_queue_x, 'solid_queue_y'\n"
		  "FROM \"jobs\".solid_queue_jobs, \"jobs\".dray_migrations");
	check_sql(&dialects[1], "-- test() -> x\nSELECT 1 FROM solid_queue_jobs;\n",
		  "SELECT 1 FROM solid_queue_jobs");
}

ARENA_CASE(comments_mark_statements)
{
	const struct script *script =
		render(arena, "test", "-- test() -> x\n-- guard\nSELECT 1;\n-- rows\nSELECT 2;\n",
		       &dialects[0]);

	assert_false(script->read);
	assert_true(script->statements[0].guard && !script->statements[0].rows);
	assert_true(script->statements[1].rows && !script->statements[1].guard);
	script = render(arena, "test", "-- test() -> x\n-- read\n-- rows\nSELECT 2::int;\n",
			&dialects[1]);
	assert_true(script->read);
	assert_string_equal(script->statements[0].sql, "SELECT 2::int");
}

/* What a token becomes on SQLite, PostgreSQL (with a schema) and MySQL. */
static void check_token(const char *name, const char *sql, const char *const expected[3])
{
	static const size_t of[] = { 0, 1, 3 };
	struct arena *arena = arena_new();
	const char *text = arena_printf(arena, "-- %s() -> x\n%s;\n", name, sql);

	for (size_t i = 0; i < 3; i++)
		assert_string_equal(render(arena, name, text, &dialects[of[i]])->statements[0].sql,
				    expected[i]);
	arena_free(arena);
}

CASE(dialects_differ_by_tokens)
{
	check_token("test", "a {index:b} {join} c",
		    (const char *const[]){ "a  JOIN c", "a  JOIN c",
					   "a FORCE INDEX (b) STRAIGHT_JOIN c" });
	check_token("test", "t.{name:key}", (const char *const[]){ "t.key", "t.key", "t.`key`" });
	check_token("test", "a {newest_first}",
		    (const char *const[]){ "a DESC", "a DESC", "a DESC" });
	check_token("test_oldest", "a {newest_first}", (const char *const[]){ "a ", "a ", "a " });
}

/* Fragments of the queue's own: one that is about something, and one that includes another. */
ARENA_CASE(fragments_are_included)
{
	const struct script *script;

	script = render(arena, "test",
			"-- test(queue) -> x\nSELECT {include:slots_in_use :queue};\n",
			&dialects[1]);
	assert_non_null(strstr(script->statements[0].sql, "h.concurrency_key = $1 AND"));
	script = render(arena, "test", "-- test(process_id, now) -> x\n{include:claims_of_now};\n",
			&dialects[0]);
	assert_non_null(strstr(script->statements[0].sql, "AS claim_id, j.id, j.queue_name,"));
	assert_null(strstr(script->statements[0].sql, "--"));
}

/* One of several statements, of which the last one's rows are the result. */
ARENA_CASE(fragments_have_statements)
{
	const struct script *script =
		render(arena, "test",
		       "-- test(claims, failures, keep) -> x\n-- guard\nSELECT 1;\n"
		       "{include:end_runs 'failed'};\nSELECT :keep;\n",
		       &dialects[0]);

	assert_int_equal(script->statement_count, 5);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(script->statements[i].guard, i == 0);
		assert_int_equal(script->statements[i].rows, i == 3);
	}
	assert_non_null(strstr(script->statements[2].sql, "INSERT INTO dray_attempts"));
	assert_non_null(strstr(script->statements[3].sql, "DELETE FROM solid_queue_claimed"));
	assert_string_equal(script->statements[4].sql, "SELECT ?");
	assert_int_equal(script->statements[4].order_count, 1);
}

/* What a fragment is about may have tokens in it, which mean what they mean in the script. */
ARENA_CASE(fragments_are_about_fragments)
{
	const struct script *script;

	script = render(arena, "test",
			"-- test(jobs) -> x\nSELECT {include:slots_in_use t.{name:key}} "
			"FROM {include:distinct_ids :jobs} t;\n",
			&dialects[3]);
	assert_non_null(strstr(script->statements[0].sql, "h.concurrency_key = t.`key` AND"));
	assert_non_null(strstr(script->statements[0].sql, "FROM JSON_TABLE(?, "));
}

ARENA_CASE(malformed_texts_are_refused)
{
	static const char *const texts[] = {
		"SELECT 1;\n",
		"-- test -> x\nSELECT 1;\n",
		"-- test(a -> x\nSELECT 1;\n",
		"-- test() -> x\n",
		"-- test() -> x\nSELECT 1\n",
		"-- test(a) -> x\nSELECT :b;\n",
		"-- test(ab) -> x\nSELECT :a;\n",
		"-- test(a) -> x\nSELECT 1 {in:b};\n",
		"-- test(a) -> x\nSELECT 1 {in};\n",
		"-- test(a) -> x\nSELECT 1 {in:a;\n",
		"-- test() -> x\nSELECT 1 {lock};\n",
		"-- test() -> x\nSELECT {include:nothing};\n",
		"-- test() -> x\nSELECT {it};\n",
		"-- test() -> x\nSELECT 'a;\nSELECT b';\n",
		"-- test() -> x\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n;\n",
	};
	const char *said = "";

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		const struct sql_file file = { .name = "test", .text = texts[i] };
		const struct script *script = NULL;
		struct error error = { 0 };
		assert_status(dialect_render_file(arena, &file, &dialects[0], &script, &error),
			      STATUS_FATAL, &error);
		assert_null(script);
		said = arena_printf(arena, "%s%s\n", said, error.text);
	}
	assert_wording("sql.malformed", said);
}

ARENA_CASE(placeholders_have_a_limit)
{
	struct text text = { 0 };
	const struct script *script = NULL;

	text_add(&text, "-- test(a) -> x\nSELECT 1");
	for (int i = 0; i < 127; i++)
		text_add(&text, ", :a");
	text_add(&text, ", 1 {in:a}");
	const char *full = arena_printf(arena, "%s;\n", text_string(&text));
	const char *more = arena_printf(arena, "%s, 1 {in:a};\n", text_string(&text));
	text_free(&text);
	assert_int_equal(render(arena, "test", full, &dialects[0])->statements[0].order_count, 128);
	const struct sql_file file = { .name = "test", .text = more };
	must_say("sql.too_many_placeholders", STATUS_FATAL, dialect_render_file, arena, &file,
		 &dialects[0], &script);
}

ARENA_CASE(unknown_operations_are_refused)
{
	const struct script *script = NULL;

	must_say("sql.unknown_operation", STATUS_FATAL, dialect_render, arena, "clam", &dialects[0],
		 &script);
}
