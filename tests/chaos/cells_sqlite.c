/* What can happen to a file. */
#include "tests/chaos/cells.h"

#define LOCKED (3 * CLOCK_SECOND) /* more than a call waits for a lock */
#define GONE   (1500 * CLOCK_MILLISECOND)

void cell_file_locked(struct field *field)
{
	field_execute(field, "BEGIN EXCLUSIVE");
	clock_sleep(LOCKED);
	field_execute(field, "ROLLBACK");
}

/* With its directory, and so in one step with what belongs to it. */
void cell_file_gone(struct field *field)
{
	const char *here = arena_printf(field->arena, "%s/storage", field->server->place);
	const char *away = arena_printf(field->arena, "%s/away", field->server->place);

	assert_int_equal(rename(here, away), 0);
	clock_sleep(GONE);
	assert_int_equal(rename(away, here), 0);
}

#define NOBODY 65534 /* as which the deployment runs: root writes what it likes */

static const char *const parts[] = { "dray.sqlite3", "dray.sqlite3-wal", "dray.sqlite3-shm" };

static const char *path_of(const struct field *field, size_t part)
{
	return arena_printf(field->arena, "%s/storage/%s", field->server->place, parts[part]);
}

const char *cell_file_read_only_missing(const struct field *field)
{
	const char *test =
		arena_printf(field->arena,
			     "setpriv --reuid=%d --regid=%d --clear-groups test -x %s -a "
			     "-x %s -a -r %s",
			     NOBODY, NOBODY, getenv("DRAY_BINARY"), EFFECT_COMMAND, EFFECT_MODULE);

	if (geteuid() != 0)
		return "only root can run a deployment as somebody else";
	return system(test) == 0 ? NULL : "nobody may read the program";
}

static void own(const char *path, uid_t user)
{
	if (access(path, F_OK) == 0)
		assert_int_equal(chown(path, user, user), 0);
}

void cell_file_read_only_start(struct field *field)
{
	struct site *site = field->site;
	const char *user = arena_printf(field->arena, "%d", NOBODY);

	own(site->directory, NOBODY);
	own(site_path(site, "config"), NOBODY);
	own(site_path(site, "config/queue.yml"), NOBODY);
	own(site_path(site, "config/jobs.yml"), NOBODY);
	own(arena_printf(field->arena, "%s/storage", field->server->place), NOBODY);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		own(path_of(field, i), NOBODY);
	site->start = site_spawn(site, "/usr/bin/setpriv",
				 (const char *[]){ "--reuid", user, "--regid", user,
						   "--clear-groups", "--pdeathsig", "KILL",
						   getenv("DRAY_BINARY"), "start", NULL });
	site_await_rows(site, NULL, FIELD_PROCESSES);
}

static void set_mode(const struct field *field, mode_t mode)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		(void)chmod(path_of(field, i), mode);
}

/* Processes that have the file open may still write; those that open it now may not. */
void cell_file_read_only(struct field *field)
{
	set_mode(field, 0444);
	(void)field_signal(field, "Worker", SIGKILL, 0);
	clock_sleep(LOCKED / 2);
	set_mode(field, 0644);
}
