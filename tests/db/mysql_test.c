/* The MySQL driver's statements, guards and error statuses, on a MySQL and a MariaDB server. */
#include "tests/support/servers/mysql_session.h"

static const char schema[] =
	"CREATE TABLE parents (id BIGINT PRIMARY KEY) ENGINE=InnoDB;\n"
	"CREATE TABLE things (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,\n"
	" number BIGINT, label VARCHAR(20) NOT NULL DEFAULT '', body LONGTEXT,\n"
	" at DATETIME(6), flag TINYINT(1), doc JSON, parent BIGINT,\n"
	" UNIQUE KEY by_number (number),\n"
	" CONSTRAINT owner FOREIGN KEY (parent) REFERENCES parents (id))\n"
	" ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;\n";

MYSQL_GROUP(schema, "DELETE FROM things; DELETE FROM parents");

/* Inserts one value of a type and reads it back as the driver gives it. */
static const char *round_trip(const char *column, struct db_value value)
{
	struct db_rows rows;
	struct driver_call call;
	const struct test_sql insert[] = {
		{ .text = arena_printf(here.arena, "INSERT INTO things (%s) VALUES (?)", column) },
		{ 0 },
	};

	mysql_session_execute(&here, "DELETE FROM things");
	must(mysql_session_script, &here, insert, &value, &call);
	assert_int_equal(call.rows->changed, 1);
	must(mysql_session_query, &here, arena_printf(here.arena, "SELECT %s FROM things", column),
	     NULL, &rows);
	assert_int_equal(rows.count, 1);
	assert_int_equal(rows.columns, 1);
	return rows.cells[0];
}

