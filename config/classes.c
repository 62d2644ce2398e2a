/* What a loaded configuration says of its classes. */
#include <stdlib.h>
#include <string.h>

#include "common/text/text.h"
#include "config/config.h"

static int by_name(const void *name, const void *entry)
{
	return strcmp(name, ((const struct config_class *)entry)->name);
}

int64_t config_losses(const struct config *config, const struct config_class *class)
{
	const struct config_process *process = &config->process;
	bool own_fate = class && class->on_lost != ON_LOST_INHERITED;
	bool own_bound = class && class->max_losses >= 0;

	if ((own_fate ? class->on_lost : process->on_lost) == ON_LOST_FAIL)
		return 0;
	return own_bound ? class->max_losses : process->max_losses;
}

int64_t config_grace(const struct config *config, const struct config_class *class)
{
	return class && class->stop.grace >= 0 ? class->stop.grace : config->process.stop_grace;
}

int64_t config_grace_most(const struct config *config)
{
	int64_t most = config->process.stop_grace;

	for (size_t i = 0; i < config->class_count; i++) {
		const int64_t grace = config_grace(config, &config->classes[i]);

		most = grace > most ? grace : most;
	}
	return most;
}

const char *config_settings_file(const struct config *config)
{
	const struct config_file *file = &config->files[0];

	if (config->rails && strcmp(file->origin, "default") == 0)
		return "config/dray.yml";
	return file->name ? file->name : "queue.yml";
}

const char *config_start(const struct config *config, const char *file)
{
	for (size_t i = 0; i < sizeof(config->files) / sizeof(config->files[0]); i++)
		if (config->files[i].system && text_same(config->files[i].path, file))
			return config->state;
	return config->root ? config->root : ".";
}

const struct config_class *config_class_find(const struct config *config, const char *name)
{
	if (config->class_count == 0)
		return NULL;
	return bsearch(name, config->classes, config->class_count, sizeof(*config->classes),
		       by_name);
}

const struct config_class *config_class_declared(const struct config *config, const char *name)
{
	const struct config_class *class = config_class_find(config, name);

	return class && class->handler != HANDLER_NONE ? class : NULL;
}

const char *config_other_class(const struct config *config)
{
	for (size_t i = 0; i < config->class_count; i++)
		if (config->classes[i].run_by == RUN_BY_OTHER)
			return config->classes[i].name;
	return NULL;
}

const struct config_class *config_module_gone(const struct config *before,
					      const struct config *after)
{
	for (size_t i = 0; i < before->class_count; i++) {
		const struct config_class *class = &before->classes[i];
		const struct config_class *other = config_class_find(after, class->name);

		if (class->handler == HANDLER_MODULE &&
		    (!other || other->handler != HANDLER_MODULE))
			return class;
	}
	return NULL;
}
