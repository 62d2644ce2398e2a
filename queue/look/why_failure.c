/* How the last run of a job failed: one that waits for a person, or for its retry. */
#include <inttypes.h>
#include <string.h>

#include "queue/look/why_parts.h"
#include "queue/payload/cause.h"

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

void why_failed(struct account *account)
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

/* A job that has put itself off since waits for that. */
static const struct job_details_run *retried_run(const struct job_details *details)
{
	const struct job_details_run *last = details->run_count > 0 ? details->runs : NULL;

	return last && strcmp(last->outcome, "retried") == 0 ? last : NULL;
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

void why_retrying(struct account *account)
{
	const struct job_details *details = account->facts->details;
	const struct job_details_run *run = retried_run(details);

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

void why_cancelled(struct account *account)
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