MYSQL_CASE(values_come_back_as_they_were)
{
	const struct {
		const char *column;
		struct db_value value;
		const char *expected;
	} cases[] = {
		{ "number", P_INT(INT64_MAX), "9223372036854775807" },
		{ "number", P_INT(INT64_MIN), "-9223372036854775808" },
		{ "number", P_NULL, NULL },
		{ "body", P_TEXT(NULL), NULL },
		{ "body", P_TEXT(""), "" },
		{ "body", P_TEXT("a'b\\c\"%_\n\t?"), "a'b\\c\"%_\n\t?" },
		{ "label", P_TEXT("\xf0\x9f\x90\x8e \xc3\xa9"), "\xf0\x9f\x90\x8e \xc3\xa9" },
		{ "flag", P_BOOL(true), "1" },
		{ "flag", P_BOOL(false), "0" },
		{ "at", P_TIME(INT64_C(1795229767533381)), "2026-11-21 02:56:07.533381" },
		{ "at", P_TIME(INT64_C(1795229767000000)), "2026-11-21 02:56:07.000000" },
		{ "doc", P_TEXT("[1, \"x\"]"), "[1, \"x\"]" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *cell = round_trip(cases[i].column, cases[i].value);
		if (!cell != !cases[i].expected || (cell && strcmp(cell, cases[i].expected) != 0))
			fail_msg("%s: '%s', expected '%s'", cases[i].column, cell ? cell : "NULL",
				 cases[i].expected ? cases[i].expected : "NULL");
	}
}

MYSQL_CASE(ids_travel_as_one_list)
{
	static const int64_t ids[] = { 1, INT64_MAX, -3 };
	const struct db_value some[] = { P_IDS(ids, 3) };
	const struct db_value none[] = { P_IDS(NULL, 0) };
	const char *sql = "SELECT j.id FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) j "
			  "ORDER BY j.id";
	struct db_rows rows;

	must(mysql_session_query, &here, sql, list_bind(here.arena, DB_MYSQL, some, 1), &rows);
	assert_int_equal(rows.count, 3);
	assert_string_equal(rows.cells[0], "-3");
	assert_string_equal(rows.cells[2], "9223372036854775807");
	must(mysql_session_query, &here, sql, list_bind(here.arena, DB_MYSQL, none, 1), &rows);
	assert_int_equal(rows.count, 0);
}

/* Around the length from which cells are fetched apart, around two-byte lengths, and 1 MiB. */
MYSQL_CASE(long_values_are_exact)
{
	static const size_t lengths[] = { 1, 255, 256, 257, 65535, 65536, 1 << 20 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		char *text = arena_alloc(here.arena, lengths[i] + 1);
		for (size_t j = 0; j < lengths[i]; j++)
			text[j] = (char)('a' + (j * 7 + j / 251) % 26);
		const char *cell = round_trip("body", P_TEXT(text));
		if (strcmp(cell, text) != 0)
			fail_msg("%zu bytes came back as %zu", lengths[i], strlen(cell));
	}
}

MYSQL_CASE(rows_keep_short_and_long_cells_apart)
{
	struct db_rows rows;

	must(mysql_session_query, &here,
	     "SELECT 1, REPEAT('x', 300), NULL UNION ALL "
	     "SELECT 2, NULL, REPEAT('y', 100000) UNION ALL SELECT 3, 'z', ''",
	     NULL, &rows);
	assert_int_equal(rows.count, 3);
	assert_int_equal(rows.columns, 3);
	assert_int_equal(strlen(rows.cells[1]), 300);
	assert_null(rows.cells[2]);
	assert_null(rows.cells[4]);
	assert_int_equal(strlen(rows.cells[5]), 100000);
	assert_string_equal(rows.cells[6], "3");
	assert_string_equal(rows.cells[7], "z");
	assert_string_equal(rows.cells[8], "");
}

MYSQL_CASE(values_larger_than_a_packet_are_refused)
{
	struct error error;
	struct driver_call call;
	const struct test_sql insert[] = { { .text = "INSERT INTO things (body) VALUES (?)" },
					   { 0 } };

	size_t packet = strtoul(mysql_session_cell(&here, "SELECT @@max_allowed_packet"), NULL, 10);
	if (packet > (size_t)256 << 20) {
		print_message("max_allowed_packet is %zu, too large to be tested\n", packet);
		skip();
	}
	char *text = arena_alloc(here.arena, packet + 1);
	memset(text, 'x', packet);
	const struct db_value value = P_TEXT(text);
	assert_int_equal(mysql_session_script(&here, insert, &value, &call, &error),
			 STATUS_INVALID);
	assert_non_null(strstr(error.text, "max_allowed_packet"));
	assert_false(here.connection->broken);
	text[packet - 4096] = '\0';
	must(mysql_session_script, &here, insert, &value, &call);
	assert_cell("SELECT COUNT(*) FROM things", "1");
}

MYSQL_CASE(a_guard_that_matches_goes_on)
{
	struct driver_call call;
	/* The new value equals the old one: found, not changed. */
	const struct test_sql script[] = {
		{ .text = "UPDATE things SET label = 'a' WHERE number = 1", .guard = true },
		{ .text = "INSERT INTO things (number) VALUES (2), (3)" },
		{ .text = "SELECT number FROM things ORDER BY number", .rows = true },
		{ 0 },
	};

	mysql_session_execute(&here, "INSERT INTO things (number, label) VALUES (1, 'a')");
	must(mysql_session_script, &here, script, NULL, &call);
	assert_false(call.none);
	assert_int_equal(call.rows->changed, 1);
	assert_int_equal(call.rows->count, 3);
	assert_string_equal(call.rows->cells[2], "3");
	assert_cell("SELECT COUNT(*) FROM things", "3");
}

MYSQL_CASE(a_guard_that_finds_nothing_stops)
{
	static const char *const guards[] = {
		"UPDATE things SET label = 'a' WHERE number = 9",
		"SELECT id FROM things WHERE number = 9 FOR UPDATE",
	};

	for (size_t i = 0; i < sizeof(guards) / sizeof(guards[0]); i++) {
		struct driver_call call;
		const struct test_sql script[] = {
			{ .text = "INSERT INTO things (number) VALUES (1)" },
			{ .text = guards[i], .guard = true },
			{ .text = "INSERT INTO things (number) VALUES (2)" },
			{ 0 },
		};
		must(mysql_session_script, &here, script, NULL, &call);
		assert_true(call.none);
		assert_cell("SELECT COUNT(*) FROM things", "0");
	}
}

MYSQL_CASE(calls_share_a_transaction)
{
	struct driver_call calls[2];
	const struct test_sql none[] = {
		{ .text = "UPDATE things SET label = 'a' WHERE number = 9", .guard = true },
		{ .text = "INSERT INTO things (number) VALUES (1)" },
		{ 0 },
	};
	const struct test_sql some[] = { { .text = "INSERT INTO things (number) VALUES (2)" },
					 { 0 } };

	/* Each runs once alone, which makes its script; then both at once. */
	must(mysql_session_script, &here, none, NULL, &calls[0]);
	must(mysql_session_script, &here, some, NULL, &calls[1]);
	mysql_session_execute(&here, "DELETE FROM things");
	calls[0].none = calls[1].none = false;
	must(mysql_driver.run, here.connection, here.arena, calls, 2);
	assert_true(calls[0].none);
	assert_false(calls[1].none);
	assert_cell("SELECT GROUP_CONCAT(number) FROM things", "2");
	/* Now the second one fails: nothing of either stays. */
	must_be(STATUS_CONFLICT, mysql_driver.run, here.connection, here.arena, calls, 2);
	assert_cell("SELECT COUNT(*) FROM things", "1");
}

MYSQL_CASE(errors_say_what_to_do)
{
	static const struct {
		const char *sql;
		enum status status;
	} cases[] = {
		{ "INSERT INTO things (number) VALUES (1)", STATUS_CONFLICT },
		{ "INSERT INTO things (parent) VALUES (404)", STATUS_CONFLICT },
		{ "DELETE FROM parents WHERE id = 7", STATUS_CONFLICT },
		{ "INSERT INTO things (label) VALUES (REPEAT('x', 21))", STATUS_INVALID },
		{ "INSERT INTO things (label) VALUES (NULL)", STATUS_INVALID },
		{ "INSERT INTO things (flag) VALUES (300)", STATUS_INVALID },
		{ "INSERT INTO things (number) VALUES ('x')", STATUS_INVALID },
		{ "INSERT INTO things (at) VALUES ('2026-02-30')", STATUS_INVALID },
		{ "INSERT INTO things (doc) VALUES ('{')", STATUS_INVALID },
		{ "INSERT INTO nothings VALUES (1)", STATUS_FATAL },
		{ "INSERT INTO things\nVALUES (1,", STATUS_FATAL },
		{ "INSERT INTO things (number) VALUES (1); SELECT 1", STATUS_FATAL },
	};

	mysql_session_execute(&here, "INSERT INTO parents VALUES (7);"
				     "INSERT INTO things (number, parent) VALUES (1, 7)");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct driver_call call;
		struct error error;
		const struct test_sql script[] = {
			{ .text = "INSERT INTO things (number) VALUES (2)" },
			{ .text = cases[i].sql },
			{ 0 },
		};
		enum status status = mysql_session_script(&here, script, NULL, &call, &error);
		if (status != cases[i].status)
			fail_msg("%s: %s (%s)", cases[i].sql, status_name(status), error.text);
		assert_int_equal(error.status, status);
		assert_ptr_equal(strstr(error.text, "test_script: "), error.text);
		assert_null(strchr(error.text, '\n'));
		assert_false(here.connection->broken);
		assert_cell("SELECT GROUP_CONCAT(number) FROM things", "1");
	}
}

