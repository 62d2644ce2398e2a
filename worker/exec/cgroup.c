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
#define MOST      1024 /* leftovers could fill the system */
#define TRIES     64   /* names that a worker with our number has left */
#define PART_SIZE 4096 /* of cgroup.procs: enough to know what there is */
#define LIST_MOST ((size_t)64 * 1024)

struct cgroup {
	struct cgroup *next;
	int folder;
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
	return kill(pid, 0) != 0 && errno == ESRCH;
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
	*groups = (struct cgroups){ .own = CGROUPS_POSSIBLE ? open_own() : -1 };
	if (groups->own >= 0)
		remove_of_the_dead(groups->own);
}

static void stop_making(struct cgroups *groups)
{
	(void)close(groups->own);
	groups->own = -1;
}

void cgroups_close(struct cgroups *groups)
{
	while (groups->all) {
		struct cgroup *group = groups->all;
		groups->all = group->next;
		(void)close(group->folder);
		if (groups->own >= 0)
			(void)unlinkat(groups->own, group->name, AT_REMOVEDIR);
		free(group);
	}
	if (groups->own >= 0)
		stop_making(groups);
}

/* At most the first part; it ends with a null byte. */
static void read_part(const struct cgroup *group, const char *name, char part[PART_SIZE])
{
	const int fd = openat(group->folder, name, O_RDONLY | O_CLOEXEC);
	ssize_t length = 0;

	if (fd >= 0) {
		length = read(fd, part, PART_SIZE - 1);
		(void)close(fd);
	}
	part[length > 0 ? length : 0] = '\0';
}

static bool is_empty(const struct cgroup *group)
{
	char events[PART_SIZE];

	read_part(group, "cgroup.events", events);
	return strstr(events, "populated 0") != NULL;
}

static bool make_folder(struct cgroups *groups, struct cgroup *group)
{
	for (int i = 0; i < TRIES; i++) {
		(void)snprintf(group->name, NAME_SIZE, NAME, (int)getpid(), groups->count++);
		if (mkdirat(groups->own, group->name, 0755) == 0)
			break;
		if (errno != EEXIST)
			return false;
	}
	group->folder = openat(groups->own, group->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* Linux 5.14 or later has it. Numbers of processes may be others' when they are killed. */
	if (group->folder >= 0 && faccessat(group->folder, "cgroup.kill", W_OK, 0) == 0)
		return true;
	(void)unlinkat(groups->own, group->name, AT_REMOVEDIR);
	if (group->folder >= 0)
		(void)close(group->folder);
	return false;
}

static struct cgroup *make(struct cgroups *groups)
{
	struct cgroup *group = calloc(1, sizeof(*group));

	if (!group)
		return NULL;
	if (!make_folder(groups, group)) {
		stop_making(groups);
		free(group);
		return NULL;
	}
	group->next = groups->all;
	groups->all = group;
	return group;
}

struct cgroup *cgroup_take(struct cgroups *groups)
{
	struct cgroup *group = groups->all;

	while (group && (group->taken || !is_empty(group)))
		group = group->next;
	if (!group && groups->own >= 0 && groups->count < MOST)
		group = make(groups);
	if (group)
		group->taken = true;
	return group;
}

void cgroup_give_back(struct cgroup *group)
{
	if (group)
		group->taken = false;
}

int cgroup_folder(const struct cgroup *group)
{
	return group ? group->folder : -1;
}

bool cgroup_kill(const struct cgroup *group, pid_t leader, bool *beyond)
{
	char list[PART_SIZE];
	char *rest = NULL;

	*beyond = false;
	if (is_empty(group))
		return false;
	read_part(group, "cgroup.procs", list);
	for (const char *pid = strtok_r(list, "\n", &rest); pid; pid = strtok_r(NULL, "\n", &rest))
		*beyond = *beyond || getpgid((pid_t)strtol(pid, NULL, 10)) != leader;
	const int fd = openat(group->folder, "cgroup.kill", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return true;
	(void)!write(fd, "1", 1);
	(void)close(fd);
	return true;
}
