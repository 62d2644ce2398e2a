#include "tests/support/query.h"

#include "common/text/text.h"
#include "db/driver.h"
#include "tests/support/database.h"

struct connection *test_driver_open(struct arena *arena, const char *url)
{
	const struct db_options options = { .connect_timeout = 5 * CLOCK_SECOND,
					    .call_timeout = 60 * CLOCK_SECOND };
	const struct driver *driver = NULL;
	struct connection *connection = NULL;
	struct db_url parsed;
	struct error error = { 0 };

	assert_ok(url_parse(arena, url, &parsed, &error), &error);
	assert_ok(driver_find(parsed.scheme, &driver, &error), &error);
	assert_ok(driver->open(&connection, &parsed, &options, &error), &error);
	return connection;
}

struct db_rows test_query_on(struct connection *connection, struct arena *arena, const char *sql)
{
	static unsigned last; /* a connection keeps the statement of each number */
	unsigned char order = 0;
	struct statement statement = { .sql = sql, .order = &order, .rows = true, .id = ++last };
	const char *const parameters[] = { NULL };
	const struct script script = { .name = "test",
				       .parameters = parameters,
				       .statements = &statement,
				       .statement_count = 1,
				       .read = true };
	struct db_rows rows = { 0 };
	struct driver_call call = { .script = &script, .rows = &rows };
	struct error error = { 0 };
	enum status status = connection->driver->run(connection, arena, &call, 1, &error);

	if (status != STATUS_OK)
		print_error("%s\n", sql);
	assert_ok(status, &error);
	return rows;
}

struct db_rows test_query(struct arena *arena, const char *url, const char *sql)
{
	struct connection *connection = test_driver_open(arena, url);
	const struct db_rows rows = test_query_on(connection, arena, sql);

	connection->driver->close(connection);
	return rows;
}

const char *test_text_on(struct connection *connection, struct arena *arena, const char *sql)
{
	const struct db_rows rows = test_query_on(connection, arena, sql);
	struct text text = { 0 };

	for (size_t i = 0; i < rows.count * rows.columns; i++) {
		text_add(&text, rows.cells[i] ? rows.cells[i] : "NULL");
		text_add(&text, (i + 1) % rows.columns == 0 ? "\n" : " ");
	}
	const char *result = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return result;
}

const char *test_query_text(struct arena *arena, const char *url, const char *sql)
{
	struct connection *connection = test_driver_open(arena, url);
	const char *text = test_text_on(connection, arena, sql);

	connection->driver->close(connection);
	return text;
}

int64_t test_query_int(const char *url, const char *sql)
{
	struct arena *arena = arena_new();
	struct db_rows rows = test_query(arena, url, sql);

	if (rows.count == 0)
		fail_msg("no row: %s", sql);
	int64_t number = db_int(&rows, 0, 0);
	arena_free(arena);
	return number;
}

void sql_execute(struct db *db, const char *format, ...)
{
	struct arena *arena = arena_new();
	va_list args;

	va_start(args, format);
	test_execute(db, arena_vprintf(arena, format, args));
	va_end(args);
	arena_free(arena);
}

int64_t sql_number(const struct test_db *test, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int64_t number = test_query_int(test->url, arena_vprintf(test->arena, format, args));
	va_end(args);
	return number;
}

const char *sql_text(const struct test_db *test, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const char *sql = arena_vprintf(test->arena, format, args);
	va_end(args);
	return test_query_text(test->arena, test->url, sql);
}
