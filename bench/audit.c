#include "bench/audit.h"

#include "common/clock.h"
#include "db/driver.h"

static const char *const triggers[DB_DIALECTS] = {
	[DB_SQLITE] = "CREATE TRIGGER finished_twice AFTER UPDATE OF finished_at "
		      "ON solid_queue_jobs WHEN OLD.finished_at IS NOT NULL AND NEW.finished_at "
		      "IS NOT NULL BEGIN INSERT INTO twice (job_id) VALUES (OLD.id); END",
	[DB_POSTGRESQL] =
		"CREATE FUNCTION note_twice() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
		"INSERT INTO twice (job_id) VALUES (OLD.id); RETURN NULL; END $$; "
		"CREATE TRIGGER finished_twice AFTER UPDATE ON solid_queue_jobs FOR EACH ROW WHEN "
		"(OLD.finished_at IS NOT NULL AND NEW.finished_at IS NOT NULL) "
		"EXECUTE FUNCTION note_twice()",
	[DB_MYSQL] = "CREATE TRIGGER finished_twice AFTER UPDATE ON solid_queue_jobs FOR EACH ROW "
		     "INSERT INTO twice (job_id) SELECT OLD.id FROM DUAL "
		     "WHERE OLD.finished_at IS NOT NULL AND NEW.finished_at IS NOT NULL",
};

enum status audit_install(struct db *db, struct error *error)
{
	enum status status = db_execute(db, "CREATE TABLE twice (job_id BIGINT)", error);

	return status == STATUS_OK ? db_execute(db, triggers[db_dialect_of(db)], error) : status;
}

static enum status ask(struct connection *connection, const char *sql, int64_t *number,
		       struct error *error)
{
	struct arena *arena = arena_new();
	unsigned char order = 0;
	struct statement statement = { .sql = sql, .order = &order, .rows = true, .id = 1 };
	const char *const parameters[] = { NULL };
	const struct script script = { .name = "audit",
				       .parameters = parameters,
				       .statements = &statement,
				       .statement_count = 1,
				       .read = true };
	struct db_rows rows = { 0 };
	struct driver_call call = { .script = &script, .rows = &rows };
	enum status status = connection->driver->run(connection, arena, &call, 1, error);

	if (status == STATUS_OK)
		*number = db_int(&rows, 0, 0);
	arena_free(arena);
	return status;
}

enum status audit_count(const char *url, int64_t *count, struct error *error)
{
	return audit_ask(url, "SELECT COUNT(*) FROM twice", count, error);
}

enum status audit_ask(const char *url, const char *sql, int64_t *number, struct error *error)
{
	const struct db_options options = { .connect_timeout = 5 * CLOCK_SECOND,
					    .call_timeout = 30 * CLOCK_SECOND };
	struct arena *arena = arena_new();
	const struct driver *driver = NULL;
	struct connection *connection = NULL;
	struct db_url parsed;
	enum status status = url_parse(arena, url, &parsed, error);

	if (status == STATUS_OK)
		status = driver_find(parsed.scheme, &driver, error);
	if (status == STATUS_OK)
		status = driver->open(&connection, &parsed, &options, error);
	if (status == STATUS_OK)
		status = ask(connection, sql, number, error);
	if (connection)
		driver->close(connection);
	arena_free(arena);
	return status;
}
