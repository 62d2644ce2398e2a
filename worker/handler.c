#include "worker/handler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/process.h"
#include "common/text/text.h"
#include "worker/exec/command.h"
#include "worker/exec/sweep.h"
#include "worker/module/module.h"
#include "worker/state.h"

#define KNOWN_SHOWN 10

/* Each costs a pipe: a class that has written nothing so far is assumed to stay silent. */
#define RUNS_LISTENED_TO 100

static const char *below(struct arena *arena, const char *folder, const char *path)
{
	return *path == '/' ? path : arena_printf(arena, "%s/%s", folder, path);
}

/* Of its process; NULL = ours. In a container nobody may have made the folder of the state. */
static const char *directory_of(struct arena *arena, const struct config *config,
				const struct config_class *class)
{
	const char *start = config_start(config, class->file);

	if (class->directory)
		return below(arena, start, class->directory);
	return start == config->state && access(start, X_OK) == 0 ? start : NULL;
}

bool handler_isolated(const struct config_class *class)
{
	return class->handler == HANDLER_MODULE && class->isolation == ISOLATION_PROCESS;
}

/*
 * Resolves the path now, so that a job host loads the same file whatever its directory is, and
 * whatever a link on the way points to by then.
 */
static enum status find_module(struct arena *arena, const struct config *config,
			       struct handler *handler, struct error *error)
{
	const struct config_class *class = handler->class;
	const char *path = below(arena, config_start(config, class->file), class->module);
	char *real = realpath(path, NULL);

	if (!real)
		return error_set(error, STATUS_INVALID, "cannot load module %s: %s", path,
				 process_reason(errno));
	handler->module = arena_strdup(arena, real);
	free(real);
	return STATUS_OK;
}

static enum status load_module(struct handler *handler, struct error *error)
{
	const struct dray_module *module;
	enum status status = module_open(handler->module, &module, error);

	if (status != STATUS_OK)
		return status;
	return module_find(module, handler->class->name, &handler->function, error);
}

/* Room for the claim's name of each job (host/main.c). */
static const char *const no_claim[] = {
	SWEEP_VARIABLE "=------------------------------------------------------------------------"
		       "-----------"
};
_Static_assert(CLAIM_TOKEN_SIZE == 72 + 11 + 1, "the room for a claim's name");

/* The process of an isolated class is prepared like that of a command. */
static enum status prepare_module(struct arena *arena, const struct config *config,
				  struct handler *handler, bool load, struct error *error)
{
	const struct config_class *class = handler->class;
	enum status status = find_module(arena, config, handler, error);

	if (status != STATUS_OK)
		return status;
	if (!handler_isolated(class))
		return load_module(handler, error);
	handler->directory = directory_of(arena, config, class);
	handler->environment = environment_extend(
		arena, environment_whole(arena, class->environment), no_claim, 1);
	return load ? load_module(handler, error) : STATUS_OK;
}

static enum status prepare_command(struct arena *arena, const struct config *config,
				   struct handler *handler, bool load, struct error *error)
{
	const struct config_class *class = handler->class;

	(void)load;
	handler->directory = directory_of(arena, config, class);
	handler->environment = environment_build(arena, class->environment);
	return command_check(class->command, error);
}

typedef enum status preparer(struct arena *arena, const struct config *config,
			     struct handler *handler, bool load, struct error *error);

static preparer *const preparers[] = {
	[HANDLER_COMMAND] = prepare_command,
	[HANDLER_MODULE] = prepare_module,
	[HANDLER_NONE] = NULL, /* other software runs it */
};

static enum status name_class(const struct config_class *class, int line, int column,
			      struct error *error)
{
	return error_prefix(error, "%s:%d:%d: class %s", class->file ? class->file : "jobs.yml",
			    line, column, class->name);
}

/* A problem with the program or the module is to be corrected where the file names it. */
static enum status name_handler(const struct config_class *class, struct error *error)
{
	bool known = class->handler_line > 0;

	return name_class(class, known ? class->handler_line : class->line,
			  known ? class->handler_column : class->column, error);
}

