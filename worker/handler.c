#include "worker/handler.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "common/text.h"
#include "worker/command.h"
#include "worker/environment.h"
#include "worker/module.h"

#define KNOWN_SHOWN 10

struct handlers {
	const struct config *config;
	struct handler *list; /* one for each of config->classes, in their order */
	const char **names;
	const char *known;
};

static const char *below_root(struct arena *arena, const struct config *config, const char *path)
{
	if (path == NULL || *path == '/')
		return path;
	return arena_printf(arena, "%s/%s", config->root == NULL ? "." : config->root, path);
}

static enum status prepare_module(struct arena *arena, const struct config *config,
				  struct handler *handler, struct error *error)
{
	const struct dray_module *module;
	enum status status =
		module_open(below_root(arena, config, handler->class->module), &module, error);

	if (status != STATUS_OK)
		return status;
	return module_find(module, handler->class->name, &handler->function, error);
}

static enum status prepare_command(struct arena *arena, const struct config *config,
				   struct handler *handler, struct error *error)
{
	const struct config_class *class = handler->class;

	handler->directory = below_root(arena, config, class->directory);
	handler->environment = environment_build(arena, class->environment);
	return command_check(class->command, error);
}

typedef enum status preparer(struct arena *arena, const struct config *config,
			     struct handler *handler, struct error *error);

static preparer *const preparers[] = {
	[HANDLER_COMMAND] = prepare_command,
	[HANDLER_MODULE] = prepare_module,
};

static enum status name_class(const struct config_class *class, struct error *error)
{
	return error_prefix(error, "%s:%d:%d: class %s",
			    class->file == NULL ? "jobs.yml" : class->file, class->line,
			    class->column, class->name);
}

static enum status prepare(struct arena *arena, const struct config *config,
			   struct handler *handler, struct error *error)
{
	const struct config_class *class = handler->class;
	enum status status = preparers[class->handler](arena, config, handler, error);

	return status == STATUS_OK ? status : name_class(class, error);
}

static const char *list_known(struct arena *arena, const struct config *config)
{
	struct text text = { 0 };
	const char *known;

	if (config->class_count == 0)
		return "none";
	for (size_t i = 0; i < config->class_count && i < KNOWN_SHOWN; i++)
		text_printf(&text, "%s%s", i == 0 ? "" : ", ", config->classes[i].name);
	if (config->class_count > KNOWN_SHOWN)
		text_printf(&text, " and %zu more", config->class_count - KNOWN_SHOWN);
	known = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return known;
}

enum status handlers_open(struct arena *arena, const struct config *config,
			  const struct handlers **handlers, struct error *error)
{
	struct handlers *new = arena_alloc(arena, sizeof(*new));
	enum status status = STATUS_OK;

	new->config = config;
	new->list = arena_array(arena, config->class_count, sizeof(*new->list));
	new->names = arena_array(arena, config->class_count, sizeof(*new->names));
	new->known = list_known(arena, config);
	for (size_t i = 0; i < config->class_count && status == STATUS_OK; i++) {
		new->list[i].class = &config->classes[i];
		new->names[i] = config->classes[i].name;
		status = prepare(arena, config, &new->list[i], error);
	}
	if (status == STATUS_OK)
		*handlers = new;
	return status;
}

const struct handler *handlers_find(const struct handlers *handlers, const char *class_name)
{
	const struct config_class *class = config_class_find(handlers->config, class_name);

	return class == NULL ? NULL : &handlers->list[class - handlers->config->classes];
}

const char *handlers_known(const struct handlers *handlers)
{
	return handlers->known;
}

const char *const *handlers_names(const struct handlers *handlers, size_t *count)
{
	*count = handlers->config->class_count;
	return handlers->names;
}

static enum status check_program(struct arena *arena, const struct handler *handler,
				 struct error *error)
{
	const char *name = handler->class->command[0];
	const char *path = environment_get(handler->environment, "PATH");
	const char *program;
	struct stat info;
	int code;

	if (handler->directory != NULL &&
	    (stat(handler->directory, &info) != 0 || !S_ISDIR(info.st_mode)))
		return error_set(error, STATUS_INVALID, "working directory \"%s\" is no directory",
				 handler->directory);
	if (name == NULL || strpbrk(name, "{}") != NULL)
		return STATUS_OK; /* known only with a job's arguments */
	code = program_find(arena, name, path, handler->directory, &program);
	if (code == 0)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID, "program \"%s\": %s%s%s", name,
			 code == EACCES ? "not executable" : strerrordesc_np(code),
			 strchr(name, '/') == NULL ? " in PATH " : "",
			 strchr(name, '/') == NULL ? (path == NULL ? PROGRAM_PATH : path) : "");
}

static enum status check_class(struct arena *arena, const struct config *config,
			       const struct config_class *class, struct error *error)
{
	struct handler handler = { .class = class };
	enum status status = prepare(arena, config, &handler, error);

	if (status != STATUS_OK || class->handler != HANDLER_COMMAND)
		return status;
	if (check_program(arena, &handler, error) == STATUS_OK)
		return STATUS_OK;
	return name_class(class, error);
}

size_t handler_check(const struct config *config, handler_problem *report, void *context)
{
	struct arena *arena = arena_new();
	struct error error;
	size_t problems = 0;

	for (size_t i = 0; i < config->class_count; i++) {
		const struct config_class *class = &config->classes[i];

		if (class->faulty || check_class(arena, config, class, &error) == STATUS_OK)
			continue;
		report(context, class, error.text);
		problems++;
	}
	arena_free(arena);
	return problems;
}
