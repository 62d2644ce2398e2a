#include <sys/stat.h>

#include "common/log/log.h"
#include "db/postgresql/driver.h"
#include "tests/support/servers/postgresql.h"
#include "tests/support/sites/command.h"

GROUP(pg_set_up, pg_tear_down);

static enum status insert(struct connection *connection, int64_t id)
{
	struct arena *arena = arena_new();
	struct db_value values[] = { P_INT(id) };
	struct pg_script script;

	pg_script(&script, "insert", false);
	pg_add(&script, "INSERT INTO things (id) VALUES ($1)", 0);
	enum status status = pg_run(connection, arena, &script, values, NULL);
	arena_free(arena);
	return status;
}

static int64_t count_from(struct connection *connection, int64_t first)
{
	char sql[100];

	snprintf(sql, sizeof(sql), "SELECT count(*) FROM things WHERE id BETWEEN %d AND %d",
		 (int)first, (int)first + 9);
	return pg_number(connection, sql);
}

/* libpq ignores a password file that others may read, and would say so on standard error. */
CASE(what_libpq_would_print_is_logged)
{
	static const char path[] = "/tmp/dray-passfile-test";
	int log = test_memory_file("log", NULL);
	int printed = test_memory_file("printed", NULL);
	int kept = dup(STDERR_FILENO);
	struct arena *arena = arena_new();
	struct error error;

	test_write_file(path, "*:*:*:*:secret\n");
	assert_int_equal(chmod(path, 0644), 0);
	assert_int_equal(setenv("PGPASSFILE", path, 1), 0);
	log_configure(&(struct log_options){ LOG_INFO, LOG_FORMAT_JSON, log });
	assert_true(dup2(printed, STDERR_FILENO) >= 0);
	enum status status = pg_try(pg_url(), NULL, &error);
	assert_true(dup2(kept, STDERR_FILENO) >= 0);
	log_configure(&(struct log_options){ .level = LOG_INFO, .fd = STDERR_FILENO });
	assert_int_equal(unsetenv("PGPASSFILE"), 0);
	assert_status(status, STATUS_OK, &error);
	assert_non_null(strstr(test_memory_read(arena, log), "\"database.passfile_ignored\""));
	assert_string_equal(test_memory_read(arena, printed), "");
	assert_int_equal(unlink(path) | close(kept) | close(log) | close(printed), 0);
	arena_free(arena);
}

CASE(a_refused_connection_says_why)
{
	static const struct {
		const char *options;
		enum status status;
		const char *text;
	} cases[] = {
		{ "port=1", STATUS_DOWN, "port 1 failed" },
		{ "dbname=no_such_database", STATUS_INVALID, "no_such_database" },
		{ "user=no_such_user", STATUS_INVALID, "no_such_user" },
		{ "host=/no/such/socket", STATUS_DOWN, "/no/such/socket" },
		{ "sslmod=prefer", STATUS_INVALID, "did you mean 'sslmode'" },
		{ "sslmode=perhaps", STATUS_INVALID, "sslmode" },
		{ "options=-c%20no_such_setting%3D1", STATUS_INVALID, "no_such_setting" },
		{ "prepared_statements=perhaps", STATUS_INVALID, "prepared_statements" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct error error = { 0 };
		assert_int_equal(pg_try(pg_url_with(cases[i].options), NULL, &error),
				 cases[i].status);
		print_message("%s\n", error.text);
		assert_non_null(strstr(error.text, cases[i].text));
		assert_null(strchr(error.text, '\n'));
		assert_null(strstr(error.text, "postgres://"));
	}
}

CASE(a_password_is_never_repeated)
{
	static const char *const urls[] = {
		"postgres://me:sesame@127.0.0.1:1/db",
		"postgres://me@127.0.0.1:1/db?password=sesame",
		"postgres://me:sesame%zz@127.0.0.1:1/db",
		"postgres://me:x?sesame@127.0.0.1:1/db",
		"postgres://me:x/sesame@127.0.0.1:1/db",
		"postgres://me:x@[sesame/db",
	};

	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		struct error error = { 0 };
		assert_int_not_equal(pg_try(urls[i], NULL, &error), STATUS_OK);
		assert_null(strstr(error.text, "sesame"));
	}
}

static enum status open_with_password(const char *path, struct error *error)
{
	const struct db_options options = { .password_file = path };

	return pg_try(pg_url(), &options, error);
}

