/* The processes of a site: what ps shows of them, and signals for all. */
#include <ctype.h>
#include <dirent.h>

#include "db/driver.h"
#include "tests/support/sites/site.h"

struct title {
	const struct site *site;
	const char *path;
	const char *expected;
};

static bool has_title(void *data)
{
	const struct title *title = data;

	return strcmp(site_read(title->site, title->path), title->expected) == 0;
}

void site_await_title(struct site *site, pid_t pid, const char *expected)
{
	struct title title = { site, arena_printf(site->arena, "/proc/%d/cmdline", (int)pid),
			       expected };

	site_until(site, has_title, &title, expected);
}

static bool is_of_site(const struct site *site, const char *pid)
{
	char path[64];
	char target[256];

	if (!isdigit((unsigned char)pid[0]))
		return false;
	(void)snprintf(path, sizeof(path), "/proc/%.20s/cwd", pid);
	ssize_t length = readlink(path, target, sizeof(target) - 1);
	target[length > 0 ? length : 0] = '\0';
	return strcmp(target, site->directory) == 0;
}

size_t site_signal(const struct site *site, int signal)
{
	DIR *directory = opendir("/proc");
	size_t count = 0;

	assert_non_null(directory);
	for (const struct dirent *entry; (entry = readdir(directory));) {
		if (!is_of_site(site, entry->d_name))
			continue;
		count++;
		(void)kill((pid_t)strtol(entry->d_name, NULL, 10), signal);
	}
	closedir(directory);
	return count;
}

static bool has_stopped(pid_t pid)
{
	char state;
	pid_t parent;

	return !test_read_stat(pid, &state, &parent) || state == 'T' || state == 'Z';
}

struct freeze {
	struct site *site;
	pid_t pid; /* 0 = all */
};

static bool have_stopped(void *data)
{
	const struct freeze *freeze = data;
	bool stopped = true;

	if (freeze->pid > 0)
		return has_stopped(freeze->pid);
	DIR *directory = opendir("/proc");
	assert_non_null(directory);
	for (const struct dirent *entry; (entry = readdir(directory));)
		stopped &= !is_of_site(freeze->site, entry->d_name) ||
			   has_stopped((pid_t)strtol(entry->d_name, NULL, 10));
	closedir(directory);
	return stopped;
}

static bool has_file(void *data)
{
	const struct freeze *freeze = data;
	struct error error;

	return db_execute(freeze->site->db, "BEGIN IMMEDIATE", &error) == STATUS_OK;
}

void site_freeze(struct site *site, pid_t pid)
{
	struct freeze freeze = { site, pid };
	bool sqlite = strcmp(site->test->backend, "sqlite") == 0;

	if (sqlite)
		site_until(site, has_file, &freeze, "nobody writing");
	if (pid > 0)
		assert_int_equal(kill(pid, SIGSTOP), 0);
	else
		(void)site_signal(site, SIGSTOP);
	site_until(site, have_stopped, &freeze, "the stop");
	if (sqlite)
		test_execute(site->db, "ROLLBACK");
}

static bool is_silent(void *data)
{
	const struct freeze *freeze = data;
	const struct site *site = freeze->site;
	struct error error;
	const char *sql = arena_printf(site->arena,
				       "UPDATE solid_queue_processes SET last_heartbeat_at = "
				       "'2026-01-01 00:00:00' WHERE %d IN (0, pid)",
				       freeze->pid);

	return db_execute(site->db, sql, &error) == STATUS_OK;
}

void site_silence(struct site *site, pid_t pid)
{
	struct freeze freeze = { site, pid };

	/* Its row may be locked until the server ends the session of one that is frozen. */
	site_until(site, is_silent, &freeze, "the silence");
}

size_t site_processes(const struct site *site)
{
	return site_signal(site, 0);
}

void site_kill(const struct site *site)
{
	while (site_signal(site, SIGKILL) > 0)
		clock_sleep(CLOCK_MILLISECOND);
}

static bool no_processes(void *data)
{
	return site_processes(data) == 0;
}

void site_await_no_processes(struct site *site)
{
	site_until(site, no_processes, site, "the end of all processes");
}