/* `load`: load also the modules that do not run in this process. */
static enum status prepare(struct arena *arena, const struct config *config,
			   struct handler *handler, bool load, struct error *error)
{
	const struct config_class *class = handler->class;
	preparer *how = preparers[class->handler];

	if (!how || how(arena, config, handler, load, error) == STATUS_OK)
		return STATUS_OK;
	return name_handler(class, error);
}

/*
 * In a worker that runs. A module stays as it has loaded it, whatever its path leads to now; what
 * it needs lives in the arena of the first handlers.
 */
static enum status prepare_again(struct arena *arena, const struct config *config,
				 const struct handler *before, struct handler *handler,
				 struct error *error)
{
	const struct config_class *class = handler->class;

	if (class->handler != HANDLER_MODULE)
		return prepare(arena, config, handler, false, error);
	if (!before || !text_same(before->class->module, class->module) ||
	    before->class->isolation != class->isolation) {
		(void)error_set(error, STATUS_INVALID, "this worker has not loaded its module");
		return name_handler(class, error);
	}
	*handler = *before;
	handler->class = class;
	return STATUS_OK;
}

/* A run of an older edition teaches the newer ones. */
static void share_learnt(struct arena *lasting, const struct handler *before,
			 struct handler *handler)
{
	const enum config_output output = handler->class->output;
	const bool heard = before && before->class->output == output;

	handler->pace = before ? before->pace : arena_alloc(lasting, sizeof(*handler->pace));
	handler->unheard = heard ? before->unheard : arena_alloc(lasting, sizeof(unsigned));
	if (!heard)
		*handler->unheard = output == OUTPUT_DISCARD ? RUNS_LISTENED_TO : 0;
}

static bool same_list(const char **a, const char **b)
{
	for (; *a && *b; a++, b++)
		if (strcmp(*a, *b) != 0)
			return false;
	return *a == *b;
}

static bool same_process(const struct handler *a, const struct handler *b)
{
	return handler_isolated(a->class) && handler_isolated(b->class) &&
	       text_same(a->module, b->module) && text_same(a->directory, b->directory) &&
	       a->class->nice == b->class->nice && a->class->output == b->class->output &&
	       memcmp(&a->class->limits, &b->class->limits, sizeof(a->class->limits)) == 0 &&
	       same_list(a->environment, b->environment);
}

static size_t group_of(struct handlers *handlers, const struct handler *handler)
{
	for (const struct handler *other = handlers->list; other < handler; other++)
		if (same_process(other, handler))
			return other->group;
	return handlers->groups++;
}

static const char *list_known(struct arena *arena, const struct handlers *handlers)
{
	struct text text = { 0 };

	if (handlers->name_count == 0)
		return "none";
	for (size_t i = 0; i < handlers->name_count && i < KNOWN_SHOWN; i++)
		text_printf(&text, "%s%s", i == 0 ? "" : ", ", handlers->names[i]);
	if (handlers->name_count > KNOWN_SHOWN)
		text_printf(&text, " and %zu more", handlers->name_count - KNOWN_SHOWN);
	return text_take(&text, arena);
}

static void list_names(struct arena *arena, struct handlers *handlers)
{
	const struct config *config = handlers->config;

	handlers->names = arena_array(arena, config->class_count, sizeof(*handlers->names));
	handlers->others = arena_array(arena, config->class_count, sizeof(*handlers->others));
	for (size_t i = 0; i < config->class_count; i++) {
		const struct config_class *class = &config->classes[i];

		if (class->handler == HANDLER_NONE)
			handlers->others[handlers->other_count++] = class->name;
		else
			handlers->names[handlers->name_count++] = class->name;
	}
	handlers->known = list_known(arena, handlers);
}

enum status handlers_require(const struct config *config, struct error *error)
{
	for (size_t i = 0; i < config->class_count; i++)
		if (config->classes[i].handler != HANDLER_NONE)
			return STATUS_OK;
	return error_set(
		error, STATUS_INVALID,
		"no job class that dray runs is declared, so a worker has nothing to run: declare "
		"the classes in config/jobs.yml or in the file that --jobs-file or DRAY_JOBS "
		"names; for a deployment without workers set workers: [] in %s",
		config_settings_file(config));
}

