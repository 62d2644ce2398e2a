#include "worker/report.h"

#include <string.h>

#include "common/clock.h"
#include "common/log/log.h"
#include "common/process.h"
#include "worker/exec/exec.h"
#include "worker/host/host.h"
#include "worker/state.h"

/* Whose run it is: how its lines begin. */
#define RUN_OF(run)                                                                                \
	LOG_INT("job", (run)->claim.job.id), LOG_TEXT("class", (run)->claim.job.class_name)
#define QUEUED_RUN_OF(run) RUN_OF(run), LOG_TEXT("queue", (run)->claim.job.queue)
#define TIME_OF(run)       LOG_REAL("ms", (double)((run)->ended_at - (run)->started_at) / 1000.0)

static void log_failed(const struct run *run)
{
	char host[HOSTNAME_SIZE];

	process_hostname(host);
	log_event(LOG_WARN, "job.failed", QUEUED_RUN_OF(run),
		  LOG_INT("attempt", run->outcome.attempt),
		  LOG_TEXT("exception", run->failure_class), LOG_TEXT("message", run->failure),
		  LOG_TEXT("stderr", run->last_line), LOG_TEXT("group", run->outcome.group),
		  LOG_TEXT("host", host), TIME_OF(run));
}

/* A command is worth a line; there may be thousands of module jobs a second. */
static void log_finished(const struct run *run)
{
	enum log_level level = run->exec ? LOG_INFO : LOG_DEBUG;

	if (log_enabled(level))
		log_event(level, "job.finished", QUEUED_RUN_OF(run), TIME_OF(run));
}

static void log_retried(const struct run *run)
{
	log_event(LOG_INFO, "job.retried", QUEUED_RUN_OF(run),
		  LOG_INT("attempt", run->outcome.attempt),
		  LOG_REAL("wait", (double)run->outcome.wait / (double)CLOCK_SECOND),
		  LOG_TEXT("exception", run->failure_class), LOG_TEXT("message", run->failure));
}

static void log_snoozed(const struct run *run)
{
	log_event(LOG_INFO, "job.snoozed", QUEUED_RUN_OF(run),
		  LOG_INT("attempt", run->outcome.attempt),
		  LOG_REAL("wait", (double)run->outcome.wait / (double)CLOCK_SECOND),
		  LOG_TEXT("reason", run->failure));
}

static void log_discarded(const struct run *run)
{
	log_event(LOG_INFO, "job.discarded", QUEUED_RUN_OF(run),
		  LOG_INT("attempt", run->outcome.attempt),
		  LOG_TEXT("exception", run->failure_class), LOG_TEXT("message", run->failure),
		  LOG_TEXT("stderr", run->last_line));
}

static void log_cancelled(const struct run *run)
{
	log_event(LOG_INFO, "job.cancelled", QUEUED_RUN_OF(run),
		  LOG_INT("attempt", run->outcome.attempt), LOG_TEXT("message", run->failure),
		  TIME_OF(run));
}

static void log_released(const struct run *run)
{
	log_event(LOG_INFO, "job.released", RUN_OF(run), LOG_TEXT("reason", run->failure));
}

static void (*const log_outcome[OUTCOMES])(const struct run *run) = {
	[OUTCOME_FINISHED] = log_finished,    [OUTCOME_RECORDED] = log_finished,
	[OUTCOME_FAILED] = log_failed,        [OUTCOME_RELEASED] = log_released,
	[OUTCOME_RETRIED] = log_retried,      [OUTCOME_DISCARDED] = log_discarded,
	[OUTCOME_INTERRUPTED] = log_released, [OUTCOME_SNOOZED] = log_snoozed,
	[OUTCOME_CANCELLED] = log_cancelled,
};

void report_unknown(const struct claim_unknown *unknown)
{
	log_event(LOG_WARN, "worker.unknown_class", LOG_INT("job", unknown->job),
		  LOG_TEXT("class", unknown->class), LOG_INT("given_back", unknown->put_back),
		  LOG_TEXT("reason", "jobs.yml did not have this class when it was last read: "
				     "`dray reload` reads it again, until then jobs of unknown "
				     "classes stay ready"));
}

void report_ended(const struct run *run)
{
	log_outcome[run->outcome.kind](run);
}

void report_refused(const struct run *run, const char *why)
{
	log_event(LOG_WARN, "job.lost", RUN_OF(run), LOG_INT("claim", run->claim.id),
		  LOG_TEXT("reason", why));
}

void report_gone(const struct run *run, const char *why)
{
	log_event(LOG_WARN, "job.claim_gone", RUN_OF(run), LOG_INT("claim", run->claim.id),
		  LOG_TEXT("reason", why));
}

void report_started(const struct run *run)
{
	if (log_enabled(LOG_DEBUG))
		log_event(LOG_DEBUG, "job.started", QUEUED_RUN_OF(run),
			  LOG_INT("claim", run->claim.id));
}

void report_said(const struct job *job, const char *text)
{
	log_event(LOG_INFO, "job.log", LOG_INT("job", job->id), LOG_TEXT("class", job->class_name),
		  LOG_TEXT("text", text));
}

void report_stopping(const struct run *run, const char *reason, bool signalled)
{
	log_event(LOG_WARN, "job.stopping", RUN_OF(run),
		  LOG_TEXT("signal",
			   signalled ? sigabbrev_np(run->handler->class->stop.signal) : NULL),
		  LOG_TEXT("reason", reason));
}

void report_killed(struct run *run)
{
	if (run->kill_at == CLOCK_NEVER)
		return;
	run->kill_at = CLOCK_NEVER;
	log_event(LOG_WARN, "job.killed", RUN_OF(run));
}

void report_unkillable(struct run *run)
{
	if (run->unkillable)
		return;
	run->unkillable = true;
	log_event(LOG_WARN, "job.unkillable", RUN_OF(run),
		  run->exec ? LOG_INT("command_pid", run->exec->pid)
			    : LOG_INT("host_pid", run->host->pid));
}

void report_deaf(struct run *run)
{
	if (run->kill_at == CLOCK_NEVER)
		return;
	run->kill_at = CLOCK_NEVER;
	log_event(LOG_WARN, "job.deaf", RUN_OF(run),
		  LOG_TEXT("reason", "its function on a thread was asked to stop and has not "
				     "returned: its thread is taken until it does"));
}

void report_slow(const struct run *run, int64_t usual, int64_t now)
{
	log_event(LOG_WARN, "job.slow", QUEUED_RUN_OF(run), log_ms("ms", run->started_at, now),
		  log_ms("usual_ms", 0, usual));
}
