#include "worker/exec/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CLOSE_AT_MOST 65536
#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4U /* Linux 5.11 */
#endif

static const char *const step_texts[] = {
	[SPAWN_SETUP] = "could not be prepared",
	[SPAWN_DIRECTORY] = "could not enter its working directory",
	[SPAWN_LIMITS] = "could not be given its limits",
	[SPAWN_NICE] = "could not be given its priority (nice)",
	[SPAWN_EXEC] = "could not be started",
};

const char *spawn_step_text(enum spawn_step step)
{
	return step_texts[step];
}

/* Our handlers must not run in the child, and the program must not inherit ignored signals. */
static void reset_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		(void)sigaction(number, &action, NULL);
	(void)sigemptyset(&none);
	(void)pthread_sigmask(SIG_SETMASK, &none, NULL);
}

/* The program must not see descriptors of ours, even if a library forgot close-on-exec. */
static void hide_descriptors(void)
{
	struct rlimit limit = { .rlim_cur = CLOSE_AT_MOST };

#ifdef SYS_close_range
	if (syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
		return;
#endif
	(void)getrlimit(RLIMIT_NOFILE, &limit);
	for (int fd = 3; fd < CLOSE_AT_MOST && (rlim_t)fd < limit.rlim_cur; fd++)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* A limit above what we may set is cut to the hard limit: stricter, never laxer. */
static int cap(int resource, int64_t value)
{
	struct rlimit current;

	if (value < 0)
		return 0;
	if (getrlimit((__rlimit_resource_t)resource, &current) != 0)
		return -1;
	if (current.rlim_max == RLIM_INFINITY || (rlim_t)value < current.rlim_max)
		current.rlim_max = (rlim_t)value;
	current.rlim_cur = current.rlim_max;
	return setrlimit((__rlimit_resource_t)resource, &current);
}

static int restore_files(rlim_t soft)
{
	struct rlimit current;

	if (getrlimit(RLIMIT_NOFILE, &current) != 0)
		return -1;
	current.rlim_cur = soft < current.rlim_max ? soft : current.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &current);
}

/*
 * The address space comes last: the steps before may need some, and users should not have to care
 * about the order.
 */
static int set_limits(const struct spawn *spawn)
{
	const struct config_limits *limits = spawn->limits;

	if (limits->files < 0 ? restore_files(spawn->files) != 0
			      : cap(RLIMIT_NOFILE, limits->files) != 0)
		return -1;
	if (cap(RLIMIT_CPU, limits->cpu) != 0 || cap(RLIMIT_NPROC, limits->processes) != 0)
		return -1;
	if (cap(RLIMIT_FSIZE, limits->file_size) != 0 || cap(RLIMIT_CORE, limits->core) != 0)
		return -1;
	return cap(RLIMIT_AS, limits->memory);
}

static int take_standard(const struct spawn *spawn)
{
	for (int fd = 0; fd < 3; fd++) {
		const int given = spawn->standard[fd];
		if (dup2(given >= 0 ? given : spawn->null, fd) < 0)
			return -1;
	}
	return 0;
}

static int set_nice(const struct spawn *spawn)
{
	return spawn->nice == 0 ? 0 : setpriority(PRIO_PROCESS, 0, spawn->nice);
}

static int set_directory(const struct spawn *spawn)
{
	return !spawn->directory ? 0 : chdir(spawn->directory);
}

/* execve takes char *const[] for historical reasons and changes nothing. */
static char *const *mutable(const char *const *texts)
{
	const union {
		const char *const *given;
		char *const *wanted;
	} same = { .given = texts };

	return same.wanted;
}

static int start(const struct spawn *spawn)
{
	return execve(spawn->program, mutable(spawn->argv), mutable(spawn->environment));
}

typedef int step_function(const struct spawn *spawn);

static step_function *const steps[] = {
	[SPAWN_SETUP] = take_standard, [SPAWN_DIRECTORY] = set_directory,
	[SPAWN_LIMITS] = set_limits,   [SPAWN_NICE] = set_nice,
	[SPAWN_EXEC] = start,
};

static void __attribute__((noreturn)) child(const struct spawn *spawn, pid_t parent)
{
	struct spawn_report report = { .step = SPAWN_SETUP };

	reset_signals();
	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* died before the line above took effect */
		_exit(1);
	if (spawn->cgroup >= 0) /* if that fails, it is stopped as where there are none */
		(void)!write(spawn->cgroup, "0", 1);
	hide_descriptors();
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (steps[i](spawn) != 0) {
			report.step = (enum spawn_step)i;
			report.code = errno;
			break;
		}
	(void)!write(spawn->report, &report, sizeof(report));
	_exit(127);
}

pid_t spawn(const struct spawn *spawn)
{
	sigset_t all;
	sigset_t before;
	pid_t parent = getpid();
	pid_t pid;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	pid = fork();
	if (pid == 0)
		child(spawn, parent);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (pid > 0)
		(void)setpgid(
			pid,
			pid); /* parent and child both set it; when one has, the group exists */
	return pid;
}

void spawn_signal(pid_t child, int signal)
{
	(void)kill(-child, signal);
	if (getpgid(child) != child)
		(void)kill(child, signal);
}

void spawn_close(const struct spawn *spawn)
{
	const int all[] = { spawn->standard[0], spawn->standard[1], spawn->standard[2],
			    spawn->report, spawn->cgroup };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i] >= 0)
			(void)close(all[i]);
}

rlim_t spawn_raise_files(rlim_t wanted)
{
	struct rlimit limit;
	rlim_t before;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return wanted;
	before = limit.rlim_cur;
	if (before < wanted) {
		limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &limit);
	}
	return before;
}