static long prepared_so_far(void)
{
	struct db_rows rows;

	must(mysql_session_query, &here, "SHOW SESSION STATUS LIKE 'Com_stmt_prepare'", NULL,
	     &rows);
	assert_int_equal(rows.count, 1);
	return strtol(rows.cells[1], NULL, 10);
}

MYSQL_CASE(statements_are_prepared_once)
{
	struct driver_call call;
	const struct test_sql script[] = { { .text = "SELECT * FROM parents", .rows = true },
					   { 0 } };

	must(mysql_session_script, &here, script, NULL, &call);
	long before = prepared_so_far();
	for (int i = 0; i < 5; i++)
		must(mysql_driver.run, here.connection, here.arena, &call, 1);
	/* The question itself is prepared anew each time. */
	assert_int_equal(prepared_so_far(), before + 1);
}

MYSQL_CASE(a_changed_table_is_noticed)
{
	struct driver_call call;
	struct error error;
	const struct test_sql script[] = { { .text = "SELECT * FROM changing", .rows = true },
					   { 0 } };

	mysql_session_execute(&here,
			      "CREATE TABLE changing (a INT); INSERT INTO changing VALUES (1)");
	must(mysql_session_script, &here, script, NULL, &call);
	mysql_session_execute(&here, "ALTER TABLE changing ADD COLUMN b VARCHAR(9) DEFAULT 'new'");
	enum status status = mysql_driver.run(here.connection, here.arena, &call, 1, &error);
	if (status == STATUS_RETRY)
		status = mysql_driver.run(here.connection, here.arena, &call, 1, &error);
	assert_ok(status, &error);
	assert_int_equal(call.rows->columns, 2);
	assert_string_equal(call.rows->cells[1], "new");
	mysql_session_execute(&here, "DROP TABLE changing");
}

MYSQL_CASE(execute_runs_several_statements)
{
	mysql_session_execute(&here, "-- a remark; with a semicolon\n"
				     "INSERT INTO parents VALUES (1);\nSELECT 1;\n"
				     "INSERT INTO parents VALUES (2);\n-- the end\n");
	assert_cell("SELECT COUNT(*) FROM parents", "2");
	must_be(STATUS_CONFLICT, mysql_driver.execute, here.connection,
		"INSERT INTO parents VALUES (3); INSERT INTO parents "
		"VALUES (3); INSERT INTO parents VALUES (4)");
	assert_cell("SELECT COUNT(*) FROM parents", "3");
}
