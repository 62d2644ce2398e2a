#include "worker/stop.h"

#include <signal.h>

#include "common/clock.h"
#include "common/fault.h"
#include "worker/exec/exec.h"
#include "worker/host/host.h"
#include "worker/host/run_host.h"
#include "worker/report.h"
#include "worker/state.h"

static const char *const reasons[] = {
	[STOP_FOR_SHUTDOWN] = "shutdown_timeout is over",
	[STOP_FOR_LOSS] = "the job was given to another worker",
};

/* Its process group; 0 = it has none. */
static pid_t group_of(const struct slot *slot)
{
	if (slot->exec)
		return slot->exec->pid;
	return slot->host ? slot->host->pid : 0;
}

static bool runs(const struct slot *slot)
{
	return slot->taken && !slot->ended;
}

/*
 * Processes of the group may be stopped, by a debugger or by job control, and would not see TERM.
 */
static void signal_group(struct slot *slot, pid_t group)
{
	struct worker *worker = slot->worker;

	slot->kill_at = clock_monotonic() + worker->config->process.stop_grace;
	if (slot->kill_at < worker->kill_at)
		worker->kill_at = slot->kill_at;
	(void)kill(-group, SIGTERM);
	(void)kill(-group, SIGCONT);
}

void run_stop(struct slot *slot, enum stop_reason why)
{
	pid_t group = group_of(slot);

	if (!runs(slot) || atomic_load(&slot->told))
		return;
	atomic_store(&slot->told, true);
	report_stopping(slot, reasons[why], group != 0);
	FAULT_POINT("worker.stopping_run");
	if (slot->host)
		host_dismiss(slot->host); /* it sees that, and so does its function */
	else if (group == 0 && handler_isolated(slot->handler->class))
		host_withdraw(slot);
	if (group != 0)
		signal_group(slot, group);
}

void run_stop_all(struct worker *worker, enum stop_reason why)
{
	for (size_t i = 0; i < worker->slots.count; i++)
		run_stop(&worker->slots.all[i], why);
}

static void kill_late(struct slot *slot, int64_t now)
{
	struct worker *worker = slot->worker;

	if (!runs(slot) || slot->kill_at == 0 || slot->kill_at == CLOCK_NEVER)
		return;
	if (slot->kill_at > now) {
		if (slot->kill_at < worker->kill_at)
			worker->kill_at = slot->kill_at;
		return;
	}
	report_killed(slot);
	(void)kill(-group_of(slot), SIGKILL);
}

void stops_tick(struct worker *worker)
{
	int64_t now = clock_monotonic();

	if (now < worker->kill_at)
		return;
	worker->kill_at = CLOCK_NEVER;
	for (size_t i = 0; i < worker->slots.count; i++)
		kill_late(&worker->slots.all[i], now);
}

int64_t stops_due(const struct worker *worker)
{
	return worker->kill_at;
}
