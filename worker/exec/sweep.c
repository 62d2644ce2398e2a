#include "worker/exec/sweep.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/process.h"
#include "worker/exec/exec.h"
#include "worker/host/host.h"
#include "worker/state.h"

#define AGAIN        (2 * CLOCK_MILLISECOND) /* until a killed process has vanished, mostly */
#define REAP         CLOCK_SECOND
#define GIVE_UP      (900 * CLOCK_MILLISECOND)  /* the kernel holds one, on a disk */
#define PASSES_LEAST 10                         /* they may be seconds apart */
#define LIST_MOST    ((size_t)4 * 1024 * 1024)  /* of process numbers */
#define ENVIRON_MOST ((size_t)16 * 1024 * 1024) /* above what execve takes */

/* A run that was stopped, and whose own process is gone. */
struct sweep {
	struct sweep *next;
	struct run *run; /* ends with it; NULL = has ended */
	pid_t group;
	struct cgroup *cgroup; /* NULL = it had none of its own */
	char token[CLAIM_TOKEN_SIZE];
	unsigned passes;    /* how many there were */
	int64_t give_up_at; /* clock_monotonic: after the first of them */
	bool found;         /* in this pass */
	bool killed;        /* one that had left the group */
};

void sweeps_open(struct worker *worker)
{
	worker->sweeps.look_at = worker->sweeps.reap_at = CLOCK_NEVER;
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

void sweeps_expect(struct worker *worker)
{
	worker->sweeps.reap_at = clock_earlier(worker->sweeps.reap_at, clock_monotonic() + REAP);
}

void sweep_begin(struct worker *worker, const char token[CLAIM_TOKEN_SIZE], pid_t group,
		 struct cgroup *cgroup, struct run *run)
{
	struct sweep *sweep = calloc(1, sizeof(*sweep));

	if (!sweep)
		out_of_memory();
	sweep->run = run;
	sweep->group = group;
	sweep->cgroup = cgroup;
	memcpy(sweep->token, token, CLAIM_TOKEN_SIZE);
	sweep->next = worker->sweeps.all;
	worker->sweeps.all = sweep;
	worker->sweeps.look_at = 0;
}

void sweep_run(struct run *run, pid_t group, struct cgroup *cgroup)
{
	const struct claim_name name = claim_name(&run->claim);
	char token[CLAIM_TOKEN_SIZE];

	claim_token(&name, token);
	sweep_begin(run->worker, token, group, cgroup, run);
}

/* A command or a job host that is waited for where it was started. */
static bool is_own(const struct worker *worker, pid_t pid)
{
	for (const struct host *host = worker->hosts.all; host; host = host->next)
		if (host->pid == pid)
			return true;
	for (size_t i = 0; i < worker->runs.count; i++) {
		const struct exec *exec = worker->runs.all[i].exec;

		if (exec && exec->pid == pid && exec->pidfd >= 0)
			return true;
	}
	return false;
}

/* Those of the main thread: the kernel gives it the orphans. NONE = it cannot say. */
static enum status read_children(char **list)
{
	size_t length;

	return file_read("/proc/thread-self/children", LIST_MOST, list, &length, NULL);
}

/* 0 = there is no other. */
static pid_t next_child(char **at)
{
	char *end;
	const pid_t pid = (pid_t)strtol(*at, &end, 10);

	if (end == *at)
		return 0;
	*at = end;
	return pid;
}

/*
 * What a function has started is of our own group, and a child of the main thread as soon as the
 * thread that started it has ended. The function may still wait for it.
 */
static bool may_be_awaited(pid_t pid)
{
	return getpgid(pid) == getpgrp();
}

/* Children of threads that live are not in the list. */
static int64_t reap(const struct worker *worker)
{
	char *list = NULL;
	bool some = false;
	const enum status status = read_children(&list);

	if (status != STATUS_OK)
		return status == STATUS_NONE ? CLOCK_NEVER : clock_monotonic() + REAP;
	for (char *at = list; *at != '\0';) {
		const pid_t pid = next_child(&at);

		if (pid == 0)
			break;
		if (is_own(worker, pid) || process_is_expected(pid) || may_be_awaited(pid) ||
		    waitpid(pid, NULL, WNOHANG | __WNOTHREAD) != pid)
			some = true;
	}
	free(list);
	return some ? clock_monotonic() + REAP : CLOCK_NEVER;
}

/* The value of SWEEP_VARIABLE in a process's environment, which stays as it was at its execve. */
static const char *find_token(const char *environment, size_t length)
{
	static const char name[] = SWEEP_VARIABLE "=";

	for (const char *at = environment; at < environment + length; at += strlen(at) + 1)
		if (strncmp(at, name, sizeof(name) - 1) == 0)
			return at + sizeof(name) - 1;
	return NULL;
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT | __WNOTHREAD) == 0 &&
	       info.si_pid == pid;
}

/*
 * A process that is ending has no memory any more, and one in the middle of an execve not yet
 * another: both show neither environment nor arguments. What they are is seen in the next pass, and
 * so are the children of one that has ended.
 */
static bool is_between(pid_t pid)
{
	char path[64];
	char *text = NULL;
	size_t length = 0;

	if (may_be_awaited(pid) && has_ended(pid)) /* it stays so */
		return false;
	(void)snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	if (file_read(path, ENVIRON_MOST, &text, &length, NULL) != STATUS_OK)
		return true;
	free(text);
	return length == 0;
}