CASE(a_password_file_is_read)
{
	struct error error = { 0 };
	char path[] = "/tmp/dray_password_XXXXXX";

	pg_url();
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "sesame\n", 7), 7);
	assert_int_equal(close(fd), 0);
	/* The server may ask for none, or for another one. */
	enum status status = open_with_password(path, &error);
	assert_true(status == STATUS_OK || strstr(error.text, "password authentication failed"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(open_with_password(path, &error), STATUS_INVALID);
	assert_non_null(strstr(error.text, path));
	assert_int_equal(open_with_password("/", &error), STATUS_INVALID);
}

CASE(the_session_is_ours)
{
	static const char *const settings[][2] = {
		{ "TimeZone", "UTC" },
		{ "DateStyle", "ISO, MDY" },
		{ "client_encoding", "UTF8" },
		{ "default_transaction_isolation", "read committed" },
		{ "quote_all_identifiers", "off" },
		{ "standard_conforming_strings", "on" },
		{ "client_min_messages", "warning" },
		{ "exit_on_error", "off" },
	};
	struct connection *connection =
		pg_open("options=-c%20TimeZone%3DAsia/Tokyo%20-c%20work_mem%3D123kB"
			"%20-c%20quote_all_identifiers%3Don%20-c%20exit_on_error%3Don"
			"%20-c%20client_min_messages%3Derror"
			"%20-c%20standard_conforming_strings%3Doff",
			0);

	assert_true(strncmp(connection->server, "PostgreSQL 1", 12) == 0);
	assert_null(strchr(connection->server, '('));
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		char sql[200];
		snprintf(
			sql, sizeof(sql),
			"SELECT count(*) FROM pg_settings WHERE name = '%s' AND setting ILIKE '%s'",
			settings[i][0], settings[i][1]);
		assert_int_equal(pg_number(connection, sql), 1);
	}
	assert_int_equal(pg_number(connection, "SELECT count(*) FROM pg_stat_activity WHERE pid = "
					       "pg_backend_pid() AND application_name = 'dray'"),
			 1);
	pg_close(connection);
	connection = pg_open("application_name=mine", 0);
	assert_int_equal(pg_number(connection, "SELECT count(*) FROM pg_stat_activity WHERE pid = "
					       "pg_backend_pid() AND application_name = 'mine'"),
			 1);
	pg_close(connection);
}

/* What a pooler's connections are set to is not ours. */
CASE(an_unprepared_run_sets_what_it_needs)
{
	struct connection *connection = pg_open("prepared_statements=false", 0);

	pg_execute(connection, "SET TimeZone TO 'Asia/Tokyo';"
			       "SET DateStyle TO 'German';"
			       "SET quote_all_identifiers TO on;"
			       "SET standard_conforming_strings TO off;"
			       "SET client_min_messages TO error;"
			       "SET default_transaction_isolation TO 'serializable'");
	assert_int_equal(pg_number(connection,
				   "SELECT count(*) FROM pg_settings WHERE (name, setting) IN "
				   "(('TimeZone', 'UTC'), ('DateStyle', 'ISO, DMY'), "
				   "('quote_all_identifiers', 'off'), "
				   "('standard_conforming_strings', 'on'), "
				   "('client_min_messages', 'warning'), "
				   "('transaction_isolation', 'read committed'))"),
			 6);
	pg_close(connection);
}

static void round_trip_values(const char *options)
{
	static const int64_t ids[] = { 1, -2, INT64_MAX, INT64_MIN };
	struct connection *connection = pg_open(options, 0);
	struct arena *arena = arena_new();
	size_t length = (size_t)1 << 20;
	char *big = arena_alloc(arena, length + 1);
	memset(big, 'x', length);
	struct db_value values[] = { P_INT(INT64_MIN),
				     P_BOOL(true),
				     P_TEXT("it's \"\\ \xc3\xa9"),
				     P_TIME(INT64_C(1700000000123456)),
				     P_NULL,
				     P_IDS(ids, 4),
				     P_TEXT(big),
				     P_IDS(NULL, 0) };
	const struct db_value *bound =
		list_bind(arena, DB_POSTGRESQL, values, sizeof(values) / sizeof(values[0]));
	struct pg_script script;
	struct db_rows rows = { 0 };

	pg_script(&script, "values", true);
	pg_add(&script,
	       "SELECT $1::bigint, $2::boolean, $3::text, $4::timestamp(6), $5::text, "
	       "$6::bigint[], $7::text, cardinality($8::bigint[]), $4::timestamp(6)",
	       PG_ROWS);
	for (int again = 0; again < 3; again++) {
		if (pg_run(connection, arena, &script, bound, &rows) != STATUS_OK)
			fail_msg("%s", pg_error());
		assert_int_equal(rows.count, 1);
		assert_int_equal(rows.columns, 9);
		assert_true(db_int(&rows, 0, 0) == INT64_MIN);
		assert_string_equal(db_text(&rows, 0, 1), "t");
		assert_string_equal(db_text(&rows, 0, 2), values[2].text);
		assert_string_equal(db_text(&rows, 0, 3), "2023-11-14 22:13:20.123456");
		assert_true(db_is_null(&rows, 0, 4));
		assert_string_equal(db_text(&rows, 0, 5),
				    "{1,-2,9223372036854775807,-9223372036854775808}");
		assert_string_equal(db_text(&rows, 0, 6), big);
		assert_int_equal(db_int(&rows, 0, 7), 0);
		assert_true(db_time(&rows, 0, 8) == values[3].number);
	}
	arena_free(arena);
	pg_close(connection);
}

