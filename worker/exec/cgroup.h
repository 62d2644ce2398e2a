/*
 * Where a worker may make cgroups, each command and each job host runs in one of its own, so that
 * nothing that it has started can get away when it is stopped, whatever became of its group, parent
 * and environment. It is removed when it is empty: what left the group of a command that ended by
 * itself lives on in it. Main thread only.
 */
#ifndef CGROUP_H
#define CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct cgroup;

struct cgroups {
	int own;        /* folder of the worker's own; -1 = there is none */
	bool forbidden; /* it may not make any */
	struct cgroup *all;
	size_t count; /* names that were used */
};

/* Finds the worker's own, and removes the empty ones of workers that are gone. */
void cgroups_open(struct cgroups *groups);

/* Removes those that are empty, and forgets the others. */
void cgroups_close(struct cgroups *groups);

/* A new one; NULL = none can be had. */
struct cgroup *cgroup_take(struct cgroups *groups);

/* Its process has ended or is in another, and it is removed as soon as it is empty. NULL is
 * allowed. */
void cgroup_give_back(struct cgroups *groups, struct cgroup *group);

/*
 * Its cgroup.procs, to which the child writes; -1 = there is none. The caller closes it.
 * (CLONE_INTO_CGROUP would need no write. But Linux 6.14 and later kill a child that is born in a
 * cgroup, if that and its parent's were not killed equally often by cgroup.kill.)
 */
int cgroup_open(const struct cgroups *groups, const struct cgroup *group);

/*
 * For a process that was in `left` and is to begin something new: the same one if it is alone
 * there, else a new one, in which it is from now on. NULL = it could not get there.
 */
struct cgroup *cgroup_renew(struct cgroups *groups, struct cgroup *left, pid_t process);

/*
 * Kills all that is left in it. false = nothing was. *beyond = some of it was not of the process
 * group `leader`.
 */
bool cgroup_kill(const struct cgroups *groups, const struct cgroup *group, pid_t leader,
		 bool *beyond);

#endif
