#ifdef DRAY_WITH_POSTGRESQL
#include "tests/support/servers/postgresql.h"

#include "tests/support/wait.h"

static struct error last_error;
static unsigned next_id = 1;

const char *pg_url(void)
{
	const char *url = getenv("DRAY_TEST_POSTGRESQL_URL");

	if (!url || !*url) {
		print_message("skipped: DRAY_TEST_POSTGRESQL_URL names no server\n");
		skip();
	}
	return url;
}

const char *pg_url_with(const char *options)
{
	static char url[1024];
	const char *base = pg_url();

	if (!*options)
		return base;
	int length =
		snprintf(url, sizeof(url), "%s%c%s", base, strchr(base, '?') ? '&' : '?', options);
	assert_in_range(length, 1, sizeof(url) - 1);
	return url;
}

static void schema_name(char name[64])
{
	assert_in_range(snprintf(name, 64, "dray_driver_%d", (int)getpid()), 1, 63);
}

static enum status connect_to(struct connection **connection, const char *url,
			      const struct db_options *options, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_url parsed;
	enum status status = url_parse(arena, url, &parsed, error);

	if (status == STATUS_OK)
		status = postgresql_driver.open(connection, &parsed, options, error);
	arena_free(arena);
	return status;
}

enum status pg_try(const char *url, const struct db_options *options, struct error *error)
{
	static const struct db_options none = { 0 };
	struct connection *connection = NULL;
	enum status status = connect_to(&connection, url, options ? options : &none, error);

	if (status == STATUS_OK)
		postgresql_driver.close(connection);
	return status;
}

void pg_execute(struct connection *connection, const char *format, ...)
{
	char sql[1024];
	va_list args;

	va_start(args, format);
	int length = vsnprintf(sql, sizeof(sql), format, args);
	va_end(args);
	assert_in_range(length, 1, sizeof(sql) - 1);
	must(postgresql_driver.execute, connection, sql);
}

struct connection *pg_open(const char *options, int64_t call_timeout)
{
	const struct db_options bounds = { .call_timeout = call_timeout };
	struct connection *connection = NULL;
	char name[64];

	schema_name(name);
	must(connect_to, &connection, pg_url_with(options), &bounds);
	pg_execute(connection, "SET search_path TO %s", name);
	return connection;
}

void pg_close(struct connection *connection)
{
	postgresql_driver.close(connection);
}

void pg_schema_make(void)
{
	struct connection *connection = pg_open("", 0);
	char name[64];

	schema_name(name);
	pg_execute(connection,
		   "CREATE SCHEMA %s; CREATE TABLE %s.things (id bigint PRIMARY KEY, name text)",
		   name, name);
	pg_close(connection);
}

void pg_schema_drop(void)
{
	struct connection *connection = pg_open("", 0);
	char name[64];

	schema_name(name);
	pg_execute(connection, "DROP SCHEMA %s CASCADE", name);
	pg_close(connection);
}

int pg_set_up(void **state)
{
	(void)state;
	if (getenv("DRAY_TEST_POSTGRESQL_URL"))
		pg_schema_make();
	return 0;
}

int pg_tear_down(void **state)
{
	(void)state;
	if (getenv("DRAY_TEST_POSTGRESQL_URL"))
		pg_schema_drop();
	return 0;
}

void pg_case(void (*run)(struct connection *connection, struct arena *arena))
{
	struct connection *connection = pg_open("", 0);
	struct arena *arena = arena_new();

	pg_execute(connection, "DELETE FROM things");
	run(connection, arena);
	arena_free(arena);
	pg_close(connection);
}

void pg_script(struct pg_script *script, const char *name, bool read)
{
	*script = (struct pg_script){ .script = { .name = name, .read = read } };
	for (size_t i = 0; i < sizeof(script->order); i++)
		script->order[i] = (unsigned char)i;
	script->script.statements = script->statements;
}

void pg_add(struct pg_script *script, const char *sql, unsigned flags)
{
	struct statement *statement = &script->statements[script->script.statement_count++];
	unsigned count = 0;
	char placeholder[8];

	while (snprintf(placeholder, sizeof(placeholder), "$%u", count + 1) > 0 &&
	       strstr(sql, placeholder))
		count++;
	*statement = (struct statement){ .sql = sql,
					 .order = script->order,
					 .order_count = count,
					 .guard = flags & PG_GUARD,
					 .rows = flags & PG_ROWS,
					 .id = next_id++ };
}

enum status pg_run(struct connection *connection, struct arena *arena, struct pg_script *script,
		   const struct db_value *values, struct db_rows *rows)
{
	struct db_rows own = { 0 };
	struct driver_call call = { .script = &script->script,
				    .values = values,
				    .rows = rows ? rows : &own };

	last_error = (struct error){ 0 };
	enum status status = postgresql_driver.run(connection, arena, &call, 1, &last_error);
	return status == STATUS_OK && call.none ? STATUS_NONE : status;
}

const char *pg_error(void)
{
	return last_error.text;
}

int64_t pg_number(struct connection *connection, const char *sql)
{
	struct arena *arena = arena_new();
	struct pg_script script;
	struct db_rows rows = { 0 };

	pg_script(&script, "number", true);
	pg_add(&script, sql, PG_ROWS);
	if (pg_run(connection, arena, &script, NULL, &rows) != STATUS_OK)
		fail_msg("%s", pg_error());
	assert_int_equal(rows.count, 1);
	int64_t number = db_int(&rows, 0, 0);
	arena_free(arena);
	return number;
}

void pg_await(struct connection *connection, const char *sql, int64_t number)
{
	test_until(pg_number(connection, sql) == number, sql);
}
#else
/* Tests of the driver are left out with it. */
extern int without_postgresql;
#endif
