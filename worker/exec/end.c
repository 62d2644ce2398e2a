#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "policy/policy.h"
#include "queue/payload/cause.h"
#include "worker/exec/environment.h"
#include "worker/exec/exec.h"
#include "worker/exec/run_exec.h"
#include "worker/exec/script.h"
#include "worker/exec/spawn.h"
#include "worker/handler.h"
#include "worker/report.h"
#include "worker/state.h"
#include "worker/stop.h"

#define KIBIBYTE     INT64_C(1024)
#define KILL_WAIT_MS 1000 /* how long to wait until a killed child is gone */

/* More than the error number says: of a file that is there, ENOENT means the interpreter. */
static const char *fault(const struct exec *exec, const struct spawn_report *report)
{
	const struct handler *handler = exec->slot->handler;
	const char *search = environment_get(handler->environment, "PATH");
	const char *text = NULL;

	if (report->step == SPAWN_EXEC && exec->file)
		text = script_fault(exec->slot->arena, exec->file, handler->directory, search);
	if (!text && report->step == SPAWN_EXEC && exec->file && report->code == ENOENT)
		text = "the interpreter that it names does not exist";
	return text ? text : strerrordesc_np(report->code);
}

void exec_refused(struct exec *exec, const struct spawn_report *report)
{
	struct slot *slot = exec->slot;
	const char *message = arena_printf(slot->arena, "%s %s: %s", exec->program,
					   spawn_step_text(report->step), fault(exec, report));

	slot_fail(slot, "Dray::ExecError", message, NULL);
}

/* With what the program has said last. */
static void fail(struct exec *exec, const char *error_class, const char *message)
{
	struct slot *slot = exec->slot;
	const char *lines = capture_text(&exec->tail, slot->arena);

	slot->last_line = cause_line(slot->arena, lines);
	slot_fail(slot, error_class, message, lines);
}

static void end_signaled(struct exec *exec, int number)
{
	struct slot *slot = exec->slot;
	const char *name = sigdescr_np(number);
	const char *message = arena_printf(slot->arena, "%s was killed by signal %d (%s)",
					   exec->program, number, name ? name : "unknown");

	if (slot_interrupted(slot, message))
		return;
	slot->signalled = true;
	fail(exec, "Dray::SignalError", message);
}

/* Nothing else exits so, whether or not it was asked to stop. */
static bool is_deliberate(const struct config_end *said)
{
	return said && (said->what == SAYS_DISCARD || said->what == SAYS_SNOOZE);
}

/* People who gave a class `retry` wonder. */
static const char unretried[] =
	" (64 to 74 and 76 to 78 are not retried unless exit or retry_on in jobs.yml says so)";

static void end_exited(struct exec *exec, int code)
{
	struct slot *slot = exec->slot;
	const struct config_end *said = policy_exit(slot->handler->class, code);
	const char *message;

	if (said ? said->what == SAYS_OK : code == 0) {
		slot_succeed(slot);
		return;
	}
	message = arena_printf(slot->arena, "%s exited with status %d%s", exec->program, code,
			       policy_is_final(slot->handler->class, code) ? unretried : "");
	if (!is_deliberate(said) && slot_interrupted(slot, message))
		return;
	slot->exit_status = code;
	slot->said = said;
	fail(exec, "Dray::ExitStatusError", message);
}

/* Nobody can say that it succeeded, so it failed. */
static void end_unknown(struct exec *exec)
{
	struct slot *slot = exec->slot;
	const char *message = arena_printf(slot->arena,
					   "%s has ended, but how is not known: something else "
					   "than its worker waited for it",
					   exec->program);

	if (!slot_interrupted(slot, message))
		fail(exec, "Dray::ExitStatusError", message);
}

static int64_t microseconds(struct timeval time)
{
	return time.tv_sec * CLOCK_SECOND + time.tv_usec;
}

/* What it and the children that it has waited for have used goes to the slot. */
static bool reap(const struct exec *exec, int *status)
{
	struct rusage used;
	pid_t pid;

	do
		pid = wait4(exec->pid, status, 0, &used);
	while (pid < 0 && errno == EINTR);
	if (pid != exec->pid)
		return false;
	exec->slot->cpu_time = microseconds(used.ru_utime) + microseconds(used.ru_stime);
	exec->slot->peak_memory = used.ru_maxrss * KIBIBYTE;
	return true;
}

/* A shell and others pass on as 128 + 15 how a program of theirs has ended. */
static bool by_term(int status)
{
	if (status < 0)
		return false;
	return WIFSIGNALED(status) ? WTERMSIG(status) == SIGTERM
				   : WEXITSTATUS(status) == 128 + SIGTERM;
}

/*
 * The child is still a zombie, so no other process can have its group's number: the survivors are
 * killed before it is reaped.
 */
void exec_on_exit(void *context)
{
	struct exec *exec = context;
	struct cgroup *cgroup = exec->cgroup;
	struct spawn_report report;
	int status = 0;

	FAULT_POINT("worker.reaping");
	(void)kill(-exec->pid, SIGKILL);
	if (!reap(exec, &status))
		status = -1; /* something else reaped it */
	stream_drain(&exec->out);
	stream_drain(&exec->err);
	if (read(exec->report, &report, sizeof(report)) == (ssize_t)sizeof(report))
		exec_refused(exec, &report);
	else if (status < 0)
		end_unknown(exec);
	else if (WIFSIGNALED(status))
		end_signaled(exec, WTERMSIG(status));
	else
		end_exited(exec, WEXITSTATUS(status));
	if (atomic_load(&exec->slot->told))
		exec->cgroup = NULL; /* what sweeps it gives it back */
	exec_close_all(exec);
	if (atomic_load(&exec->slot->told))
		sweep_slot(exec->slot, exec->pid, cgroup);
	else if (exec->slot->failure_class && by_term(status) && !is_deliberate(exec->slot->said))
		run_hold(exec->slot);
	else
		worker_ended(exec->slot);
}

void exec_kill(struct slot *slot)
{
	struct exec *exec = slot->exec;
	struct pollfd wait = { .fd = exec->pidfd, .events = POLLIN };

	if (exec->pidfd < 0) /* it has ended, and its number may be another's */
		return;
	if (poll(&wait, 1, 0) == 1) { /* by itself */
		exec_on_exit(exec);
		return;
	}
	report_killed(slot);
	atomic_store(&slot->told, true);
	(void)kill(-exec->pid, SIGKILL);
	if (poll(&wait, 1, KILL_WAIT_MS) == 1) {
		exec_on_exit(exec);
		return;
	}
	log_event(LOG_WARN, "job.unkillable", LOG_INT("job", slot->claim.job.id),
		  LOG_INT("pid", exec->pid));
	exec_close_all(exec);
}
