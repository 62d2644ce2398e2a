#include "worker/stop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>

#include "common/clock.h"
#include "common/fault.h"
#include "queue/payload/cause.h"
#include "worker/exec/exec.h"
#include "worker/exec/spawn.h"
#include "worker/host/host.h"
#include "worker/host/hosts.h"
#include "worker/report.h"
#include "worker/state.h"

#define HOLD        CLOCK_SECOND
#define AGAIN_FIRST CLOCK_SECOND /* after a KILL that has not ended it, doubling */
#define AGAIN_MOST  CLOCK_MINUTE

static const char *const reasons[] = {
	[STOP_FOR_SHUTDOWN] = "shutdown_timeout is over",
	[STOP_FOR_LOSS] = "the job was given to another worker",
	[STOP_FOR_TIMEOUT] = "its timeout is over",
	[STOP_FOR_CANCEL] = "the job was cancelled",
};

/* Its process group; 0 = it has none, or not any more. */
static pid_t group_of(const struct run *run)
{
	if (run->exec)
		return run->exec->pidfd >= 0 ? run->exec->pid : 0;
	return run->host ? run->host->pid : 0;
}

static bool on_thread(const struct run *run)
{
	return run->handler && run->handler->function;
}

static bool runs(const struct run *run)
{
	return run->taken && !run->ended && run->handler; /* without one it has failed */
}

/* Processes of the group may be suspended, by a debugger or by job control, and would not see it.
 */
static void signal_group(const struct run *run, pid_t group)
{
	spawn_signal(group, run->handler->class->stop.signal);
	spawn_signal(group, SIGCONT);
}

static void set_clock(struct run *run)
{
	struct worker *worker = run->worker;
	const struct config_class *class = run->handler ? run->handler->class : NULL;

	run->kill_at = clock_monotonic() + config_grace(worker->config, class);
	worker->kill_at = clock_earlier(worker->kill_at, run->kill_at);
}

/*
 * TERM to the whole tree (systemd's default, process managers of platforms) ends a command, and may
 * reach its worker a little later: that is no failure of the command's. So a failed run that TERM
 * has ended is held for a while. When the worker is stopped meanwhile, the job goes back to ready.
 */
static void release_held(struct run *run)
{
	run->held_until = 0;
	run_interrupt(run, run->failure);
	worker_ended(run);
}

void run_hold(struct run *run)
{
	struct worker *worker = run->worker;

	run->held_until = clock_monotonic() + HOLD;
	if (atomic_load(&worker->stopping))
		release_held(run);
	else
		worker->kill_at = clock_earlier(worker->kill_at, run->held_until);
}

void runs_release_held(struct worker *worker)
{
	for (size_t i = 0; i < worker->runs.count; i++)
		if (worker->runs.all[i].held_until != 0)
			release_held(&worker->runs.all[i]);
}

/*
 * It has ended by itself, but perhaps nobody has looked yet. What runs on a thread knows that
 * itself (in_time).
 */
static bool just_ended(struct run *run)
{
	struct pollfd end = { .events = POLLIN };

	if (on_thread(run))
		return false;
	if (run->host)
		host_listen(run->host); /* which hands the run over when it has an outcome */
	if (run->ended_at != 0)
		return true;
	end.fd = run->exec ? run->exec->pidfd : run->host ? run->host->pidfd : -1;
	return end.fd < 0 ? run->exec != NULL : poll(&end, 1, 0) == 1;
}

bool run_cancel(struct run *run)
{
	if (run->held_until != 0 || !runs(run) || just_ended(run))
		return false;
	run_stop(run, STOP_FOR_CANCEL);
	return true;
}

void run_stop(struct run *run, enum stop_reason why)
{
	pid_t group = group_of(run);

	if (run->held_until != 0 || !runs(run) || atomic_load(&run->told))
		return;
	if (why == STOP_FOR_TIMEOUT && just_ended(run))
		return;
	run->timed_out = why == STOP_FOR_TIMEOUT;
	atomic_store(&run->told, true);
	report_stopping(run, reasons[why], group != 0);
	set_clock(run);
	FAULT_POINT("worker.stopping_run");
	if (run->host)
		host_tell(run->host);
	else if (group == 0 && handler_isolated(run->handler->class))
		host_withdraw(run);
	if (group != 0)
		signal_group(run, group);
}

