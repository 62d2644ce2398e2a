/*
 * What a class's `retry` says of losses that end a job. A process that finds a dead one may not
 * know the classes of its jobs, so what it needs is published with them (dray_classes.lost_end), as
 * JSON: {"discard": true}, or how retries are made.
 */
#include <jansson.h>

#include <string.h>

#include "policy/policy.h"

static const char *const waits[] = {
	[WAIT_FIXED] = "fixed",
	[WAIT_LIST] = "list",
	[WAIT_LINEAR] = "linear",
	[WAIT_EXPONENTIAL] = "exponential",
	[WAIT_POLYNOMIAL] = "polynomially_longer",
};

static json_t *retries(struct arena *arena, const struct config_retry *retry)
{
	json_t *list = json_array();

	for (size_t i = 0; i < retry->wait_count; i++)
		json_array_append_new(list, json_integer(retry->waits[i]));
	return json_pack("{s:I, s:s, s:o, s:I, s:f, s:s}", "attempts", (json_int_t)retry->attempts,
			 "wait", waits[retry->wait], "waits", list, "max_wait",
			 (json_int_t)retry->max_wait, "jitter", retry->jitter, "rule",
			 policy_retry_rule(arena, retry));
}

const char *policy_lost_declared(struct arena *arena, const struct config_retry *retry)
{
	const struct run_failure loss = { .exit_status = -1, .lost = true };
	json_t *root = NULL;
	char *text;

	/* policy_judge looks at attempts, too: of one alone there is no retry. */
	switch (policy_judge(retry, &loss)) {
	case VERDICT_RETRY:
		root = retries(arena, retry);
		break;
	case VERDICT_DISCARD:
		root = json_pack("{s:b}", "discard", 1);
		break;
	case VERDICT_FAIL:
	case VERDICT_SNOOZE:
		return NULL;
	}
	text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(15));
	json_decref(root);
	const char *copy = arena_strdup(arena, text);
	free(text);
	return copy;
}

/* False when it is not what policy_lost_declared writes. */
static bool read_retry(struct arena *arena, json_t *root, struct config_retry *retry,
		       const char **rule)
{
	json_int_t attempts;
	json_int_t most;
	const char *wait;
	json_t *list;
	size_t shape = 0;

	if (json_unpack(root, "{s:I, s:s, s:o, s:I, s:F, s:s}", "attempts", &attempts, "wait",
			&wait, "waits", &list, "max_wait", &most, "jitter", &retry->jitter, "rule",
			rule) != 0)
		return false;
	int64_t *each = arena_array(arena, json_array_size(list) + 1, sizeof(*each));
	for (size_t i = 0; i < json_array_size(list); i++)
		each[i] = json_integer_value(json_array_get(list, i));
	while (shape < sizeof(waits) / sizeof(*waits) && strcmp(waits[shape], wait) != 0)
		shape++;
	*rule = arena_strdup(arena, *rule);
	retry->attempts = attempts;
	retry->max_wait = most;
	retry->waits = each;
	retry->wait_count = json_array_size(list);
	retry->wait = (enum config_wait)shape;
	return shape < sizeof(waits) / sizeof(*waits) &&
	       (retry->wait_count > 0 || (shape != WAIT_FIXED && shape != WAIT_LIST));
}

struct loss_end policy_lost_end(struct arena *arena, const char *declared, int executions)
{
	struct config_retry retry = { .given = true };
	struct loss_end end = { LOSS_FAILS, 0, NULL };
	json_t *root = json_loads(declared, 0, NULL);

	if (json_is_true(json_object_get(root, "discard"))) {
		end.fate = LOSS_DISCARDS;
	} else if (read_retry(arena, root, &retry, &end.rule) && executions + 1 < retry.attempts) {
		end.fate = LOSS_RETRIES;
		end.wait = policy_wait(&retry, executions + 1, policy_chance());
	}
	json_decref(root);
	return end;
}
