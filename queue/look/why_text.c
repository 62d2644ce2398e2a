/*
 * What is said of a job that is not running: from the facts alone, without the database.
 *
 * Each reason that applies is added, not only the first, with what a program needs to know of it as
 * fields; the paragraph is made of their sentences. Nothing is guessed: what is not known is left
 * out.
 */
#include "queue/look/why.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "common/clock.h"
#include "common/invariant.h"
#include "common/text/text.h"
#include "queue/payload/cause.h"
#include "queue/processes/shared.h"

/* How reasons are recorded. */

/* The facts, and the result so far. */
struct account {
	const struct why_facts *facts;
	struct why *why;
};

/* Adds a reason; the caller adds its fields. */
PRINTF_LIKE(3, 4)
static struct why_reason *why_add(struct account *account, const char *kind, const char *format,
				  ...)
{
	struct why *why = account->why;
	va_list args;

	INVARIANT(why->count < WHY_REASONS);
	struct why_reason *reason = &why->reasons[why->count++];
	va_start(args, format);
	*reason = (struct why_reason){ .kind = kind,
				       .text = arena_vprintf(why->arena, format, args) };
	va_end(args);
	return reason;
}

static void add_field(struct why_reason *reason, struct why_field field)
{
	INVARIANT(reason->field_count < WHY_FIELDS);
	reason->fields[reason->field_count++] = field;
}

static void why_text_field(struct why_reason *reason, const char *name, const char *text)
{
	add_field(reason, (struct why_field){ .name = name, .type = WHY_TEXT, .text = text });
}

static void why_number_field(struct why_reason *reason, const char *name, int64_t number)
{
	add_field(reason, (struct why_field){ .name = name, .type = WHY_NUMBER, .number = number });
}

static void why_time_field(struct why_reason *reason, const char *name, int64_t instant)
{
	add_field(reason, (struct why_field){ .name = name, .type = WHY_TIME, .number = instant });
}

/* "3h 5m", whole seconds. */
static const char *why_span(const struct account *account, int64_t microseconds)
{
	return clock_say_span(account->why->arena, clock_whole(microseconds));
}

/* "2026-11-21 14:00:00 UTC (3m ago)" */
static const char *why_time(const struct account *account, int64_t instant)
{
	struct arena *arena = account->why->arena;
	int64_t now = account->facts->now;
	bool past = instant <= now;

	return arena_printf(arena, "%s UTC (%s%s%s)", clock_say(arena, instant), past ? "" : "in ",
			    why_span(account, past ? now - instant : instant - now),
			    past ? " ago" : "");
}

static const char *why_plural(int64_t count)
{
	return count == 1 ? "" : "s";
}

/* A reason, if there is such a pause. */
static void why_pause(struct account *account, const char *kind, const char *what,
		      const struct pause_row *pause)
{
	struct arena *arena = account->why->arena;
	const struct pause_note *note = &pause->note;
	const char *who = note->who ? note->who : "other software";

	if (pause->since == 0)
		return;
	struct why_reason *reason =
		why_add(account, kind, "%s has been paused since %s by %s%s%s%s%s.", what,
			why_time(account, pause->since), who, note->host ? " on host " : "",
			note->host ? note->host : "",
			note->ends_at > 0 ? arena_printf(arena, ", until %s",
							 why_time(account, note->ends_at))
					  : "",
			note->reason ? arena_printf(arena, ", because: \"%s\"", note->reason) : "");
	why_time_field(reason, "since", pause->since);
	why_time_field(reason, "until", note->ends_at);
	why_text_field(reason, "by", note->who);
	why_text_field(reason, "host", note->host);
	why_text_field(reason, "reason", note->reason);
}

/* Adds that the database refuses the job, if it does: whether it is set aside. */
static bool why_refused(struct account *account)
{
	const struct pause_row *refused = &account->facts->refused;
	const char *until = why_time(account, refused->note.ends_at);

	if (refused->since == 0)
		return false;
	struct why_reason *reason = why_add(
		account, "refused",
		"The database has refused to %s it since %s: \"%s\". It is tried again at %s.",
		account->facts->job->state == JOB_FINISHED ? "delete" : "change",
		why_time(account, refused->since), refused->note.reason, until);
	why_time_field(reason, "since", refused->since);
	why_time_field(reason, "until", refused->note.ends_at);
	why_text_field(reason, "reason", refused->note.reason);
	return true;
}

/* Failures, retries, and cancellations. */

#define UNKNOWN_CLASS "Dray::UnknownClassError"