int64_t run_stop_all(struct worker *worker, enum stop_reason why)
{
	int64_t until = clock_monotonic();

	for (size_t i = 0; i < worker->runs.count; i++) {
		struct run *run = &worker->runs.all[i];

		run_stop(run, why);
		if (runs(run) && run->kill_at != CLOCK_NEVER && run->kill_at > until)
			until = run->kill_at;
	}
	return until;
}

static void stop_late(struct run *run, int64_t now)
{
	struct worker *worker = run->worker;

	if (!runs(run) || run->timeout_at == 0 || atomic_load(&run->told))
		return;
	if (run->timeout_at > now)
		worker->kill_at = clock_earlier(worker->kill_at, run->timeout_at);
	else
		run_stop(run, STOP_FOR_TIMEOUT);
}

void run_judge(struct run *run)
{
	char timeout[CLOCK_TEXT_SIZE];
	const char *lines = NULL;

	if (!run->timed_out || run->in_time)
		return;
	clock_span(run_timeout(run), timeout);
	if (run->exec) {
		lines = capture_last(&run->exec->tail, &run->exec->out_tail, run->arena);
		run->last_line = cause_line(run->arena, lines);
	}
	run->said = NULL;
	run->signalled = false;
	run->exit_status = -1;
	run->cause = NULL;
	run_fail(run, TIMEOUT_ERROR,
		 arena_printf(run->arena, "it ran for longer than its timeout of %s", timeout),
		 lines);
}

void run_kill(const struct run *run)
{
	const pid_t group = group_of(run);
	const struct cgroup *cgroup = run->exec   ? run->exec->cgroup
				      : run->host ? run->host->cgroup
						  : NULL;
	bool beyond;

	if (group == 0)
		return;
	spawn_signal(group, SIGKILL);
	/* Another user's takes no signal of ours; from its cgroup it does. */
	if (cgroup && kill(group, SIGKILL) != 0 && errno == EPERM)
		(void)cgroup_kill(&run->worker->cgroups, cgroup, group, &beyond);
}

/*
 * What KILL does not end hangs in the kernel, or is traced, or belongs to another user, of whom we
 * may be allowed to kill it later; and its group may have got new members.
 */
static void kill_again(struct run *run, int64_t now)
{
	struct worker *worker = run->worker;

	if (!just_ended(run)) { /* else its group is what is left */
		report_killed(run);
		if (run->again_in != 0)
			report_unkillable(run);
	}
	run_kill(run);
	run->again_in =
		run->again_in == 0 ? AGAIN_FIRST : clock_earlier(2 * run->again_in, AGAIN_MOST);
	run->again_at = now + run->again_in;
	worker->kill_at = clock_earlier(worker->kill_at, run->again_at);
}

static void kill_late(struct run *run, int64_t now)
{
	struct worker *worker = run->worker;
	int64_t due = run->held_until != 0 ? run->held_until
		      : run->again_at != 0 ? run->again_at
					   : run->kill_at;

	if (!runs(run) || due == 0 || due == CLOCK_NEVER)
		return;
	if (due > now) {
		worker->kill_at = clock_earlier(worker->kill_at, due);
	} else if (run->held_until != 0) {
		run->held_until = 0;
		worker_ended(run); /* the signal was for this run alone: it has failed */
	} else if (group_of(run) != 0) {
		kill_again(run, now);
	} else if (on_thread(run)) {
		report_deaf(run);
	}
}

void stops_tick(struct worker *worker)
{
	int64_t now = clock_monotonic();

	if (now < worker->kill_at)
		return;
	worker->kill_at = CLOCK_NEVER;
	for (size_t i = 0; i < worker->runs.count; i++) {
		if (runs(&worker->runs.all[i]))
			slow_look(&worker->runs.all[i], now);
		stop_late(&worker->runs.all[i], now);
		kill_late(&worker->runs.all[i], now);
	}
}

int64_t stops_due(const struct worker *worker)
{
	return worker->kill_at;
}
