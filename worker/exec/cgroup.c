#include "worker/exec/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "common/error.h"
#include "common/process.h"

#define NAME      "dray-%d-%zu" /* the worker's process, a number */
#define NAME_SIZE 48
#define TRIES     64  /* names that a worker with our number has left */
#define LEFT_MOST 256 /* that are tried to be removed again */
#define LIST_MOST ((size_t)64 * 1024)

struct cgroup {
	struct cgroup *next;
	bool taken;
	char name[NAME_SIZE];
};

/* NULL = this system has none of version 2. */
static char *read_path(void)
{
	char *list = NULL;
	char *path = NULL;
	char *rest = NULL;
	size_t length;

	if (file_read("/proc/self/cgroup", LIST_MOST, &list, &length, NULL) != STATUS_OK)
		return NULL;
	for (char *line = strtok_r(list, "\n", &rest); line && !path;
	     line = strtok_r(NULL, "\n", &rest))
		if (strncmp(line, "0::/", 4) == 0)
			path = strdup(line + 3);
	free(list);
	return path;
}

/* Beside version 1 systemd has it in a folder of its own. */
static int open_own(void)
{
	static const char *const roots[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	char *path = read_path();
	int own = -1;

	for (size_t i = 0; path && own < 0 && i < sizeof(roots) / sizeof(roots[0]); i++) {
		struct statfs system;
		char *folder = NULL;
		if (statfs(roots[i], &system) != 0 || system.f_type != CGROUP2_SUPER_MAGIC ||
		    asprintf(&folder, "%s%s", roots[i], path) < 0)
			continue;
		own = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		free(folder);
	}
	free(path);
	return own;
}

static bool is_of_the_dead(const char *name)
{
	size_t number;
	int end = 0;
	int pid;

	/* NOLINTNEXTLINE(cert-err34-c): what is no number of a process is nobody's */
	if (sscanf(name, NAME "%n", &pid, &number, &end) != 2 || name[end] != '\0' || pid <= 0)
		return false;
	return pid == getpid() || (kill(pid, 0) != 0 && errno == ESRCH);
}

static void remove_of_the_dead(int own)
{
	const int again = openat(own, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = again < 0 ? NULL : fdopendir(again);

	if (!list && again >= 0)
		(void)close(again);
	if (!list)
		return;
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): the list is ours */
	for (const struct dirent *entry; (entry = readdir(list)) != NULL;)
		if (is_of_the_dead(entry->d_name))
			(void)unlinkat(own, entry->d_name, AT_REMOVEDIR);
	(void)closedir(list);
}

void cgroups_open(struct cgroups *groups)
{
	*groups = (struct cgroups){ .own = open_own() };
	if (groups->own >= 0)
		remove_of_the_dead(groups->own);
}

/* false = something is in it. */
static bool is_removed(const struct cgroups *groups, const struct cgroup *group)
{
	return unlinkat(groups->own, group->name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

/* Of those that are not taken: what can be, and the oldest if there are too many. */
static void remove_left(struct cgroups *groups)
{
	size_t left = 0;

	for (struct cgroup **at = &groups->all; *at;) {
		struct cgroup *group = *at;
		if (group->taken || (!is_removed(groups, group) && ++left <= LEFT_MOST)) {
			at = &group->next;
			continue;
		}
		*at = group->next;
		free(group);
	}
}

void cgroups_close(struct cgroups *groups)
{
	if (groups->own < 0)
		return;
	for (struct cgroup *group = groups->all; group; group = group->next)
		group->taken = false;
	remove_left(groups);
	while (groups->all) {
		struct cgroup *group = groups->all;
		groups->all = group->next;
		free(group);
	}
	(void)close(groups->own);
	groups->own = -1;
}

static int open_in(const struct cgroups *groups, const struct cgroup *group, const char *file,
		   int flags)
{
	char path[NAME_SIZE + 32];

	(void)snprintf(path, sizeof(path), "%s/%s", group->name, file);
	return openat(groups->own, path, flags | O_CLOEXEC);
}

/* To be freed; NULL = it cannot be read. */
static char *read_in(const struct cgroups *groups, const struct cgroup *group, const char *file)
{
	char path[NAME_SIZE + 64];
	char *text = NULL;
	size_t length;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d/%s/%s", groups->own, group->name,
		       file);
	return file_read(path, LIST_MOST, &text, &length, NULL) == STATUS_OK ? text : NULL;
}

/* What may pass does so: then this run has none. */
static bool is_forbidden(int code)
{
	return code == EACCES || code == EPERM || code == EROFS || code == ENOENT;
}

static bool make(struct cgroups *groups, struct cgroup *group)
{
	int made = -1;

	for (int i = 0; made != 0 && i < TRIES; i++) {
		(void)snprintf(group->name, NAME_SIZE, NAME, (int)getpid(), groups->count++);
		made = mkdirat(groups->own, group->name, 0755);
		if (made != 0 && errno != EEXIST)
			break;
	}
	if (made != 0) {
		groups->forbidden = is_forbidden(errno);
		return false;
	}
	/* Linux 5.14 or later has it. Numbers of processes may be others' when they are killed. */
	const int fd = open_in(groups, group, "cgroup.kill", O_WRONLY);
	if (fd < 0) {
		groups->forbidden = is_forbidden(errno);
		(void)unlinkat(groups->own, group->name, AT_REMOVEDIR);
		return false;
	}
	(void)close(fd);
	return true;
}

struct cgroup *cgroup_take(struct cgroups *groups)
{
	if (groups->own < 0 || groups->forbidden)
		return NULL;
	struct cgroup *group = calloc(1, sizeof(*group));
	if (!group)
		return NULL;
	if (!make(groups, group)) {
		free(group);
		return NULL;
	}
	group->taken = true;
	group->next = groups->all;
	groups->all = group;
	return group;
}

void cgroup_give_back(struct cgroups *groups, struct cgroup *group)
{
	if (!group)
		return;
	group->taken = false;
	remove_left(groups);
}

int cgroup_open(const struct cgroups *groups, const struct cgroup *group)
{
	return group ? open_in(groups, group, "cgroup.procs", O_WRONLY) : -1;
}

static bool is_alone(const struct cgroups *groups, const struct cgroup *group, pid_t process)
{
	char *list = read_in(groups, group, "cgroup.procs");
	char *end = NULL;
	const bool alone = list && strtol(list, &end, 10) == process && strcmp(end, "\n") == 0;

	free(list);
	return alone;
}

static bool enter(const struct cgroups *groups, const struct cgroup *group, pid_t process)
{
	const int fd = cgroup_open(groups, group);
	const bool entered = fd >= 0 && dprintf(fd, "%d", (int)process) > 0;

	if (fd >= 0)
		(void)close(fd);
	return entered;
}

struct cgroup *cgroup_renew(struct cgroups *groups, struct cgroup *left, pid_t process)
{
	if (!left || is_alone(groups, left, process))
		return left;
	cgroup_give_back(groups, left); /* it is removed once the process is out of it */
	struct cgroup *group = cgroup_take(groups);
	if (group && !enter(groups, group, process)) {
		cgroup_give_back(groups, group);
		return NULL;
	}
	return group;
}

bool cgroup_kill(const struct cgroups *groups, const struct cgroup *group, pid_t leader,
		 bool *beyond)
{
	char *events = read_in(groups, group, "cgroup.events");
	const bool populated = events && strstr(events, "populated 1");
	char *rest = NULL;

	free(events);
	*beyond = false;
	if (!populated)
		return false;
	char *list = read_in(groups, group, "cgroup.procs");
	for (const char *pid = list ? strtok_r(list, "\n", &rest) : NULL; pid;
	     pid = strtok_r(NULL, "\n", &rest))
		*beyond = *beyond || getpgid((pid_t)strtol(pid, NULL, 10)) != leader;
	free(list);
	const int fd = open_in(groups, group, "cgroup.kill", O_WRONLY);
	if (fd >= 0) {
		(void)!write(fd, "1", 1);
		(void)close(fd);
	}
	return true;
}
