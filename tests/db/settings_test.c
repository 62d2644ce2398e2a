/* Settings of a role, a database or a server do not break our sessions, or are refused. */
#include "db/schema/schema.h"
#include "tests/support/queue.h"
#include "tests/support/servers/server.h"
#include "tests/support/torn.h"

static const char *const of_postgresql[] = {
	"standard_conforming_strings = off",
	"client_min_messages = error",
	"exit_on_error = on",
	"quote_all_identifiers = on",
	"array_nulls = off",
	"transform_null_equals = on",
	"bytea_output = escape",
	"extra_float_digits = -15",
	"xmloption = document",
	"row_security = off",
	"default_transaction_isolation = serializable",
	"default_transaction_deferrable = on",
	"DateStyle = German",
	"IntervalStyle = sql_standard",
	"TimeZone = 'Asia/Tokyo'",
	"client_encoding = LATIN1",
	"statement_timeout = 1",
	"lock_timeout = 1",
	"idle_in_transaction_session_timeout = 1",
	"enable_indexscan = off",
	"enable_indexonlyscan = off",
	"enable_nestloop = off",
	"enable_sort = off",
	"enable_material = off",
	"join_collapse_limit = 1",
};

static const char *const of_both[] = {
	"autocommit = 0",
	"auto_increment_increment = 7",
	"auto_increment_offset = 3",
	"big_tables = 1",
	"completion_type = 'CHAIN'",
	"default_storage_engine = MyISAM",
	"default_week_format = 3",
	"div_precision_increment = 0",
	"explicit_defaults_for_timestamp = 0",
	"foreign_key_checks = 0",
	"group_concat_max_len = 4",
	"innodb_default_row_format = COMPACT",
	"lc_messages = 'de_DE'",
	"lc_time_names = 'de_DE'",
	"max_heap_table_size = 16384",
	"max_join_size = 1",
	"max_seeks_for_key = 1",
	"max_sort_length = 8",
	"session_track_state_change = 1",
	"session_track_transaction_info = 'CHARACTERISTICS'",
	"sql_auto_is_null = 1",
	"sql_buffer_result = 1",
	"sql_notes = 0",
	"sql_safe_updates = 1",
	"sql_select_limit = 1",
	"time_zone = '+09:00'",
	"tmp_table_size = 1024",
	"unique_checks = 0",
};

static const char *const of_mysql[] = {
	"sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,TRADITIONAL,PAD_CHAR_TO_FULL_LENGTH'",
	"transaction_isolation = 'SERIALIZABLE'",
	"transaction_read_only = 1",
	"sql_require_primary_key = 1",
	"sql_generate_invisible_primary_key = 1",
	"show_gipk_in_create_table_and_information_schema = 0",
	"cte_max_recursion_depth = 1",
	"max_execution_time = 1",
	"range_optimizer_max_mem_size = 1000",
	"default_collation_for_utf8mb4 = 'utf8mb4_general_ci'",
	"restrict_fk_on_non_standard_key = 1",
};

static const char *const of_mariadb[] = {
	"sql_mode = 'ORACLE,EMPTY_STRING_IS_NULL,SIMULTANEOUS_ASSIGNMENT,TRADITIONAL'",
	"tx_isolation = 'SERIALIZABLE'",
	"tx_read_only = 1",
	"check_constraint_checks = 0",
	"in_predicate_conversion_threshold = 2",
	"innodb_snapshot_isolation = 1",
	"max_recursive_iterations = 1",
	"max_statement_time = 0.001",
	"old_mode = 'ZERO_DATE_TIME_CAST'",
	"sql_if_exists = 1",
	"system_versioning_alter_history = 'KEEP'",
};

/* A statement with each of them in its %s. */
static void set_all(struct db *db, const char *statement, const char *const settings[],
		    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char sql[400];
		const char *at = strstr(statement, "%s");
		(void)snprintf(sql, sizeof(sql), "%.*s%s%s", (int)(at - statement), statement,
			       settings[i], at + 2);
		test_execute(db, sql);
	}
}

#define SET_ALL(db, statement, settings)                                                           \
	set_all((db), (statement), (settings), sizeof(settings) / sizeof((settings)[0]))