struct failure {
	const char *class_name;
	const char *message; /* NULL = none */
	const char *text;    /* "CLASS: MESSAGE" */
};

/* `error` is as in failed_executions.error, or NULL. */
static struct failure failure_of(struct arena *arena, const char *error)
{
	const struct cause cause = cause_of(arena, error);
	struct failure failure = { cause.error_class, cause.message, cause.error_class };

	if (!cause.error_class)
		failure.class_name = failure.text = "unknown error";
	else
		failure.text = arena_printf(arena, "%s: %s", cause.error_class, cause.message);
	return failure;
}

/* " (error group 0123abcd)" */
static const char *group_words(const struct account *account)
{
	const char *group = job_error_group(account->facts->job, account->facts->details);

	return group ? arena_printf(account->why->arena, " (error group %s)", group) : "";
}

static void add_fields(const struct account *account, struct why_reason *reason, int64_t at,
		       const struct failure *failure)
{
	const char *group = job_error_group(account->facts->job, account->facts->details);

	why_time_field(reason, "at", at);
	why_text_field(reason, "error", failure->class_name);
	why_text_field(reason, "message", failure->message);
	if (group)
		why_text_field(reason, "group", group);
}

/* Adds with which error a failed job failed. */
static void why_failed(struct account *account)
{
	const struct job *job = account->facts->job;
	const struct failure failure = failure_of(account->why->arena, job->error);
	struct why_reason *reason =
		why_add(account, "failed",
			"It failed at %s with %s%s; `dray retry %" PRId64 "` runs it again.",
			why_time(account, job->since), failure.text, group_words(account), job->id);

	add_fields(account, reason, job->since, &failure);
	if (strcmp(failure.class_name, UNKNOWN_CLASS) == 0)
		why_text_field(why_add(account, "unknown_class",
				       "The worker that claimed it does not know the class %s.",
				       job->class_name),
			       "class", job->class_name);
}

/* The last run if it has ended so, which says what the job waits for; else NULL. */
static const struct job_details_run *last_run(const struct job_details *details,
					      const char *outcome)
{
	const struct job_details_run *last = details->run_count > 0 ? details->runs : NULL;

	return last && strcmp(last->outcome, outcome) == 0 ? last : NULL;
}

static const char *used(const struct account *account)
{
	const int executions = account->facts->details->executions;
	const int64_t attempts = account->facts->attempts;

	if (attempts == 0)
		return "";
	return arena_printf(account->why->arena, " It has used %d of %" PRId64 " executions%s.",
			    executions, attempts,
			    executions + 1 >= attempts ? ", and the next one is the last" : "");
}

/* Adds after which failure a scheduled job waits for its retry, if it does. */
static void why_retrying(struct account *account)
{
	const struct job_details *details = account->facts->details;
	const struct job_details_run *run = last_run(details, "retried");

	if (!run)
		return;
	const struct failure failure = failure_of(account->why->arena, run->error);
	struct why_reason *reason =
		why_add(account, "retrying",
			"It waits for a retry: attempt %" PRId64 " failed at %s with %s%s.%s",
			run->attempt, why_time(account, run->ended_at), failure.text,
			group_words(account), used(account));
	add_fields(account, reason, run->ended_at, &failure);
	why_number_field(reason, "attempt", run->attempt);
	why_number_field(reason, "executions", details->executions);
	if (account->facts->attempts > 0)
		why_number_field(reason, "attempts", account->facts->attempts);
}

/* Adds that a scheduled job has put itself off, and with which words, if it has. */
static void why_snoozed(struct account *account)
{
	const struct job_details_run *run = last_run(account->facts->details, "snoozed");

	if (!run)
		return;
	const char *words = cause_of(account->why->arena, run->error).message;
	struct why_reason *reason = why_add(
		account, "snoozed", "Attempt %" PRId64 " put it off at %s: %s.", run->attempt,
		why_time(account, run->ended_at), words ? words : "it did not say why");
	why_number_field(reason, "attempt", run->attempt);
	why_time_field(reason, "at", run->ended_at);
	why_text_field(reason, "text", words);
}

