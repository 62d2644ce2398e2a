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
static pid_t group_of(const struct slot *slot)
{
	if (slot->exec)
		return slot->exec->pidfd >= 0 ? slot->exec->pid : 0;
	return slot->host ? slot->host->pid : 0;
}

static bool on_thread(const struct slot *slot)
{
	return slot->handler && slot->handler->function;
}

static bool runs(const struct slot *slot)
{
	return slot->taken && !slot->ended && slot->handler; /* without one it has failed */
}

/* Processes of the group may be suspended, by a debugger or by job control, and would not see it.
 */
static void signal_group(const struct slot *slot, pid_t group)
{
	spawn_signal(group, slot->handler->class->stop.signal);
	spawn_signal(group, SIGCONT);
}

static void set_clock(struct slot *slot)
{
	struct worker *worker = slot->worker;
	const struct config_class *class = slot->handler ? slot->handler->class : NULL;

	slot->kill_at = clock_monotonic() + config_grace(worker->config, class);
	worker->kill_at = clock_earlier(worker->kill_at, slot->kill_at);
}

/*
 * TERM to the whole tree (systemd's default, process managers of platforms) ends a command, and may
 * reach its worker a little later: that is no failure of the command's. So a failed run that TERM
 * has ended is held for a while. When the worker is stopped meanwhile, the job goes back to ready.
 */
static void release_held(struct slot *slot)
{
	slot->held_until = 0;
	slot_interrupt(slot, slot->failure);
	worker_ended(slot);
}

void run_hold(struct slot *slot)
{
	struct worker *worker = slot->worker;

	slot->held_until = clock_monotonic() + HOLD;
	if (atomic_load(&worker->stopping))
		release_held(slot);
	else
		worker->kill_at = clock_earlier(worker->kill_at, slot->held_until);
}

void runs_release_held(struct worker *worker)
{
	for (size_t i = 0; i < worker->slots.count; i++)
		if (worker->slots.all[i].held_until != 0)
			release_held(&worker->slots.all[i]);
}

/*
 * It has ended by itself, but perhaps nobody has looked yet. What runs on a thread knows that
 * itself (in_time).
 */
static bool just_ended(struct slot *slot)
{
	struct pollfd end = { .events = POLLIN };

	if (on_thread(slot))
		return false;
	if (slot->host)
		host_listen(slot->host); /* which hands the slot over when it has an outcome */
	if (slot->ended_at != 0)
		return true;
	end.fd = slot->exec ? slot->exec->pidfd : slot->host ? slot->host->pidfd : -1;
	return end.fd < 0 ? slot->exec != NULL : poll(&end, 1, 0) == 1;
}

bool run_cancel(struct slot *slot)
{
	if (slot->held_until != 0 || !runs(slot) || just_ended(slot))
		return false;
	run_stop(slot, STOP_FOR_CANCEL);
	return true;
}

void run_stop(struct slot *slot, enum stop_reason why)
{
	pid_t group = group_of(slot);

	if (slot->held_until != 0 || !runs(slot) || atomic_load(&slot->told))
		return;
	if (why == STOP_FOR_TIMEOUT && just_ended(slot))
		return;
	slot->timed_out = why == STOP_FOR_TIMEOUT;
	atomic_store(&slot->told, true);
	report_stopping(slot, reasons[why], group != 0);
	set_clock(slot);
	FAULT_POINT("worker.stopping_run");
	if (slot->host)
		host_tell(slot->host);
	else if (group == 0 && handler_isolated(slot->handler->class))
		host_withdraw(slot);
	if (group != 0)
		signal_group(slot, group);
}

int64_t run_stop_all(struct worker *worker, enum stop_reason why)
{
	int64_t until = clock_monotonic();

	for (size_t i = 0; i < worker->slots.count; i++) {
		struct slot *slot = &worker->slots.all[i];

		run_stop(slot, why);
		if (runs(slot) && slot->kill_at != CLOCK_NEVER && slot->kill_at > until)
			until = slot->kill_at;
	}
	return until;
}

static void stop_late(struct slot *slot, int64_t now)
{
	struct worker *worker = slot->worker;

	if (!runs(slot) || slot->timeout_at == 0 || atomic_load(&slot->told))
		return;
	if (slot->timeout_at > now)
		worker->kill_at = clock_earlier(worker->kill_at, slot->timeout_at);
	else
		run_stop(slot, STOP_FOR_TIMEOUT);
}

void run_judge(struct slot *slot)
{
	char timeout[CLOCK_TEXT_SIZE];
	const char *lines = NULL;

	if (!slot->timed_out || slot->in_time)
		return;
	clock_span(slot_timeout(slot), timeout);
	if (slot->exec) {
		lines = capture_last(&slot->exec->tail, &slot->exec->out_tail, slot->arena);
		slot->last_line = cause_line(slot->arena, lines);
	}
	slot->said = NULL;
	slot->signalled = false;
	slot->exit_status = -1;
	slot->cause = NULL;
	slot_fail(slot, TIMEOUT_ERROR,
		  arena_printf(slot->arena, "it ran for longer than its timeout of %s", timeout),
		  lines);
}

void run_kill(const struct slot *slot)
{
	const pid_t group = group_of(slot);
	const struct cgroup *cgroup = slot->exec   ? slot->exec->cgroup
				      : slot->host ? slot->host->cgroup
						   : NULL;
	bool beyond;

	if (group == 0)
		return;
	spawn_signal(group, SIGKILL);
	/* Another user's takes no signal of ours; from its cgroup it does. */
	if (cgroup && kill(group, SIGKILL) != 0 && errno == EPERM)
		(void)cgroup_kill(&slot->worker->cgroups, cgroup, group, &beyond);
}

/*
 * What KILL does not end hangs in the kernel, or is traced, or belongs to another user, of whom we
 * may be allowed to kill it later; and its group may have got new members.
 */
static void kill_again(struct slot *slot, int64_t now)
{
	struct worker *worker = slot->worker;

	report_killed(slot);
	if (slot->again_in != 0)
		report_unkillable(slot);
	run_kill(slot);
	slot->again_in =
		slot->again_in == 0 ? AGAIN_FIRST : clock_earlier(2 * slot->again_in, AGAIN_MOST);
	slot->again_at = now + slot->again_in;
	worker->kill_at = clock_earlier(worker->kill_at, slot->again_at);
}

static void kill_late(struct slot *slot, int64_t now)
{
	struct worker *worker = slot->worker;
	int64_t due = slot->held_until != 0 ? slot->held_until
		      : slot->again_at != 0 ? slot->again_at
					    : slot->kill_at;

	if (!runs(slot) || due == 0 || due == CLOCK_NEVER)
		return;
	if (due > now) {
		worker->kill_at = clock_earlier(worker->kill_at, due);
	} else if (slot->held_until != 0) {
		slot->held_until = 0;
		worker_ended(slot); /* the signal was for this run alone: it has failed */
	} else if (group_of(slot) != 0) {
		kill_again(slot, now);
	} else if (on_thread(slot)) {
		report_deaf(slot);
	}
}

void stops_tick(struct worker *worker)
{
	int64_t now = clock_monotonic();

	if (now < worker->kill_at)
		return;
	worker->kill_at = CLOCK_NEVER;
	for (size_t i = 0; i < worker->slots.count; i++) {
		if (runs(&worker->slots.all[i]))
			slow_look(&worker->slots.all[i], now);
		stop_late(&worker->slots.all[i], now);
		kill_late(&worker->slots.all[i], now);
	}
}

int64_t stops_due(const struct worker *worker)
{
	return worker->kill_at;
}
