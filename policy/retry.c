/* What becomes of a job that failed: which errors are retried, and after how long. */
#include <string.h>
#include <sysexits.h>

#include "common/clock.h"
#include "common/text/uuid.h"
#include "policy/policy.h"

#define BASE      3.0 /* seconds: Active Job's usual wait */
#define DOUBLINGS 40  /* from the base to more than any max_wait */

static double nth(const struct config_retry *retry, int64_t executions)
{
	size_t last = retry->wait_count - 1;
	size_t at = (size_t)executions <= last ? (size_t)executions - 1 : last;

	return (double)retry->waits[at] / (double)CLOCK_SECOND;
}

static double growing(const struct config_retry *retry, int64_t executions)
{
	double n = (double)executions;

	switch (retry->wait) {
	case WAIT_LINEAR:
		return BASE * n;
	case WAIT_EXPONENTIAL:
		return BASE * (double)(INT64_C(1)
				       << (executions > DOUBLINGS ? DOUBLINGS : executions - 1));
	case WAIT_POLYNOMIAL:
		return n * n * n * n;
	case WAIT_FIXED:
	case WAIT_LIST:
		break;
	}
	return nth(retry, executions);
}

/*
 * The sums are Active Job's, in its order: the 2 s of polynomially_longer come last, and chance
 * adds nothing for them.
 */
int64_t policy_wait(const struct config_retry *retry, int64_t executions, double chance)
{
	double delay = growing(retry, executions);
	double seconds = delay + chance * delay * retry->jitter;

	if (retry->wait == WAIT_POLYNOMIAL)
		seconds += 2;
	double wait = seconds * (double)CLOCK_SECOND;
	return wait < (double)retry->max_wait ? (int64_t)(wait + 0.5) : retry->max_wait;
}

double policy_chance(void)
{
	return (double)random_below(UINT64_C(1) << 53) / (double)(UINT64_C(1) << 53);
}

static bool matches(const struct config_pattern *pattern, const struct run_failure *failure)
{
	if (failure->lost || pattern->kind == PATTERN_LOST)
		return failure->lost && pattern->kind == PATTERN_LOST;
	switch (pattern->kind) {
	case PATTERN_CLASS:
		return strcmp(failure->error_class, pattern->text) == 0;
	case PATTERN_PREFIX:
		return strncmp(failure->error_class, pattern->text, pattern->length) == 0;
	case PATTERN_STATUS:
		return failure->exit_status >= pattern->from && failure->exit_status <= pattern->to;
	case PATTERN_SIGNAL:
	case PATTERN_LOST:
		break;
	}
	return failure->signalled;
}

static bool is_among(const char *const patterns[], const struct run_failure *failure)
{
	struct config_pattern pattern;

	for (; patterns && *patterns; patterns++)
		if (config_pattern_parse(*patterns, &pattern) && matches(&pattern, failure))
			return true;
	return false;
}

/*
 * sysexits.h: usage, data, a missing input, user or host, permission, configuration and the like do
 * not mend themselves; EX_TEMPFAIL does.
 */
static bool mends_itself(int exit_status)
{
	return exit_status < EX__BASE || exit_status > EX__MAX || exit_status == EX_TEMPFAIL;
}

bool policy_is_final(const struct config_class *class, int exit_status)
{
	return class->retry.given && !class->retry.retry_on && !mends_itself(exit_status) &&
	       !policy_exit(class, exit_status);
}

const struct config_end *policy_exit(const struct config_class *class, int exit_status)
{
	const struct config_exit *found = NULL;

	if (class->handler != HANDLER_COMMAND || exit_status < 0)
		return NULL;
	for (size_t i = 0; i < class->exit_count; i++) {
		const struct config_exit *exit = &class->exit[i];
		if (exit_status >= exit->from && exit_status <= exit->to &&
		    (!found || exit->to - exit->from <= found->to - found->from))
			found = exit;
	}
	return found ? &found->said : NULL;
}

static enum retry_verdict judge_error(const struct config_retry *retry,
				      const struct run_failure *failure)
{
	const char *const *retried = (const char *const *)retry->retry_on;

	if (!retry->given)
		return VERDICT_FAIL;
	if (is_among((const char *const *)retry->discard_on, failure))
		return VERDICT_DISCARD;
	if (failure->exit_status == EX_TEMPFAIL && !failure->lost)
		return VERDICT_RETRY;
	if (retried ? is_among(retried, failure)
		    : !failure->lost && mends_itself(failure->exit_status))
		return VERDICT_RETRY;
	return VERDICT_FAIL;
}

enum retry_verdict policy_judge(const struct config_retry *retry, const struct run_failure *failure)
{
	static const enum retry_verdict verdicts[] = {
		[SAYS_DISCARD] = VERDICT_DISCARD,
		[SAYS_SNOOZE] = VERDICT_SNOOZE,
		[SAYS_RETRY] = VERDICT_RETRY,
		[SAYS_FAIL] = VERDICT_FAIL,
	};
	enum retry_verdict verdict =
		failure->said ? verdicts[failure->said->what] : judge_error(retry, failure);

	if (verdict == VERDICT_RETRY && failure->executions + 1 >= retry->attempts)
		return VERDICT_FAIL;
	return verdict;
}

const char *policy_retry_rule(struct arena *arena, const struct config_retry *retry)
{
	struct text rule = { 0 };

	if (!retry->retry_on)
		return "[StandardError]";
	for (const char *const *on = (const char *const *)retry->retry_on; *on; on++)
		text_printf(&rule, "%s%s", rule.length > 0 ? ", " : "[", *on);
	text_add(&rule, "]");
	return text_take(&rule, arena);
}