/* Adds who has cancelled it, when and why: of a job that runs, or that has ended so. */
static void why_cancelled(struct account *account)
{
	const struct why_facts *facts = account->facts;
	const struct job_details *details = facts->details;
	const struct job_details_run *last = details->run_count > 0 ? details->runs : NULL;
	const char *text = details->cancelled;
	int64_t at = details->cancelled_at;
	const bool ended = facts->job->state == JOB_FINISHED && last &&
			   strcmp(last->outcome, "cancelled") == 0;

	if (ended) {
		text = cause_of(account->why->arena, last->error).message;
		at = last->ended_at;
	}
	if (at == 0 || !text)
		return;
	struct why_reason *reason =
		why_add(account, ended ? "cancelled" : "cancelling", "At %s it was %s%s",
			why_time(account, at), text, ended ? "." : "; its worker is to stop it.");
	why_time_field(reason, "at", at);
	why_text_field(reason, "text", text);
}

/* The reasons by state. */

static const char *serves(int64_t count)
{
	return count == 1 ? "serves" : "serve";
}

static void add_unserved(struct account *account)
{
	const char *queue = account->facts->job->queue;
	int64_t silent = account->facts->workers.silent;
	struct why_reason *reason;

	if (silent > 0)
		reason = why_add(account, "unserved",
				 "No living worker serves the queue %s: %" PRId64
				 " that did %s sent no heartbeat for too long.",
				 queue, silent, silent == 1 ? "has" : "have");
	else
		reason = why_add(account, "unserved", "No worker serves the queue %s.", queue);
	why_text_field(reason, "queue", queue);
	why_number_field(reason, "silent", silent);
}

static void add_refusal(struct account *account, const char *kind, int64_t count, const char *how)
{
	int64_t alive = account->facts->workers.alive;

	if (count == 0)
		return;
	struct why_reason *reason = why_add(
		account, kind, "Of the %" PRId64 " worker%s that %s its queue, %" PRId64 " %s.",
		alive, why_plural(alive), serves(alive), count, how);
	why_number_field(reason, "workers", alive);
	why_number_field(reason, "count", count);
}

/* What a process that cannot work says of itself; it `has`, or they `have`. */
static const char *trouble_words(const struct account *account, const char *have,
				 const struct server *server)
{
	return arena_printf(account->why->arena, "%s not been able to work since %s: %s", have,
			    why_time(account, server->trouble_since), server->trouble);
}

/* Adds that no dispatcher does `what`, if that is so. */
static void add_no_dispatcher(struct account *account, const char *what)
{
	const struct server *stuck = account->facts->stuck_dispatcher;

	if (account->facts->dispatcher)
		return;
	if (stuck)
		(void)why_add(account, "trouble", "The dispatcher %s.",
			      trouble_words(account, "has", stuck));
	else
		(void)why_add(account, "no_dispatcher", "No dispatcher is alive to %s.", what);
}

#define UNSAID                                                                                     \
	"a worker that is leaving after a reload and has not said that it claims no more: it may " \
	"be frozen (`dray processes` shows it)"

static void add_environment(struct account *account)
{
	const struct why_facts *facts = account->facts;
	const struct why_workers *workers = &facts->workers;
	struct arena *arena = account->why->arena;
	const char *class_name = facts->job->class_name;

	why_pause(account, "queue_paused", "Its queue", &facts->queue_pause);
	why_pause(account, "class_paused", arena_printf(arena, "Its class %s", class_name),
		  &facts->class_pause);
	if (workers->alive == 0)
		add_unserved(account);
	if (workers->takers > 0)
		return;
	add_refusal(account, "leaving", workers->ending,
		    workers->ending == 1 ? "is leaving after a reload: it ends its jobs and claims "
					   "nothing"
					 : "are leaving after a reload: they end their jobs and "
					   "claim nothing");
	add_refusal(account, "quiet", workers->quiet,
		    workers->quiet == 1 ? "is quiet and claims nothing"
					: "are quiet and claim nothing");
	add_refusal(account, "process_paused", workers->paused,
		    workers->paused == 1 ? "is paused" : "are paused");
	add_refusal(account, "waits", workers->held,
		    workers->held == 1 ? "waits for " UNSAID : "wait for " UNSAID);
	if (workers->troubled > 0)
		add_refusal(account, "trouble", workers->troubled,
			    trouble_words(account, workers->troubled == 1 ? "has" : "have",
					  workers->trouble));
	add_refusal(
		account, "class_left", workers->strangers,
		arena_printf(arena, "%s jobs of the class %s, which %s not know%s",
			     workers->strangers == 1 ? "leaves" : "leave", class_name,
			     workers->strangers == 1 ? "it does" : "they do",
			     facts->declared ? ": jobs.yml has it now, so run `dray reload`" : ""));
}