enum status handlers_open(struct arena *arena, const struct config *config,
			  const struct handlers *before, const struct handlers **handlers,
			  struct error *error)
{
	struct handlers *new = arena_alloc(arena, sizeof(*new));
	enum status status = STATUS_OK;

	new->config = config;
	new->lasting = before ? before->lasting : arena;
	new->groups = before ? before->groups : 0;
	new->list = arena_array(arena, config->class_count, sizeof(*new->list));
	list_names(arena, new);
	for (size_t i = 0; i < config->class_count && status == STATUS_OK; i++) {
		struct handler *handler = &new->list[i];
		const struct config_class *class = handler->class = &config->classes[i];
		const struct handler *old = before ? handlers_find(before, class->name) : NULL;

		status = before ? prepare_again(arena, config, old, handler, error)
				: prepare(arena, config, handler, false, error);
		share_learnt(new->lasting, old, handler);
		if (status == STATUS_OK && !before && handler_isolated(class))
			handler->group = group_of(new, handler);
	}
	if (status == STATUS_OK)
		*handlers = new;
	return status;
}

enum status handlers_try(struct arena *arena, const struct config *config, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < config->class_count && status == STATUS_OK; i++) {
		struct handler handler = { .class = &config->classes[i] };

		status = prepare(arena, config, &handler, true, error);
	}
	return status;
}

const struct handler *handlers_find(const struct handlers *handlers, const char *class_name)
{
	const struct config_class *class = config_class_find(handlers->config, class_name);

	return !class ? NULL : &handlers->list[class - handlers->config->classes];
}

static enum status check_directory(const struct handler *handler, struct error *error)
{
	struct stat info;

	if (!handler->directory || (stat(handler->directory, &info) == 0 && S_ISDIR(info.st_mode)))
		return STATUS_OK;
	return error_set(error, STATUS_INVALID, "working directory \"%s\" is not a directory",
			 handler->directory);
}

/* *doubt: it starts, but may not work. */
static enum status check_program(struct arena *arena, const struct handler *handler, bool *doubt,
				 struct error *error)
{
	const char *name = handler->class->command[0];
	const char *path = environment_get(handler->environment, "PATH");
	const char *program;
	int code;

	if (!name || strpbrk(name, "{}"))
		return STATUS_OK; /* known only with a job's arguments */
	code = program_find(arena, name, path, handler->directory, &program);
	if (code == 0) {
		bool certain;
		const char *fault =
			script_fault(arena, program, handler->directory, path, &certain);
		*doubt = !certain;
		return !fault ? STATUS_OK
			      : error_set(error, STATUS_INVALID, "program \"%s\" %s: %s", name,
					  certain ? "cannot be started" : "may fail", fault);
	}
	return error_set(error, STATUS_INVALID, "program \"%s\": %s%s%s", name,
			 code == EACCES ? "not executable" : strerrordesc_np(code),
			 !strchr(name, '/') ? " in PATH " : "",
			 !strchr(name, '/') ? (path ? path : PROGRAM_PATH) : "");
}

static enum status check_class(struct arena *arena, const struct config *config,
			       const struct config_class *class, bool *doubt, struct error *error)
{
	struct handler handler = { .class = class };
	enum status status = prepare(arena, config, &handler, true, error);

	if (status != STATUS_OK)
		return status;
	if (check_directory(&handler, error) != STATUS_OK)
		return name_class(class, class->line, class->column, error);
	if (class->handler != HANDLER_COMMAND)
		return STATUS_OK;
	status = check_program(arena, &handler, doubt, error);
	return status == STATUS_OK ? status : name_handler(class, error);
}

size_t handler_check(const struct config *config, handler_problem *report, void *context)
{
	struct arena *arena = arena_new();
	struct error error;
	size_t problems = 0;

	for (size_t i = 0; i < config->class_count; i++) {
		const struct config_class *class = &config->classes[i];
		bool doubt = false;

		if (class->faulty || check_class(arena, config, class, &doubt, &error) == STATUS_OK)
			continue;
		report(context, doubt, error.text);
		problems++;
	}
	arena_free(arena);
	return problems;
}