CASE(values_survive)
{
	round_trip_values("");
	round_trip_values("prepared_statements=false");
}

PG_CASE(statements_are_prepared_once_or_never)
{
	for (int i = 0; i < 3; i++)
		assert_int_equal(insert(connection, 10 + i), STATUS_OK);
	/* insert's three are different scripts; the counting one is itself prepared */
	assert_int_equal(pg_number(connection, "SELECT count(*) FROM pg_prepared_statements"), 4);
	struct connection *unprepared = pg_open("prepared_statements=false", 0);
	assert_int_equal(insert(unprepared, 13), STATUS_OK);
	assert_int_equal(pg_number(unprepared, "SELECT count(*) FROM pg_prepared_statements"), 0);
	assert_int_equal(count_from(unprepared, 10), 4);
	pg_close(unprepared);
}

PG_CASE(a_lost_prepared_statement_heals)
{
	struct pg_script script;

	pg_script(&script, "one", true);
	pg_add(&script, "SELECT 1", PG_ROWS);
	assert_int_equal(pg_run(connection, arena, &script, NULL, NULL), STATUS_OK);
	pg_execute(connection, "DEALLOCATE ALL");
	assert_int_equal(pg_run(connection, arena, &script, NULL, NULL), STATUS_RETRY);
	assert_int_equal(pg_run(connection, arena, &script, NULL, NULL), STATUS_OK);
}

/* A migration beside a running worker. */
PG_CASE(a_changed_table_asks_for_a_new_connection)
{
	struct pg_script script;

	pg_execute(connection, "CREATE TABLE changing (a int)");
	pg_script(&script, "star", true);
	pg_add(&script, "SELECT * FROM changing", PG_ROWS);
	assert_int_equal(pg_run(connection, arena, &script, NULL, NULL), STATUS_OK);
	pg_execute(connection, "ALTER TABLE changing ADD b int");
	assert_int_equal(pg_run(connection, arena, &script, NULL, NULL), STATUS_DOWN);
	assert_true(connection->broken);
}

PG_CASE(errors_become_statuses)
{
	static const struct {
		const char *sql;
		enum status status;
		const char *text;
	} cases[] = {
		{ "INSERT INTO things (id) VALUES (20), (20)", STATUS_CONFLICT,
		  "things_pkey\" (Key (id)=(20) already exists.) (23505)" },
		{ "INSERT INTO things (id) VALUES (NULL)", STATUS_INVALID, "(23502)" },
		{ "SELECT 'x'::int", STATUS_INVALID, "(22P02)" },
		{ "SELECT 1/0", STATUS_INVALID, "division by zero" },
		{ "SELECT * FROM no_such_table", STATUS_FATAL, "no_such_table\" does not exist" },
		{ "SELEKT", STATUS_FATAL, "syntax error" },
		{ "SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(60)", STATUS_RETRY,
		  "(57014)" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct pg_script script;
		pg_script(&script, "failing", false);
		pg_add(&script, "INSERT INTO things (id) VALUES (21)", 0);
		pg_add(&script, cases[i].sql, 0);
		pg_add(&script, "INSERT INTO things (id) VALUES (22)", 0);
		assert_int_equal(pg_run(connection, arena, &script, NULL, NULL), cases[i].status);
		assert_non_null(strstr(pg_error(), cases[i].text));
		assert_non_null(strstr(pg_error(), "failing: "));
		assert_false(connection->broken);
		assert_int_equal(count_from(connection, 20), 0);
	}
}

CASE(a_replica_is_down)
{
	struct connection *connection =
		pg_open("options=-c%20default_transaction_read_only%3Don", 0);

	assert_int_equal(insert(connection, 30), STATUS_DOWN);
	assert_true(connection->broken);
	pg_close(connection);
}

CASE(every_code_has_a_status)
{
	static const struct {
		const char *sqlstate;
		enum status status;
		bool broken;
	} cases[] = {
		{ "08006", STATUS_DOWN, true },      { "22003", STATUS_INVALID, false },
		{ "23503", STATUS_CONFLICT, false }, { "23514", STATUS_INVALID, false },
		{ "25006", STATUS_DOWN, true },      { "25P03", STATUS_DOWN, true },
		{ "28P01", STATUS_FATAL, true },     { "40001", STATUS_RETRY, false },
		{ "40P01", STATUS_RETRY, false },    { "42501", STATUS_FATAL, false },
		{ "53100", STATUS_RETRY, false },    { "53300", STATUS_DOWN, true },
		{ "55P03", STATUS_RETRY, false },    { "57014", STATUS_RETRY, false },
		{ "57P01", STATUS_DOWN, true },      { "57P03", STATUS_DOWN, true },
		{ "XX000", STATUS_FATAL, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		bool broken = !cases[i].broken;
		assert_int_equal(postgresql_status(cases[i].sqlstate, &broken), cases[i].status);
		assert_int_equal(broken, cases[i].broken);
	}
}