/* Microseconds until the jobs ahead are done; 0 = unknown. */
static int64_t estimate(const struct why_facts *facts)
{
	double minute = facts->throughput.minute > 0 ? (double)facts->throughput.minute
						     : (double)facts->throughput.hour / 60;

	if (minute <= 0 || facts->workers.takers == 0 || facts->queue_pause.since > 0)
		return 0;
	return (int64_t)((double)facts->ahead / minute * (double)CLOCK_MINUTE);
}

/* The job is on its last chance, and every worker that could claim it runs another such job. */
static bool kept_apart(const struct why_facts *facts)
{
	return facts->workers.apart > 0 && facts->workers.apart >= facts->workers.takers;
}

static void add_ahead(struct account *account)
{
	const struct why_facts *facts = account->facts;
	struct arena *arena = account->why->arena;
	bool more = facts->ahead > WHY_MOST_AHEAD;
	bool blocked = facts->job->state == JOB_BLOCKED;
	int64_t left = blocked || kept_apart(facts) ? 0 : estimate(facts);
	const char *turn = "";

	if (facts->ahead == 0)
		return;
	if (left > 0)
		turn = arena_printf(arena, "; at the current rate, its turn comes in %s %s",
				    more ? "more than" : "about", why_span(account, left));
	struct why_reason *reason =
		why_add(account, "ahead", "%s job%s %s before it%s.",
			more ? "More than 1,000" : arena_printf(arena, "%" PRId64, facts->ahead),
			why_plural(facts->ahead),
			blocked ? (facts->ahead == 1 ? "waits for the same key and comes"
						     : "wait for the same key and come")
				: (facts->ahead == 1 ? "of its queue comes" : "of its queue come"),
			turn);
	why_number_field(reason, "jobs", more ? WHY_MOST_AHEAD : facts->ahead);
	why_number_field(reason, "more", more);
	why_number_field(reason, "seconds", left / CLOCK_SECOND);
}

/* Whether those that are leaving hold threads of these workers, or others', is not known. */
static void add_busy(struct account *account)
{
	const struct why_workers *workers = &account->facts->workers;
	struct why_reason *reason;

	if (workers->threads == 0 || workers->busy + workers->ending_jobs < workers->threads)
		return;
	if (workers->busy >= workers->threads) {
		reason = why_add(account, "busy",
				 "All %" PRId64 " threads of the %" PRId64 " worker%s that %s "
				 "its queue are busy.",
				 workers->threads, workers->takers, why_plural(workers->takers),
				 serves(workers->takers));
	} else {
		reason = why_add(account, "held",
				 "The %" PRId64 " free thread%s of the %" PRId64
				 " worker%s that %s its "
				 "queue may be held by the %" PRId64 " job%s of workers that are "
				 "leaving after a reload.",
				 workers->threads - workers->busy,
				 why_plural(workers->threads - workers->busy), workers->takers,
				 why_plural(workers->takers), serves(workers->takers),
				 workers->ending_jobs, why_plural(workers->ending_jobs));
		why_number_field(reason, "jobs", workers->ending_jobs);
	}
	why_number_field(reason, "threads", workers->threads);
	why_number_field(reason, "workers", workers->takers);
}

static void add_apart(struct account *account)
{
	const struct why_facts *facts = account->facts;
	const struct why_workers *workers = &facts->workers;

	if (!kept_apart(facts))
		return;
	struct why_reason *reason = why_add(
		account, "last_chance",
		"It has been lost %" PRId64 " time%s, and the next loss ends it. A worker runs "
		"only one such job at a time, and %s %" PRId64
		" worker%s that %s its queue is running one (such as job %" PRId64 ").",
		facts->job->losses, why_plural(facts->job->losses),
		workers->takers == 1 ? "the" : "each of the", workers->takers,
		why_plural(workers->takers), serves(workers->takers), facts->apart_job);
	why_number_field(reason, "losses", facts->job->losses);
	why_number_field(reason, "workers", workers->takers);
	why_number_field(reason, "job", facts->apart_job);
}

static void explain_ready(struct account *account)
{
	add_environment(account);
	add_busy(account);
	add_apart(account);
	add_ahead(account);
	if (account->why->count == 0)
		(void)why_add(account, "next",
			      "Nothing holds it up: the next free worker claims it.");
}

/* A time that the queue's comparison misreads. */
static struct why_reason *add_odd_time(struct account *account)
{
	const struct why_facts *facts = account->facts;
	struct why_reason *reason;

