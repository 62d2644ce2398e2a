/*
 * What the configuration means to the queue: what classes declare, what a job has when it names
 * none, and what becomes of the jobs of a process that died.
 *
 * A process that finds a dead one may not know the classes of its jobs, so what it needs of a
 * class's `retry` is published with them (dray_classes.lost_end), as JSON: {"discard": true}, or
 * how retries are made.
 */
#include <jansson.h>
#include <string.h>

#include "policy/policy.h"
#include "queue/classes/classes.h"

/* Losses: jobs whose process died */

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

struct loss_policy policy_losses(const struct config *config)
{
	return (struct loss_policy){
		.max_losses = config_losses(config, NULL),
		.keep_attempts = config->process.keep_attempts,
		.end = policy_lost_end,
		.others_fail = config->process.other_on_lost == ON_LOST_FAIL,
		.other_class = config_other_class(config),
	};
}

struct prune policy_silence(const struct config *config, int64_t self)
{
	return prune_after(config->process.process_alive_threshold,
			   config->process.other_process_alive_threshold, self);
}

/* Classes: what they declare */

static const enum conflict conflicts[] = {
	[CONFLICT_BLOCK] = LIMIT_BLOCK,
	[CONFLICT_DISCARD] = LIMIT_DISCARD,
	[CONFLICT_REPLACE] = LIMIT_REPLACE,
	[CONFLICT_CANCEL] = LIMIT_CANCEL,
};

/* The texts of the result belong to the configuration. */
static struct limit limit_of(const struct config *config, const struct config_class *class,
			     size_t position)
{
	const struct config_concurrency *own = &class->concurrency[position];
	int64_t standard = config->process.default_concurrency_control_period;

	return (struct limit){ .class_name = class->name,
			       .slots = own->to,
			       .duration = own->duration < 0 ? standard : own->duration,
			       .on_conflict = conflicts[own->on_conflict],
			       .key = own->key,
			       .group = own->group };
}

static size_t list_limits(const struct config *config, const struct config_class *class,
			  struct limit list[])
{
	for (size_t i = 0; i < class->concurrency_count; i++)
		list[i] = limit_of(config, class, i);
	return class->concurrency_count;
}

/* Of a class that other software runs nothing is declared about losses. */
static struct class_policy policy_of(const struct config *config, const struct config_class *class,
				     struct arena *arena)
{
	struct limit *limits = arena_array(arena, CONCURRENCY_MOST, sizeof(*limits));

	return (struct class_policy){
		.name = class->name,
		.max_losses = class->handler == HANDLER_NONE ? JOB_NO_BOUND
							     : config_losses(config, class),
		.lost_end = class->handler == HANDLER_NONE
				    ? NULL
				    : policy_lost_declared(arena, &class->retry),
		.limits = limits,
		.limit_count = list_limits(config, class, limits),
	};
}

enum status policy_introduce_classes(struct db *db, const struct config *config,
				     const char *class_name, struct error *error)
{
	struct arena *arena = arena_new();
	struct class_policy *list = arena_array(arena, config->class_count + 1, sizeof(*list));
	size_t count = 0;

	for (size_t i = 0; i < config->class_count; i++) {
		const struct config_class *class = &config->classes[i];
		if (class->concurrency_count > 0 &&
		    (!class_name || strcmp(class->name, class_name) == 0))
			list[count++] = policy_of(config, class, arena);
	}
	enum status status = classes_introduce(db, list, count, error);
	arena_free(arena);
	return status;
}

enum status policy_publish_classes(struct db *db, const struct config *config, struct error *error)
{
	struct arena *arena = arena_new();
	struct class_policy *list = arena_array(arena, config->class_count + 1, sizeof(*list));

	for (size_t i = 0; i < config->class_count; i++)
		list[i] = policy_of(config, &config->classes[i], arena);
	enum status status = classes_publish(db, list, config->class_count, error);
	arena_free(arena);
	return status;
}

enum status policy_keys(struct arena *arena, const struct config *config, struct new_job *job,
			const struct payload *read, struct error *error)
{
	const struct config_class *class = config_class_find(config, job->class_name);
	struct limit list[CONCURRENCY_MOST];
	size_t count;

	if (!class || class->concurrency_count == 0 || job->concurrency_key)
		return STATUS_OK;
	count = list_limits(config, class, list);
	job->cancels_none = true;
	for (size_t i = 0; i < count; i++)
		job->cancels_none = job->cancels_none && list[i].on_conflict != LIMIT_CANCEL;
	return limit_keys(arena, list, count, job, read, error);
}

/* Defaults: what a job may omit */

void policy_defaults(const struct config *config, struct new_job *job)
{
	const struct config_class *class = config_class_find(config, job->class_name);

	if (!class)
		return;
	if (!job->queue)
		job->queue = class->queue;
	if (!job->has_priority && class->priority != 0) {
		job->priority = class->priority;
		job->has_priority = true;
	}
}