/* The main thread may have ended before others, which have the memory. NULL = none has any. */
static char *environment_of_threads(pid_t pid, size_t *length)
{
	char pattern[64];
	char *environment = NULL;
	glob_t threads;

	(void)snprintf(pattern, sizeof(pattern), "/proc/%d/task/*/environ", (int)pid);
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): it is without ~, so that nobody is looked up */
	if (glob(pattern, GLOB_NOSORT, NULL, &threads) != 0)
		return NULL;
	for (size_t i = 0; i < threads.gl_pathc && *length == 0; i++) {
		free(environment);
		environment = NULL;
		(void)!file_read(threads.gl_pathv[i], ENVIRON_MOST, &environment, length, NULL);
	}
	globfree(&threads);
	return environment;
}

/* The same for the whole process; false = it is another user's. */
static bool read_environment(pid_t pid, char **environment, size_t *length)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/environ", (int)pid);
	if (file_read(path, ENVIRON_MOST, environment, length, NULL) != STATUS_OK &&
	    (errno == EACCES || errno == EPERM))
		return false;
	if (*length > 0)
		return true;
	free(*environment);
	*environment = environment_of_threads(pid, length);
	return true;
}

static void find_for_all(const struct worker *worker)
{
	for (struct sweep *sweep = worker->sweeps.all; sweep; sweep = sweep->next)
		sweep->found = true;
}

static void kill_left(struct worker *worker, pid_t pid, const char *token)
{
	for (struct sweep *sweep = worker->sweeps.all; sweep; sweep = sweep->next) {
		if (strcmp(sweep->token, token) != 0)
			continue;
		sweep->found = true;
		sweep->killed = sweep->killed || getpgid(pid) != sweep->group;
		(void)kill(pid, SIGKILL);
		return;
	}
}

/* No other process can have its number: it is our child, and only we reap it. */
static void look(struct worker *worker, pid_t pid)
{
	char *environment = NULL;
	size_t length = 0;

	if (!read_environment(pid, &environment, &length))
		return;
	const char *token = environment ? find_token(environment, length) : NULL;

	if (token)
		kill_left(worker, pid, token);
	else if (length == 0 && is_between(pid))
		find_for_all(worker);
	free(environment);
}

/* Orphans only: a process that has left the group becomes one when what started it has died. */
static void look_at_all(struct worker *worker)
{
	char *list = NULL;

	for (struct sweep *sweep = worker->sweeps.all; sweep; sweep = sweep->next)
		sweep->found = false;
	(void)reap(worker);
	const enum status status = read_children(&list);

	if (status == STATUS_INVALID)
		find_for_all(worker);
	if (status != STATUS_OK)
		return;
	for (char *at = list; *at != '\0';) {
		const pid_t pid = next_child(&at);

		if (pid == 0)
			break;
		if (!is_own(worker, pid))
			look(worker, pid);
	}
	free(list);
}

static void kill_in_cgroup(const struct worker *worker, struct sweep *sweep)
{
	bool beyond;

	if (!sweep->cgroup || !cgroup_kill(&worker->cgroups, sweep->cgroup, sweep->group, &beyond))
		return;
	sweep->found = true;
	sweep->killed = sweep->killed || beyond;
}

static void end_sweep(struct worker *worker, struct sweep *sweep)
{
	cgroup_give_back(&worker->cgroups, sweep->cgroup);
	if (sweep->killed || sweep->found)
		log_event(LOG_WARN, "job.orphans_killed", LOG_TEXT("claim", sweep->token),
			  LOG_TEXT("left", sweep->found ? "some" : "none"));
	if (sweep->run)
		worker_ended(sweep->run);
	free(sweep);
}

/* Until a pass finds nothing, because each one may have started another meanwhile. */
static void pass(struct worker *worker)
{
	struct sweep **at = &worker->sweeps.all;
	const int64_t now = clock_monotonic();

	FAULT_POINT("worker.sweeping");
	look_at_all(worker);
	while (*at) {
		struct sweep *sweep = *at;

		kill_in_cgroup(worker, sweep);
		if (sweep->passes++ == 0)
			sweep->give_up_at = now + GIVE_UP;
		if (sweep->found && (now < sweep->give_up_at || sweep->passes < PASSES_LEAST)) {
			at = &sweep->next;
			continue;
		}
		*at = sweep->next;
		end_sweep(worker, sweep);
	}
	worker->sweeps.look_at = worker->sweeps.all ? now + AGAIN : CLOCK_NEVER;
}

void sweeps_tick(struct worker *worker)
{
	const int64_t now = clock_monotonic();

	if (now >= worker->sweeps.look_at)
		pass(worker);
	if (now >= worker->sweeps.reap_at)
		worker->sweeps.reap_at = reap(worker);
}

int64_t sweeps_due(const struct worker *worker)
{
	return clock_earlier(worker->sweeps.look_at, worker->sweeps.reap_at);
}

void sweeps_finish(struct worker *worker)
{
	for (struct sweep *sweep = worker->sweeps.all; sweep; sweep = sweep->next)
		sweep->passes = 0;
	while (worker->sweeps.all) {
		pass(worker);
		if (worker->sweeps.all)
			clock_sleep(AGAIN);
	}
}
