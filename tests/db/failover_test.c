/* A connection that meets another server than the one before says so. */
#include <fcntl.h>

#include "db/driver.h"
#include "db/operations.h"
#include "tests/support/database.h"
#include "tests/support/servers/server.h"

static void touch(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	assert_true(fd >= 0);
	close(fd);
}

static void run(const struct server *server, const char *sql)
{
	struct db *db = test_db_open(server->url);

	test_execute(db, sql);
	db_close(db);
}

/* The same data at the same address, as a server that calls itself another. */
static void become_another(struct server *server)
{
	static const char *const numbered[] = { "--server-id=77", NULL };
	bool promoted = strcmp(server->backend, "postgresql") == 0;

	server_stop(server);
	if (promoted)
		touch(arena_printf(server->arena, "%s/data/standby.signal", server->place));
	else if (strcmp(server->backend, "mysql") == 0)
		assert_int_equal(
			unlink(arena_printf(server->arena, "%s/data/auto.cnf", server->place)), 0);
	server_launch(server, strcmp(server->backend, "mariadb") == 0 ? numbered : NULL);
	server_await(server);
	if (promoted)
		run(server, "SELECT pg_promote()");
}

static enum status ask(struct db *db, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows;
	enum status status = db_query(db, arena, DB_PLAIN(clock), &rows, error);

	arena_free(arena);
	return status;
}

static void try_server(const char *backend)
{
	struct arena *arena = arena_new();
	struct server server;

	print_message("%s\n", backend);
	server_open(&server, arena, backend, 0);
	struct db *wary = test_db_open(server.url);
	struct db *careless = test_db_open(server.url);
	db_be_wary(wary);
	server_stop(&server);
	server_start(&server);
	must(ask, wary);
	assert_int_equal(db_servers_met(wary), 0);

	become_another(&server);
	must_say("db.another_server", STATUS_DOWN, ask, wary);
	assert_int_equal(db_servers_met(wary), 1);
	must(ask, wary);
	must(ask, careless);
	assert_int_equal(db_servers_met(careless), 1);
	assert_int_equal(db_servers_met(wary), 1);
	db_close(careless);
	db_close(wary);
	server_close(&server);
	arena_free(arena);
}

CASE(another_server_is_told_of)
{
	struct arena *arena = arena_new();
	size_t count;
	const char *const *backends = test_backends(arena, &count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(backends[i], "sqlite") != 0)
			try_server(backends[i]);
	arena_free(arena);
}
