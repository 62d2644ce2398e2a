/* The database server stops, crashes, refuses, is full. */
#include "db/driver.h"
#include "tests/chaos/cells.h"

#define SPELL     CLOCK_SECOND /* how long something lasts */
#define ROUNDS    8
#define MOST_HOGS 64
#define MEBIBYTE  (1 << 20)
#define BETWEEN   (150 * CLOCK_MILLISECOND)

static bool is_postgresql(const struct field *field)
{
	return strcmp(field->backend, "postgresql") == 0;
}

void cell_nothing(struct field *field)
{
	(void)field;
	clock_sleep(SPELL);
}

void cell_server_restarted(struct field *field)
{
	server_stop(field->server);
	clock_sleep(SPELL);
	server_start(field->server);
}

void cell_server_crashed(struct field *field)
{
	server_crash(field->server);
	clock_sleep(SPELL);
	server_start(field->server);
}

/* How many there were. */
static size_t end_connections(struct field *field)
{
	static const char *const lists[] = {
		"SELECT CONCAT('SELECT pg_terminate_backend(', pid, ')') FROM pg_stat_activity "
		"WHERE usename = 'dray'",
		"SELECT CONCAT('KILL ', id) FROM " TEST_SESSIONS " "
		"WHERE user = 'dray'"
	};
	struct error error;
	struct db_rows rows =
		test_query(field->arena, field->server->url, lists[is_postgresql(field) ? 0 : 1]);

	size_t ended = 0;
	for (size_t i = 0; i < rows.count; i++) /* some have gone by themselves */
		ended += db_execute(field->admin, db_text(&rows, i, 0), &error) == STATUS_OK;
	return ended;
}

void cell_connections_ended(struct field *field)
{
	size_t ended = 0;

	for (int round = 0; round < ROUNDS; round++) {
		ended += end_connections(field);
		clock_sleep(BETWEEN);
	}
	assert_true(ended >= ROUNDS);
}

/* A connection that MySQL does not close for its silence while the others are opened. */
static bool open_hog(const struct field *field, struct db **hog)
{
	struct error error;

	if (db_open(hog, field->url, NULL, &error) != STATUS_OK)
		return false;
	if (!is_postgresql(field))
		test_execute(*hog, "SET SESSION wait_timeout = 3600");
	return true;
}

/* While nobody gets through, all places are taken; then one gets through and finds none. */
void cell_connections_exhausted(struct field *field)
{
	struct db *hogs[MOST_HOGS] = { 0 };
	size_t count = 0;

	forwarder_mode(field->forwarder, FORWARDER_DROP);
	while (count < MOST_HOGS && open_hog(field, &hogs[count]))
		count++;
	assert_in_range(count, 1, MOST_HOGS - 1);
	forwarder_mode(field->forwarder, FORWARDER_PASS);
	clock_sleep(SPELL);
	for (size_t i = 0; i < count; i++)
		db_close(hogs[i]);
}

void cell_read_only(struct field *field)
{
	bool postgresql = is_postgresql(field);
	const char *on = strcmp(field->backend, "mysql") == 0 ? "SET GLOBAL super_read_only = 1"
							      : "SET GLOBAL read_only = 1";

	field_execute(field,
		      postgresql ? "ALTER SYSTEM SET default_transaction_read_only = on" : on);
	if (postgresql)
		field_execute(field, "SELECT pg_reload_conf()");
	clock_sleep(SPELL);
	field_execute(field, postgresql ? "ALTER SYSTEM RESET default_transaction_read_only"
					: "SET GLOBAL read_only = 0");
	if (postgresql)
		field_execute(field, "SELECT pg_reload_conf()");
}

/* Until not one more byte has room. */
static void fill(const char *path)
{
	static const char bytes[MEBIBYTE];
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	for (size_t size = sizeof(bytes); size > 0; size /= 2)
		while (write(fd, bytes, size) > 0)
			;
	close(fd);
}

const char *cell_disk_missing(const struct field *field)
{
	return field->server->limited ? NULL : "no small file system can be mounted";
}

/* Some servers end when they cannot write; what looks after them starts them again. */
void cell_disk_full(struct field *field)
{
	const char *ballast = arena_printf(field->arena, "%s/ballast", field->server->place);

	for (int round = 0; round < ROUNDS && field_logged(field, "away") == 0; round++) {
		fill(ballast); /* also what has been freed meanwhile */
		clock_sleep(SPELL / 2);
	}
	clock_sleep(SPELL);
	assert_int_equal(unlink(ballast), 0);
	server_revive(field->server);
}
