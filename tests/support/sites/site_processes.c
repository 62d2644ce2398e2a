/* The processes of a site: what ps shows of them, and signals for all. */
#include <ctype.h>
#include <dirent.h>

#include "db/driver.h"
#include "tests/support/sites/site.h"

void site_await_title(struct site *site, pid_t pid, const char *expected)
{
	const char *path = arena_printf(site->arena, "/proc/%d/cmdline", (int)pid);

	site_until(site, strcmp(site_read(site, path), expected) == 0, expected);
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

/* Is there a process of the site that has this parent and has stopped? */
static bool has_stopped_child(const struct site *site, pid_t pid)
{
	bool found = false;
	char state;
	pid_t parent;
	DIR *directory = opendir("/proc");

	assert_non_null(directory);
	for (const struct dirent *entry; (entry = readdir(directory));)
		found |= is_of_site(site, entry->d_name) &&
			 test_read_stat((pid_t)strtol(entry->d_name, NULL, 10), &state, &parent) &&
			 parent == pid && state == 'T';
	closedir(directory);
	return found;
}

/*
 * One that has begun a child with vfork(2) sleeps, and cannot stop, until the child has called
 * exec, which it does not when it has stopped before.
 */
static bool has_stopped(const struct site *site, pid_t pid)
{
	char state;
	pid_t parent;

	return !test_read_stat(pid, &state, &parent) || state == 'T' || state == 'Z' ||
	       (state == 'D' && has_stopped_child(site, pid));
}

static bool have_stopped(const struct site *site, pid_t pid)
{
	bool stopped = true;

	if (pid > 0)
		return has_stopped(site, pid);
	DIR *directory = opendir("/proc");
	assert_non_null(directory);
	for (const struct dirent *entry; (entry = readdir(directory));)
		stopped &= !is_of_site(site, entry->d_name) ||
			   has_stopped(site, (pid_t)strtol(entry->d_name, NULL, 10));
	closedir(directory);
	return stopped;
}

void site_freeze(struct site *site, pid_t pid)
{
	bool sqlite = strcmp(site->test->backend, "sqlite") == 0;
	struct error error;

	if (sqlite)
		site_until(site, db_execute(site->db, "BEGIN IMMEDIATE", &error) == STATUS_OK,
			   "nobody writing");
	if (pid > 0)
		assert_int_equal(kill(pid, SIGSTOP), 0);
	else
		(void)site_signal(site, SIGSTOP);
	site_until(site, have_stopped(site, pid), "the stop");
	if (sqlite)
		test_execute(site->db, "ROLLBACK");
}

void site_silence(struct site *site, pid_t pid)
{
	const char *sql = arena_printf(site->arena,
				       "UPDATE solid_queue_processes SET last_heartbeat_at = "
				       "'2026-01-01 00:00:00' WHERE %d IN (0, pid)",
				       pid);
	struct error error;

	/* Its row may be locked until the server ends the session of one that is frozen. */
	site_until(site, db_execute(site->db, sql, &error) == STATUS_OK, "the silence");
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

void site_await_no_processes(struct site *site)
{
	site_until(site, site_processes(site) == 0, "the end of all processes");
}
