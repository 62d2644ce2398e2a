#include <string.h>

#include "policy/policy.h"

static const enum conflict conflicts[] = {
	[CONFLICT_BLOCK] = LIMIT_BLOCK,
	[CONFLICT_DISCARD] = LIMIT_DISCARD,
	[CONFLICT_REPLACE] = LIMIT_REPLACE,
};

/* The texts of the result belong to the configuration. */
static struct limit limit_of(const struct config *config, const struct config_class *class,
			     size_t position)
{
	const struct config_concurrency *own = &class->concurrency[position];
	int64_t standard = config->process.default_concurrency_control_period;

	return (struct limit){ .class_name = class->name,
			       .position = (int)position,
			       .slots = own->to,
			       .duration = own->duration < 0 ? standard : own->duration,
			       .on_conflict = conflicts[own->on_conflict],
			       .key = own->key,
			       .group = own->group };
}

static size_t add_limits(const struct config *config, const struct config_class *class,
			 struct limit list[])
{
	for (size_t i = 0; i < class->concurrency_count; i++)
		list[i] = limit_of(config, class, i);
	return class->concurrency_count;
}

enum status policy_introduce_limits(struct db *db, const struct config *config,
				    const char *class_name, struct error *error)
{
	struct arena *arena = arena_new();
	size_t most = config->class_count * CONCURRENCY_MOST;
	struct limit *list = arena_array(arena, most + 1, sizeof(*list));
	struct limits limits = { .list = list };
	enum status status = STATUS_OK;

	for (size_t i = 0; i < config->class_count; i++)
		if (!class_name || strcmp(config->classes[i].name, class_name) == 0)
			limits.count +=
				add_limits(config, &config->classes[i], list + limits.count);
	if (limits.count > 0)
		status = limits_introduce(db, &limits, error);
	arena_free(arena);
	return status;
}

enum status policy_publish_limits(struct db *db, const struct config *config, struct error *error)
{
	struct arena *arena = arena_new();
	size_t most = config->class_count * CONCURRENCY_MOST;
	struct limit *list = arena_array(arena, most + 1, sizeof(*list));
	const char **classes = arena_array(arena, config->class_count + 1, sizeof(*classes));
	struct limits limits = { .list = list,
				 .classes = classes,
				 .class_count = config->class_count };
	enum status status = STATUS_OK;

	for (size_t i = 0; i < config->class_count; i++) {
		classes[i] = config->classes[i].name;
		limits.count += add_limits(config, &config->classes[i], list + limits.count);
	}
	if (config->class_count > 0)
		status = limits_publish(db, &limits, error);
	arena_free(arena);
	return status;
}

enum status policy_keys(struct arena *arena, const struct config *config, struct new_job *job,
			struct error *error)
{
	const struct config_class *class = config_class_find(config, job->class_name);
	struct limit list[CONCURRENCY_MOST];

	if (!class || class->concurrency_count == 0 || job->concurrency_key)
		return STATUS_OK;
	return limit_keys(arena, list, add_limits(config, class, list), job, error);
}
