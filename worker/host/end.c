#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "worker/exec/spawn.h"
#include "worker/host/host.h"
#include "worker/host/run_host.h"
#include "worker/state.h"

#define PAUSE_FIRST (100 * CLOCK_MILLISECOND)
#define PAUSE_LAST  (10 * CLOCK_SECOND)
#define HOW_SIZE    128

/* How a process ended, for people: "was killed by signal 11 (SEGV)". */
static void describe(int status, char how[HOW_SIZE])
{
	const char *name = WIFSIGNALED(status) ? sigabbrev_np(WTERMSIG(status)) : NULL;

	if (WIFSIGNALED(status))
		(void)snprintf(how, HOW_SIZE, "was killed by signal %d (%s)%s", WTERMSIG(status),
			       name ? name : "?", WCOREDUMP(status) ? ", core dumped" : "");
	else
		(void)snprintf(how, HOW_SIZE, "exited with status %d", WEXITSTATUS(status));
}

static int reap(const struct host *host)
{
	int status = 0;
	pid_t pid;

	do
		pid = waitpid(host->pid, &status, 0);
	while (pid < 0 && errno == EINTR);
	return pid == host->pid ? status : 0xff00; /* something else did: its status is unknown */
}

/* The pause until the next attempt. */
static int64_t count_failure(struct host_group *group)
{
	int64_t pause = PAUSE_FIRST << (group->failures < 10 ? group->failures : 10);

	if (pause > PAUSE_LAST)
		pause = PAUSE_LAST;
	group->starting = false;
	group->failures++;
	group->start_at = clock_monotonic() + pause;
	return pause;
}

static void fail_start(struct host *host, const char *failure_class, const char *message)
{
	struct slot *slot = host->slot;
	int64_t pause = count_failure(host_group_of(host));

	log_event(LOG_WARN, "job_host.refused", LOG_TEXT("module", host->handler->module),
		  LOG_TEXT("error", message), LOG_INT("pause_ms", pause / CLOCK_MILLISECOND));
	slot_fail(slot, failure_class, message, capture_text(&host->tail, slot->arena));
}

static void ended_at_start(struct host *host, int status)
{
	struct arena *arena = host->slot->arena;
	const char *class = host->slot->claim.job.class_name;
	struct spawn_report report;
	char how[HOW_SIZE];

	describe(status, how);
	if (read(host->report, &report, sizeof(report)) == (ssize_t)sizeof(report))
		fail_start(host, "Dray::ExecError",
			   arena_printf(arena, "%s: its process %s: %s", class,
					spawn_step_text(report.step),
					strerrordesc_np(report.code)));
	else if (host->refusal)
		fail_start(host, "Dray::ModuleError", host->refusal);
	else
		fail_start(host, "Dray::ProcessExitError",
			   arena_printf(arena, "%s: its process %s while it loaded %s", class, how,
					host->handler->module));
}

static void ended_in_job(struct host *host, int status)
{
	struct slot *slot = host->slot;
	char how[HOW_SIZE];
	const char *message;

	describe(status, how);
	message = arena_printf(
		slot->arena, "%s: its process %s%s", slot->claim.job.class_name, how,
		host->nonsense ? " because it sent the worker something that is not a message"
			       : "");
	slot->signalled = WIFSIGNALED(status);
	slot->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	slot_fail(slot, "Dray::ProcessExitError", message, capture_text(&host->tail, slot->arena));
}

/*
 * An idle host died: killed by something that it had started and left running, most likely, or by
 * the kernel for want of memory.
 */
static void ended_idle(const struct host *host, int status)
{
	char how[HOW_SIZE];

	if (host->leaving && !host->nonsense && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return;
	describe(status, how);
	log_event(LOG_WARN, "job_host.died", LOG_TEXT("module", host->handler->module),
		  LOG_INT("pid", host->pid), LOG_TEXT("reason", how));
}

static bool is_unread(const struct host *host)
{
	return host->unread || host->sent < host->unsent.length;
}

/* The job never began: it gets a second host, but not a third. */
static bool may_move(const struct host *host)
{
	return host->ready && is_unread(host) && !host->slot->moved && !host->nonsense &&
	       !atomic_load(&host->slot->told);
}

/* It was asked to leave, so it does not matter how it ended. */
static void ended_as_told(struct host *host, int status)
{
	char how[HOW_SIZE];

	describe(status, how);
	if (!host->ready)
		host_group_of(host)->starting = false;
	if (host->ready && !is_unread(host))
		slot_interrupt(host->slot, arena_printf(host->slot->arena, "its process %s", how));
	else
		slot_release(host->slot);
}

/* The job ended with its host. */
static void end_job(struct host *host, int status)
{
	stream_drain(&host->err);
	stream_drain(&host->out);
	if (atomic_load(&host->slot->told))
		ended_as_told(host, status);
	else if (host->ready)
		ended_in_job(host, status);
	else
		ended_at_start(host, status);
	host_release(host);
}

static void decide(struct host *host, int status)
{
	struct slot *slot = host->slot;

	if (!slot) {
		ended_idle(host, status);
	} else if (may_move(host)) {
		ended_idle(host, status);
		slot->moved = true;
		slot->timeout_at = 0;
		slot->host = NULL;
		host->slot = NULL;
		host_run(slot);
	} else {
		end_job(host, status);
	}
}

/*
 * The host is still a zombie, so no other process can have its group's number: what its jobs left
 * running is killed before it is reaped. What it sent before it died counts.
 */
void host_on_exit(void *context)
{
	struct host *host = context;

	FAULT_POINT("worker.host_ended");
	(void)kill(-host->pid, SIGKILL);
	host_listen(host);
	host_dismiss(host);
	const int status = reap(host);
	host_sweep(host);
	decide(host, status);
	host_free(host);
}