/* From an empty database to a finished job: on a new connection, which the settings are for. */
static void live(const struct test_db *test, const char *url)
{
	const struct new_job limited = { .class_name = "L", .concurrency_key = "k" };
	struct test_db here = { .backend = test->backend, .url = url, .arena = test->arena };
	const char **differences;
	int64_t released;
	size_t count;

	here.db = test_db_open(url);
	test_migrate(here.db, here.arena);
	must(schema_verify, here.db, here.arena, &differences, &count);
	for (size_t i = 0; i < count; i++)
		print_error("%s\n", differences[i]);
	assert_int_equal(count, 0);
	int64_t worker = register_worker(here.db, "w");
	for (int i = 0; i < 5; i++)
		put(here.db, "\\'\"queue", i);
	put_job(here.db, &limited);
	finish_claims(&here, take_all(&here, worker, 6), 6);
	put(here.db, "other", 0);
	torn_assert_well(&here);
	must(process_deregister, here.db, worker, &released);
	assert_int_equal(discard_ready(&here, "other"), 1);
	assert_int_equal(rows_of(&here, "ready_executions"), 0);
	assert_int_equal(rows_of(&here, "jobs"), 6);
	test_invariant(here.db);
	db_close(here.db);
}

DB_CASE_ON_EMPTY_ONLY(a_database_may_be_set_to_anything, "postgresql")
{
	SET_ALL(test->db,
		"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ' || $x$%s$x$, "
		"current_database()); END $$",
		of_postgresql);
	live(test, test->url);
}

/* Rows are numbered by sequences, which want a right of their own: not of those who only look. */
DB_CASE_ONLY(a_login_that_cannot_number_rows_is_told, "postgresql")
{
	const char *role = arena_printf(test->arena, "dray_%d", (int)getpid());

	sql_execute(test->db,
		    "CREATE ROLE %s; GRANT SELECT ON ALL TABLES IN SCHEMA public TO %s;"
		    "SET ROLE %s",
		    role, role, role);
	must(schema_require, test->db);
	sql_execute(test->db,
		    "RESET ROLE; GRANT INSERT ON ALL TABLES IN SCHEMA public TO %s;"
		    "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO %s;"
		    "REVOKE USAGE ON dray_gone_id_seq, solid_queue_jobs_id_seq FROM %s;"
		    "SET ROLE %s",
		    role, role, role, role);
	must_say("schema.unnumbered", STATUS_FATAL, schema_require, test->db);
	sql_execute(test->db,
		    "RESET ROLE; GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO %s;"
		    "SET ROLE %s",
		    role, role);
	must(schema_require, test->db);
	sql_execute(test->db,
		    "RESET ROLE; DROP OWNED BY %s; DROP ROLE %s;"
		    "SET session_replication_role = replica",
		    role, role);
	must_say("schema.replica", STATUS_FATAL, schema_require, test->db);
}

/* The last setting is that of a binary log that takes statements alone: nothing can be written. */
DB_CASE_ON_EMPTY_ONLY(a_server_may_be_set_to_almost_anything, "mysql mariadb")
{
	static const char *const options[] = { "--log-bin=binlog", "--server-id=1", NULL };
	bool mariadb = strcmp(test->backend, "mariadb") == 0;
	struct server server;

	server_init(&server, test->arena, test->backend, 0);
	server_launch(&server, options);
	server_await(&server);
	struct db *db = test_db_open(server.url);
	test_execute(db, "CREATE DATABASE jobs");
	SET_ALL(db, "SET GLOBAL %s", of_both);
	if (mariadb)
		SET_ALL(db, "SET GLOBAL %s", of_mariadb);
	else
		SET_ALL(db, "SET GLOBAL %s", of_mysql);
	db_close(db); /* it would be idle for too long where the machine is busy */
	const char *url = server_url(&server, "root", "jobs");
	live(test, url);
	assert_string_equal(test_query_text(test->arena, url,
					    "SELECT @@foreign_key_checks, @@unique_checks,"
					    " @@sql_auto_is_null, @@default_storage_engine"
					    " /*M! , @@innodb_snapshot_isolation */"),
			    mariadb ? "1 1 0 InnoDB 0\n" : "1 1 0 InnoDB\n");
	db = test_db_open(server.url);
	test_execute(db, "SET GLOBAL binlog_format = 'STATEMENT'");
	db_close(db);
	must_say("mysql.binlog", STATUS_INVALID, db_open, &db, server.url, NULL);
	server_close(&server);
}
