#include <string.h>

#include "policy/policy.h"
#include "queue/classes/classes.h"

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
			struct error *error)
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
	return limit_keys(arena, list, count, job, error);
}