	if (facts->never)
		reason = why_add(account, "never_due",
				 "Its scheduled_at is %s, so it is never due. `dray run-now` makes "
				 "it due; `dray doctor --repair` does so for all such jobs.",
				 facts->odd_time);
	else
		reason = why_add(account, "odd_time",
				 "Its scheduled_at was written by hand and cannot be compared: "
				 "'%s'. %s",
				 facts->odd_time,
				 facts->dispatcher
					 ? "A dispatcher corrects it at its next maintenance; "
					   "`dray doctor --repair` does so now."
					 : "`dray doctor --repair` corrects it.");
	why_text_field(reason, "scheduled_at", facts->odd_time);
	return reason;
}

static void explain_scheduled(struct account *account)
{
	const struct why_facts *facts = account->facts;
	int64_t due = facts->job->scheduled_at;
	struct why_reason *reason;

	why_retrying(account);
	why_snoozed(account);
	if (facts->odd_time)
		reason = add_odd_time(account);
	else if (due > facts->now)
		reason = why_add(account, "scheduled", "It is due at %s.", why_time(account, due));
	else
		reason = why_add(
			account, "due", "It has been due since %s%s.", why_time(account, due),
			facts->dispatcher ? ": a dispatcher makes it ready at one of its next polls"
					  : "");
	if (!facts->odd_time)
		why_time_field(reason, "at", due);
	add_no_dispatcher(account, "make it ready");
	add_environment(account);
}

/* The key that it waits for: "k" or "k (one of its 2 keys)". */
static const char *waits_for(const struct account *account)
{
	const struct job_details *details = account->facts->details;
	const char *key = details->waits_for ? details->waits_for : "";

	if (details->more_count == 0)
		return key;
	return arena_printf(account->why->arena, "%s (one of its %zu keys)", key,
			    details->more_count + 1);
}

static void add_holder(struct account *account, const struct holder *holder)
{
	const char *who = "that job is ready but does not run yet";

	if (holder->process)
		who = arena_printf(account->why->arena, "%s on host %s (pid %d) runs it",
				   holder->process, holder->hostname ? holder->hostname : "unknown",
				   holder->pid);
	else if (holder->claimed_at > 0)
		who = "the process that ran it is gone";
	struct why_reason *reason = why_add(account, "limited",
					    "It waits for the key %s, which job %" PRId64
					    " (%s) has held since %s: %s.",
					    waits_for(account), holder->job_id, holder->class_name,
					    why_time(account, holder->since), who);
	why_text_field(reason, "key", account->facts->details->waits_for);
	why_number_field(reason, "job", holder->job_id);
	why_time_field(reason, "since", holder->since);
	why_text_field(reason, "process", holder->process);
	why_text_field(reason, "host", holder->hostname);
	why_number_field(reason, "pid", holder->pid);
}

static void explain_blocked(struct account *account)
{
	const struct why_facts *facts = account->facts;

	for (size_t i = 0; i < facts->holders.count; i++)
		add_holder(account, &facts->holders.list[i]);
	if (facts->holders.count == 0)
		why_text_field(
			why_add(account, "limited",
				"It waits for the key %s, which no running job is known to hold: a "
				"dispatcher's maintenance admits it when a slot is free.",
				waits_for(account)),
			"key", facts->details->waits_for);
	if (facts->holders.count == 0)
		add_no_dispatcher(account, "do that");
	add_ahead(account);
	add_environment(account);
}

static const char *silence(const struct process_row *process)
{
	return shared_is_ours(process->metadata)
		       ? ", but has sent no heartbeat for too long: when it is presumed dead, the "
			 "job goes back to its queue"
		       : ", but has sent no heartbeat for too long: when it is presumed dead, the "
			 "job fails, or with other_on_lost: requeue goes back to its queue";
}

static void explain_claimed(struct account *account)
{
	const struct why_facts *facts = account->facts;
	const struct process_row *process = &facts->details->process;
	const char *since = why_time(account, facts->job->since);
	struct why_reason *reason;

	account->why->running = process->id > 0 && !facts->process_silent;
	if (process->id == 0) {
		reason = why_add(account, "orphaned",
				 "It was claimed at %s by a process that is gone: it %s when a "
				 "supervisor next looks for such jobs.",
				 since,
				 facts->orphan_fails ? "fails (other_on_lost)"
						     : "goes back to its queue");
		why_time_field(reason, "since", facts->job->since);
		return;
	}
	reason = why_add(account, account->why->running ? "running" : "silent",
			 "%s on host %s (pid %d) has held it since %s%s.", process->name,
			 process->hostname ? process->hostname : "unknown", process->pid, since,
			 account->why->running ? "" : silence(process));
	why_time_field(reason, "since", facts->job->since);
	why_text_field(reason, "process", process->name);
	why_text_field(reason, "host", process->hostname);
	why_number_field(reason, "pid", process->pid);
	why_time_field(reason, "last_heartbeat_at", process->last_heartbeat_at);
}

