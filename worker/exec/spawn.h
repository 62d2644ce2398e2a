/*
 * Starts a program in a process of its own: it has its own process group and only the descriptors,
 * signals, environment and limits it is given, and dies with this process. Between fork and exec
 * the child calls async-signal-safe functions only, because other threads may hold locks.
 */
#ifndef SPAWN_H
#define SPAWN_H

#include <sys/resource.h>
#include <sys/types.h>

#include "config/config.h"

struct spawn {
	const char *program; /* a path; relative to directory */
	const char *const *argv;
	const char *const *environment;
	const char *directory; /* NULL = ours */
	const struct config_limits *limits;
	int nice;
	rlim_t files;    /* soft limit of descriptors, unless limits has one */
	int cgroup;      /* cgroup.procs of the one that it is to be in; -1 = ours */
	int null;        /* what stands for those of the next that are -1 */
	int standard[3]; /* the child's 0, 1 and 2 */
	int report;      /* where the child writes a spawn_report; close-on-exec */
};

/* What the child could not do; nothing is written when the program was started. */
struct spawn_report {
	enum spawn_step { SPAWN_SETUP, SPAWN_DIRECTORY, SPAWN_LIMITS, SPAWN_NICE, SPAWN_EXEC } step;
	int code; /* errno */
};

/* The child's pid, or -1 with errno. Call from the main thread: the child dies with this thread. */
pid_t spawn(const struct spawn *spawn);

/*
 * Signals what the child, not reaped yet, has around it: its group, and the child itself if it has
 * left that.
 */
void spawn_signal(pid_t child, int signal);

/* Closes here what the child has now: its ends of the pipes, and its cgroup's. */
void spawn_close(const struct spawn *spawn);

/* "could not be started", "could not enter its working directory", ... */
const char *spawn_step_text(enum spawn_step step);

/*
 * Raises our own soft limit of descriptors to `wanted` or the hard limit. Returns the soft limit
 * before, for spawn.files.
 */
rlim_t spawn_raise_files(rlim_t wanted);

#endif
