/* Job classes of the proofs; the first argument is the duration of the work in milliseconds. */
#include <unistd.h>

#include "bench/effect.h"
#include "dray.h"

static bool leave_trace(struct dray_job *job)
{
	int64_t milliseconds = 0;
	int64_t claim = dray_job_claim(job);
	bool written = effect_write(EFFECT_BEGIN, dray_job_id(job), claim, getpid());

	(void)dray_job_integer(job, "0", &milliseconds);
	effect_work(milliseconds);
	return written && effect_write(EFFECT_END, dray_job_id(job), claim, getpid());
}

static enum dray_result effect(struct dray_job *job)
{
	return leave_trace(job) ? DRAY_OK : dray_job_fail(job, "Effect::Error", "no trace left");
}

/* Fails in its first attempts, as many as the second argument says. */
static enum dray_result failing(struct dray_job *job)
{
	int64_t failures = INT64_MAX;

	(void)dray_job_integer(job, "1", &failures);
	if (!leave_trace(job))
		return dray_job_fail(job, "Effect::Error", "no trace left");
	if (dray_job_attempt(job) > failures)
		return DRAY_OK;
	return dray_job_fail(job, "Effect::Planned", "as planned");
}

static const struct dray_function functions[] = { { "Effect", effect },
						  { "Failing", failing },
						  { "Limited", effect },
						  { "Regional", effect },
						  { NULL, NULL } };
DRAY_MODULE("effect", functions);