static void explain_finished(struct account *account)
{
	int64_t at = account->facts->job->finished_at;

	why_time_field(why_add(account, "finished", "It finished at %s.",
			       at > 0 ? why_time(account, at) : "a time that cannot be read"),
		       "at", at);
}

static void explain_nowhere(struct account *account)
{
	(void)why_add(account, "nowhere",
		      "It is in no table. Neither dray nor Solid Queue leaves a job like that: "
		      "`dray doctor` explains it, and with --repair repairs it.");
}

static const struct {
	const char *headline;
	void (*explain)(struct account *account);
} states[] = {
	[JOB_READY] = { "is ready, but not running", explain_ready },
	[JOB_SCHEDULED] = { "is scheduled", explain_scheduled },
	[JOB_CLAIMED] = { "is claimed", explain_claimed },
	[JOB_BLOCKED] = { "is blocked", explain_blocked },
	[JOB_FAILED] = { "has failed", why_failed },
	[JOB_FINISHED] = { "has finished", explain_finished },
	[JOB_STATES] = { "is unfinished", explain_nowhere },
};

void why_explain(struct arena *arena, const struct why_facts *facts, struct why *why)
{
	const struct job *job = facts->job;
	struct account account = { facts, why };
	struct text text = { 0 };

	*why = (struct why){ .arena = arena };
	const bool refused = why_refused(&account);
	if (!refused || job->state != JOB_READY)
		states[job->state].explain(&account);
	why->running = why->running && !refused;
	why_cancelled(&account);
	text_printf(&text, "Job %" PRId64 " (%s on queue %s) %s.", job->id, job->class_name,
		    job->queue, why->running ? "is running" : states[job->state].headline);
	for (size_t i = 0; i < why->count; i++)
		text_printf(&text, " %s", why->reasons[i].text);
	why->text = text_take(&text, arena);
}

/* What becomes of the rows of a job that does not exist. */

static const char *left_claim(const struct account *account, const struct why_left *left)
{
	struct arena *arena = account->why->arena;

	if (left->process)
		return arena_printf(arena,
				    "claimed by %s: what it does with the job goes on, and the row "
				    "is deleted when that ends",
				    left->process);
	return arena_printf(arena,
			    "claimed by process %" PRId64 ", which is gone: it is deleted when a "
			    "supervisor next looks for such claims",
			    left->process_id);
}

static const char *left_words(const struct account *account, const struct why_left *left)
{
	struct arena *arena = account->why->arena;

	if (strcmp(left->state, "claimed") == 0)
		return left_claim(account, left);
	if (strcmp(left->state, "ready") == 0)
		return arena_printf(arena,
				    "ready on queue %s: a worker of that queue deletes it when its "
				    "turn comes",
				    left->queue);
	if (strcmp(left->state, "scheduled") == 0)
		return arena_printf(arena, "scheduled for %s: a dispatcher deletes it then",
				    why_time(account, left->due_at));
	if (strcmp(left->state, "blocked") == 0)
		return "blocked: a dispatcher deletes it";
	return "failed: nobody but `dray doctor --repair` deletes it";
}

void why_explain_left(struct arena *arena, int64_t id, int64_t now, const struct why_left list[],
		      size_t count, struct why *why)
{
	const struct why_facts facts = { .now = now };
	struct account account = { &facts, why };
	struct text text = { 0 };

	*why = (struct why){ .arena = arena };
	text_printf(&text,
		    "Job %" PRId64 " does not exist: its row was deleted without those that refer "
		    "to it.",
		    id);
	for (size_t i = 0; i < count; i++) {
		const struct why_left *left = &list[i];
		struct why_reason *reason =
			why_add(&account, "missing", "A row of %s says that it is %s.",
				why_time(&account, left->since), left_words(&account, left));
		why_text_field(reason, "state", left->state);
		why_time_field(reason, "since", left->since);
		why->running = why->running || left->process;
		text_printf(&text, " %s", reason->text);
	}
	text_add(&text, " `dray doctor --repair` deletes all of that at once.");
	why->text = text_take(&text, arena);
}
