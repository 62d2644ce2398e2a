/* Jobs that show each side of the interface. */
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <dray.h>

static enum dray_result noop(struct dray_job *job)
{
	(void)job;
	return DRAY_OK;
}

/* Is it in the claim's token, in the order of include/dray.h? */
static int token_names_run(struct dray_job *job)
{
	char names[64];
	const char *token = dray_job_claim_token(job);

	(void)snprintf(names, sizeof(names), "-%lld-%lld-", (long long)dray_job_claim(job),
		       (long long)dray_job_id(job));
	return strspn(token, "0123456789") == 16 && strstr(token, names) == token + 16;
}

/* Tells all it knows through the only way that comes back to the test: its failure. */
static enum dray_result tell(struct dray_job *job)
{
	int64_t integer = -1;
	double real = -1;
	bool boolean = false;
	const char *text = dray_job_text(job, "text");

	(void)dray_job_integer(job, "integer", &integer);
	(void)dray_job_real(job, "real", &real);
	(void)dray_job_boolean(job, "boolean", &boolean);
	return dray_job_fail(job, "Told", "%lld %s %s %s %d %d|%s|%s %lld %.2f %d|%s|%d|%d|%d",
			     (long long)dray_job_id(job), dray_job_active_job_id(job),
			     dray_job_class(job), dray_job_queue(job), dray_job_priority(job),
			     dray_job_attempt(job), dray_job_text(job, "0"), text,
			     (long long)integer, real, boolean, dray_job_arguments(job),
			     dray_job_arguments_json(job) != NULL, token_names_run(job),
			     dray_job_losses(job));
}

/* Every accessor asked for what is not there or of another type. */
static enum dray_result ask_wrongly(struct dray_job *job)
{
	int64_t integer = 5;
	double real = 5;
	bool boolean = true;
	bool found = dray_job_integer(job, "text", &integer) || dray_job_real(job, "text", &real) ||
		     dray_job_boolean(job, "text", &boolean) ||
		     dray_job_integer(job, "99", &integer) || dray_job_integer(job, "", &integer) ||
		     dray_job_integer(job, "99999999999999999999", &integer);

	if (found || integer != 5 || real != 5 || !boolean || dray_job_text(job, "none") != NULL)
		return dray_job_fail(job, "Wrong", "found what is not there");
	return dray_job_missing(job, "none");
}

static enum dray_result fail_silently(struct dray_job *job)
{
	(void)job;
	return DRAY_FAILED;
}

static enum dray_result fail_and_forget(struct dray_job *job)
{
	(void)dray_job_fail(job, "First", "one");
	(void)dray_job_fail(job, "Second", "two");
	return DRAY_OK;
}

static enum dray_result return_nonsense(struct dray_job *job)
{
	(void)job;
	return (enum dray_result)7;
}

/* Runs until the worker stops. */
static enum dray_result wait_for_stop(struct dray_job *job)
{
	dray_job_log(job, "waiting, attempt %d", dray_job_attempt(job));
	while (!dray_job_stopping(job))
		(void)sched_yield();
	return DRAY_OK;
}

/* Says in the file {0} that it has begun. */
static int say_so(struct dray_job *job)
{
	FILE *file = fopen(dray_job_text(job, "0"), "we");

	return file != NULL && fputs("begun\n", file) != EOF && fclose(file) == 0;
}

/* Says so, and gives its job back when it is to stop. */
static enum dray_result yield(struct dray_job *job)
{
	if (!say_so(job))
		return DRAY_FAILED;
	while (!dray_job_stopping(job))
		(void)sched_yield();
	return dray_job_give_back(job);
}

/* Says so, and goes on until it is cancelled. */
static enum dray_result wait_for_cancel(struct dray_job *job)
{
	if (!say_so(job))
		return DRAY_FAILED;
	while (!dray_job_cancelled(job))
		(void)sched_yield();
	return dray_job_stopping(job) ? DRAY_OK : DRAY_FAILED;
}

static enum dray_result yield_at_once(struct dray_job *job)
{
	(void)dray_job_give_back(job);
	return DRAY_OK;
}

/* Ends as the argument says; the last call counts, whatever is returned. */
static enum dray_result end(struct dray_job *job)
{
	const char *how = dray_job_text(job, "0");

	(void)dray_job_discard(job, "Early", "forgotten");
	if (strcmp(how, "discard") == 0)
		return dray_job_discard(job, "GoneError", "%s is gone", "it");
	if (strcmp(how, "snooze") == 0)
		return dray_job_snooze(job, 3600, "not before %d", 9);
	if (strcmp(how, "retry") == 0)
		return dray_job_retry_in(job, 1800.5, "BusyError", "busy");
	if (strcmp(how, "fail") == 0)
		return dray_job_fail(job, "HardError", "hard");
	(void)dray_job_snooze(job, -1, "at once");
	return DRAY_OK;
}

static enum dray_result never_end(struct dray_job *job)
{
	dray_job_log(job, "for ever");
	while (pause() != 0)
		;
	return DRAY_OK;
}

static const struct dray_function functions[] = {
	{ "NoopJob", noop },
	{ "TellJob", tell },
	{ "AskWronglyJob", ask_wrongly },
	{ "FailSilentlyJob", fail_silently },
	{ "FailForgetJob", fail_and_forget },
	{ "NonsenseJob", return_nonsense },
	{ "WaitJob", wait_for_stop },
	{ "HangJob", never_end },
	{ "EndJob", end },
	{ "YieldJob", yield },
	{ "CancelJob", wait_for_cancel },
	{ "YieldAtOnceJob", yield_at_once },
	{ NULL, NULL },
};

DRAY_MODULE("probe", functions);
