#include "tests/support/servers/mysql_session.h"

#include "tests/support/wait.h"

static const char *const variables[] = {
	[TEST_MYSQL] = "DRAY_TEST_MYSQL_URL",
	[TEST_MARIADB] = "DRAY_TEST_MARIADB_URL",
};

#define NOTHING_RAN 77

enum mysql_server here_server;
struct mysql_session here;
static const char *here_reset;

static _Atomic unsigned next_statement; /* ids are unique in a process */

struct db_url mysql_server_url(struct arena *arena, enum mysql_server server)
{
	struct db_url url;

	must(url_parse, arena, getenv(variables[server]), &url);
	return url;
}

static const char *database_name(struct arena *arena)
{
	return arena_printf(arena, "dray_mysql_test_%d", (int)getpid());
}

static const char *either(const char *given, const char *otherwise)
{
	return given ? given : otherwise ? otherwise : "";
}

const char *mysql_url(struct arena *arena, enum mysql_server server,
		      const struct mysql_target *target)
{
	static const struct mysql_target same = { 0 };
	struct db_url url = mysql_server_url(arena, server);
	const char *database = database_name(arena);

	if (!target)
		target = &same;
	return arena_printf(arena, "mysql://%s:%s@%s:%d/%s?%s", either(target->user, url.user),
			    target->user ? either(target->password, "") : either(url.password, ""),
			    either(target->host, url.host), target->port ? target->port : url.port,
			    either(target->database, database), either(target->options, ""));
}

enum status mysql_session_try(struct mysql_session *session, const char *url,
			      const struct db_options *options, struct error *error)
{
	struct db_options given = options ? *options : (struct db_options){ 0 };
	struct db_url parsed;

	if (given.call_timeout == 0)
		given.call_timeout = 30 * CLOCK_SECOND;
	if (given.connect_timeout == 0)
		given.connect_timeout = 10 * CLOCK_SECOND;
	*session = (struct mysql_session){ .arena = arena_new() };
	enum status status = url_parse(session->arena, url, &parsed, error);
	if (status == STATUS_OK)
		status = mysql_driver.open(&session->connection, &parsed, &given, error);
	if (status != STATUS_OK) {
		session->connection = NULL;
		mysql_session_close(session);
	}
	return status;
}

static struct mysql_session open_url(const char *url, int64_t call_timeout)
{
	struct db_options options = { .call_timeout = call_timeout };
	struct mysql_session session;

	must(mysql_session_try, &session, url, &options);
	session.id = strtoll(mysql_session_cell(&session, "SELECT CONNECTION_ID()"), NULL, 10);
	return session;
}

struct mysql_session mysql_session_open(enum mysql_server server, int64_t call_timeout)
{
	struct arena *arena = arena_new();
	struct mysql_session session = open_url(mysql_url(arena, server, NULL), call_timeout);

	arena_free(arena);
	return session;
}

void mysql_session_close(struct mysql_session *session)
{
	if (session->connection)
		mysql_driver.close(session->connection);
	arena_free(session->arena);
	*session = (struct mysql_session){ 0 };
}

static void make_statement(struct arena *arena, const struct test_sql *sql,
			   struct statement *statement)
{
	unsigned count = 0;

	for (const char *c = sql->text; *c != '\0'; c++)
		count += *c == '?';
	*statement = (struct statement){ .sql = sql->text,
					 .order = arena_array(arena, count, 1),
					 .order_count = count,
					 .guard = sql->guard,
					 .rows = sql->rows,
					 .id = next_statement++ };
	for (unsigned i = 0; i < count; i++)
		statement->order[i] = (unsigned char)i;
}

static const struct script *make_script(struct arena *arena, const struct test_sql *sql, bool read)
{
	struct script *script = arena_alloc(arena, sizeof(*script));
	unsigned count = 0;

	while (sql[count].text)
		count++;
	script->name = "test_script";
	script->read = read;
	script->statements = arena_array(arena, count, sizeof(*script->statements));
	script->statement_count = count;
	for (unsigned i = 0; i < count; i++)
		make_statement(arena, &sql[i], &script->statements[i]);
	return script;
}

enum status mysql_session_script(struct mysql_session *session, const struct test_sql *sql,
				 const struct db_value *values, struct driver_call *call,
				 struct error *error)
{
	*call = (struct driver_call){
		.script = make_script(session->arena, sql, false),
		.values = values,
		.rows = arena_alloc(session->arena, sizeof(struct db_rows)),
	};
	return mysql_driver.run(session->connection, session->arena, call, 1, error);
}

enum status mysql_session_query(struct mysql_session *session, const char *sql,
				const struct db_value *values, struct db_rows *rows,
				struct error *error)
{
	const struct test_sql statements[] = { { .text = sql, .rows = true }, { 0 } };
	struct driver_call call = { .script = make_script(session->arena, statements, true),
				    .values = values,
				    .rows = rows };

	*rows = (struct db_rows){ 0 };
	return mysql_driver.run(session->connection, session->arena, &call, 1, error);
}

const char *mysql_session_cell(struct mysql_session *session, const char *sql)
{
	struct db_rows rows;

	must(mysql_session_query, session, sql, NULL, &rows);
	return rows.count > 0 && rows.cells[0] ? rows.cells[0] : "(none)";
}

void assert_cell(const char *sql, const char *expected)
{
	const char *cell = mysql_session_cell(&here, sql);

	if (strcmp(cell, expected) != 0)
		fail_msg("%s: '%s', expected '%s'", sql, cell, expected);
}

void mysql_session_execute(struct mysql_session *session, const char *sql)
{
	must(mysql_driver.execute, session->connection, sql);
}

void mysql_session_await(struct mysql_session *session, const char *sql)
{
	test_until(strcmp(mysql_session_cell(session, sql), "1") == 0, sql);
}

static void administer(enum mysql_server server, const char *verb)
{
	struct arena *arena = arena_new();
	const struct mysql_target target = { .database = mysql_server_url(arena, server).path };
	struct mysql_session session = open_url(mysql_url(arena, server, &target), 0);

	mysql_session_execute(&session, arena_printf(arena, "%s %s", verb, database_name(arena)));
	mysql_session_close(&session);
	arena_free(arena);
}

int mysql_test_open(void **state)
{
	(void)state;
	here = mysql_session_open(here_server, 0);
	mysql_session_execute(&here, here_reset);
	return 0;
}

int mysql_test_close(void **state)
{
	(void)state;
	mysql_session_close(&here);
	return 0;
}

void mysql_begin(const char *schema, const char *reset)
{
	const char *backend = getenv("DRAY_TEST_BACKEND"); /* as tests/support/database.h tells */

	here_server = backend && strcmp(backend, "mariadb") == 0 ? TEST_MARIADB : TEST_MYSQL;
	if (!getenv(variables[here_server])) {
		print_message("%s is not set: nothing is tested there\n", variables[here_server]);
		exit(NOTHING_RAN); /* NOLINT(concurrency-mt-unsafe): there is one thread */
	}
	here_reset = reset;
	administer(here_server, "CREATE DATABASE");
	here = mysql_session_open(here_server, 0);
	mysql_session_execute(&here, schema);
	mysql_session_close(&here);
}

int mysql_end(void **state)
{
	(void)state;
	administer(here_server, "DROP DATABASE");
	return 0;
}
