#include "tests/chaos/world.h"

#include <sys/stat.h>

#include "bench/audit.h"
#include "db/schema/schema.h"
#include "tests/support/database.h"

#define MEGABYTES 400
#define PAUSE     (50 * CLOCK_MILLISECOND) /* the forwarder looks more often */

/* The tables, and a trigger that notes each job that is finished twice. */
static void make_tables(const struct world *world, const char *url)
{
	struct db *db = test_db_open(url);
	size_t applied;

	must(schema_migrate, db, world->arena, &applied);
	must(audit_install, db);
	db_close(db);
}

static void make_user(enum db_dialect dialect, struct db *db)
{
	if (dialect == DB_POSTGRESQL) {
		test_execute(db, "CREATE USER dray");
		test_execute(db, "CREATE DATABASE jobs OWNER dray");
		return;
	}
	test_execute(db, "CREATE DATABASE jobs");
	test_execute(db, "CREATE USER dray");
	test_execute(db, "GRANT ALL ON jobs.* TO dray");
}

static void make_database(struct world *world)
{
	struct server *server = &world->server;

	if (!server->url) {
		assert_int_equal(
			mkdir(arena_printf(world->arena, "%s/storage", server->place), 0700), 0);
		world->url = world->admin_url = world->through = arena_printf(
			world->arena, "sqlite3:%s/storage/dray.sqlite3", server->place);
		make_tables(world, world->url);
		return;
	}
	struct db *db = test_db_open(server->url);
	make_user(db_dialect_of(db), db);
	db_close(db);
	bool postgresql = strcmp(world->backend, "postgresql") == 0;
	world->url = server_url(server, "dray", "jobs");
	world->admin_url = server_url(server, postgresql ? "postgres" : "root", "jobs");
	make_tables(world, postgresql ? world->url : world->admin_url);
	world->through = forwarder_url(&world->forwarder, world->arena, world->url);
}

void world_open(struct world *world, const char *backend)
{
	*world = (struct world){ .backend = backend, .arena = arena_new() };
	server_open(&world->server, world->arena, backend, MEGABYTES);
	make_database(world);
}

void world_close(struct world *world)
{
	if (world->forwarder.pid > 0)
		forwarder_stop(&world->forwarder);
	server_close(&world->server);
	arena_free(world->arena);
}

/* Sessions whose clients were cut off hold locks for a while. */
void world_clear(struct world *world)
{
	server_revive(&world->server);
	if (world->forwarder.pid == 0)
		return;
	forwarder_mode(&world->forwarder, FORWARDER_DROP);
	clock_sleep(PAUSE);
	forwarder_mode(&world->forwarder, FORWARDER_PASS);
}
