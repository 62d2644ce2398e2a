#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/process.h"
#include "config/files/reader.h"
#include "config/where.h"

struct node *reader_parse(struct reader *reader, const char *file, const char *text, size_t length)
{
	struct expansion expansion = { .file = file, .foreign = reader->foreign };
	struct node *root = NULL;
	if (strspn(text, " \t\r\n") == length) {
		if (!reader->foreign)
			report_error(reader->report, (struct place){ file, 1, 1 },
				     "is empty, expected settings (without the file the defaults "
				     "apply)");
		return NULL;
	}
	if (expand(&expansion, reader->arena, reader->report, text, length) != STATUS_OK ||
	    node_parse(&root, &expansion, reader->arena, reader->report) != STATUS_OK)
		return NULL;
	return root;
}

/* Which of the three files, and what to report when it is missing. */
struct source {
	const char *standard; /* its path when nothing names another */
	const char *fallback; /* the warning when the standard one is missing; NULL = none */
	bool may_be_empty;
	struct said said;
	struct config_file *file;
};

/*
 * A "-" before the name in a variable means, as in systemd's units: the file may be missing. So a
 * unit can name a file that not every machine has.
 */
static bool may_be_missing(const struct source *source)
{
	return !source->said.by || source->said.optional;
}

static void missing(struct reader *reader, const struct source *source)
{
	struct place place = { source->file->path, 1, 1 };
	if (!may_be_missing(source))
		report_error(reader->report, place,
			     "does not exist, expected the file that %s names", source->said.by);
	else if (source->fallback)
		report_warning(reader->report, place, "does not exist, %s", source->fallback);
}

static void unreadable(struct reader *reader, const char *file, const struct error *error)
{
	size_t prefix = strlen(file) + strlen(": ");
	const char *why = strlen(error->text) > prefix ? error->text + prefix : error->text;
	report_error(reader->report, (struct place){ file, 1, 1 },
		     "cannot be read: %s, expected a readable file of at most 1 MiB", why);
}

/* What queue.yml says, and not the command line or a variable. */
static void settle(struct config *config, const struct config_request *request, bool where_url_said)
{
	struct config_database *database = &config->database;
	const char **const paths[] = { &database->password_file,
				       &config->process.supervisor_pidfile };

	if (!config->files[0].system || strcmp(config->state, ".") == 0)
		return;
	if (!where_url_said && request->url_below)
		database->url = request->url_below(config->arena, database->url, config->state);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (*paths[i])
			*paths[i] = where_under(config->arena, config->state, *paths[i]);
}

static void locate(struct reader *reader, const struct config_request *request,
		   struct source *source)
{
	const struct said *said = &source->said;
	const char *path = said->value ? said->value : source->standard;
	const char *name = strrchr(source->standard, '/') + 1;
	const char *home = said->value ? NULL : reader->config->home;
	path = home ? arena_printf(reader->arena, "%s/%s", home, name)
		    : where_under(reader->arena, reader->config->root, path);
	*source->file = (struct config_file){
		.name = name,
		.path = arena_strdup(reader->arena, path),
		.origin = said->by ? said->by : "default",
		.system = home ||
			  where_is_in(reader->arena, path, where_system(request, reader->arena)),
	};
	if (source->file->system)
		reader->config->state =
			arena_strdup(reader->arena, where_state(request, reader->arena));
}

static struct node *read_file(struct reader *reader, const struct source *source)
{
	const char *file = source->file->path;
	char *text = NULL;
	size_t length = 0;
	struct error error = { 0 };
	report_file(reader->report);
	enum status status = file_read(file, CONFIG_FILE_MAXIMUM, &text, &length, &error);
	if (status == STATUS_NONE)
		missing(reader, source);
	else if (status != STATUS_OK)
		unreadable(reader, file, &error);
	source->file->state = status == STATUS_OK     ? FILE_READ
			      : status == STATUS_NONE ? FILE_MISSING
						      : FILE_UNREADABLE;
	if (status != STATUS_OK)
		return NULL;
	source->file->content =
		(struct config_text){ arena_strndup(reader->arena, text, length), length };
	bool nothing = source->may_be_empty && strspn(text, " \t\r\n") == length;
	struct node *root = nothing ? NULL : reader_parse(reader, file, text, length);
	free(text);
	return root;
}

/*
 * What a mistake in queue.yml as a whole spoils: the database, too, unless it is given elsewhere.
 */
static unsigned queue_scope(const struct config_request *request)
{
	unsigned rest = NEED_PROCESS | NEED_ROLES;
	return where_url_said(request) ? rest : rest | NEED_DATABASE;
}

static void read_queue_file(struct reader *reader, const struct config_request *request)
{
	static const char *const variables[] = { "DRAY_CONFIG", "SOLID_QUEUE_CONFIG", NULL };
	const char *own = where_under(reader->arena, reader->config->root, "config/dray.yml");
	bool rails = reader->config->rails && where_may_be(request, own);
	struct source source = {
		.standard = rails ? "config/dray.yml" : "config/queue.yml",
		.said = where_say_file(request->config_file, variables),
		.file = &reader->config->files[0],
	};
	locate(reader, request, &source);
	report_scope(reader->report, queue_scope(request));
	queue_read(reader, read_file(reader, &source));
}

static void read_jobs_file(struct reader *reader, const struct config_request *request)
{
	static const char *const variables[] = { "DRAY_JOBS", NULL };
	struct source source = {
		.standard = "config/jobs.yml",
		.fallback = "no job class is known",
		.said = where_say_file(request->jobs_file, variables),
		.file = &reader->config->files[1],
	};
	locate(reader, request, &source);
	report_scope(reader->report, NEED_CLASSES);
	jobs_read(reader, read_file(reader, &source));
}

/*
 * A queue.yml elsewhere with a recurring.yml next to it: people expect the tasks of that file to
 * run, and nothing else would warn them.
 */
static void look_beside(struct reader *reader)
{
	const char *queue = reader->config->files[0].path;
	const char *slash = strrchr(queue, '/');
	const char *beside = arena_printf(reader->arena, "%.*srecurring.yml",
					  slash ? (int)(slash + 1 - queue) : 0, queue);
	if (access(beside, F_OK) == 0)
		report_warning(reader->report, (struct place){ beside, 1, 1 },
			       "is not read, although it is next to %s: without DRAY_RECURRING or "
			       "--recurring-file dray reads %s",
			       reader->config->files[0].name, reader->config->files[2].path);
}

static void read_recurring_file(struct reader *reader, const struct config_request *request)
{
	static const char *const variables[] = { "DRAY_RECURRING", "SOLID_QUEUE_RECURRING_SCHEDULE",
						 NULL };
	const char *skipped = reader->config->skips_recurring;
	struct source source = {
		.standard = "config/recurring.yml",
		.may_be_empty = true,
		.said = where_say_file(request->recurring_file, variables),
		.file = &reader->config->files[2],
	};
	locate(reader, request, &source);
	report_scope(reader->report, NEED_TASKS);
	if (skipped) {
		source.file->state = FILE_SKIPPED;
		source.file->origin = skipped;
		return;
	}
	recurring_read(reader, read_file(reader, &source));
	if (source.file->state == FILE_MISSING && !source.said.by)
		look_beside(reader);
}

static struct node *read_database_file(struct reader *reader, const struct config_request *request,
				       struct config_file *file)
{
	struct source source = { .standard = "config/database.yml", .file = file };
	locate(reader, request, &source);
	reader->foreign = true;
	struct node *root = read_file(reader, &source);
	reader->foreign = false;
	return root;
}

/* What the application itself uses, where nothing else names a database. Never the default. */
static void use_application(struct reader *reader, const struct config_request *request)
{
	struct config_file *file = &reader->config->files[reader->config->file_count++];
	size_t errors = report_errors(reader->report);
	struct node *root = read_database_file(reader, request, file);
	if (root)
		rails_read(reader, root);
	else if (report_errors(reader->report) == errors)
		report_error(reader->report, (struct place){ file->path, 1, 1 },
			     "names no database");
}

/* In Rails the variable is about the primary database. Mistakes in the file do not matter here. */
static void warn_of_queue(struct reader *reader, const struct config_request *request,
			  const char *variable)
{
	struct reader other = *reader;
	struct config_file file = { 0 };
	other.report = report_new(reader->arena);
	struct node *root = read_database_file(&other, request, &file);
	if (root && rails_has_queue(&other, root))
		report_warning(reader->report, (struct place){ file.path, 1, 1 },
			       "has a database called queue, but dray uses the one of %s: expected "
			       "the queue's URL in DRAY_DATABASE_URL",
			       variable);
}

static void choose_database(struct reader *reader, const struct config_request *request)
{
	static const char *const before[] = { "DRAY_DATABASE_URL", NULL };
	static const char *const after[] = { "DATABASE_URL", NULL };
	struct config_database *database = &reader->config->database;
	struct place *place = instance_place(&reader->config->origins->list[0], "url");
	struct said said = where_say(request->database_url, before);
	struct error error = { 0 };
	report_scope(reader->report, NEED_DATABASE);
	if (!said.value && !place->file) {
		said = where_say(NULL, after);
		database->of_rails = reader->config->rails;
		if (reader->config->rails && said.value)
			warn_of_queue(reader, request, said.by);
		else if (reader->config->rails)
			use_application(reader, request);
	}
	if (said.value) {
		database->url = arena_strdup(reader->arena, said.value);
		*place = (struct place){ .file = said.by };
	}
	settle(reader->config, request, said.value != NULL);
	if (place->file && request->check_url &&
	    request->check_url(database->url, &error) != STATUS_OK)
		report_error(reader->report, *place, "%s", error.text);
}

static struct config *prepare(struct arena *arena, const struct config_request *request)
{
	static const char *const variables[] = { "DRAY_ENV", "RAILS_ENV", NULL };
	struct said said = where_say(request->environment, variables);
	bool named = said.value && *said.value;
	struct config *config = arena_alloc(arena, sizeof(*config));
	config->arena = arena;
	config->root = arena_strdup(arena, request->root ? request->root : ".");
	config->home = where_home(request, arena, config->root);
	config->rails = where_is_rails(arena, config);
	config->file_count = 3;
	config->environment = arena_strdup(arena, named          ? said.value
						  : config->home ? "production"
								 : "development");
	config->origins = arena_alloc(arena, sizeof(*config->origins));
	switches_read(config, request);
	return config;
}

/* The problems outlive the arena in which they were found. */
static void keep_problems(struct arena *arena, struct config_problems *problems)
{
	struct config_problem *list = arena_array(arena, problems->count, sizeof(*list));
	for (size_t i = 0; i < problems->count; i++) {
		list[i] = problems->list[i];
		list[i].text = arena_strdup(arena, list[i].text);
	}
	problems->list = list;
}

enum status config_load(struct config **config, struct arena *arena,
			const struct config_request *request, struct config_problems *problems)
{
	unsigned needs = request->needs ? request->needs : ~0U;
	struct arena *own = arena_new();
	struct reader reader = { .arena = own, .report = report_new(own) };
	reader.config = prepare(own, request);
	if (reader.config->home)
		report_warning(reader.report, (struct place){ .file = reader.config->home },
			       "is the configuration folder, with environment %s, because there is "
			       "no folder config here; relative paths in its files start in %s",
			       quoted(own, reader.config->environment), where_state(request, own));
	read_queue_file(&reader, request);
	choose_database(&reader, request);
	read_jobs_file(&reader, request);
	read_recurring_file(&reader, request);
	switches_apply(&reader);
	queue_check(&reader);
	report_list(reader.report, needs, problems);
	reader.config->faulty = report_spoilt(reader.report);
	bool failed = (reader.config->faulty & needs) != 0;
	if (!failed || request->keep_faulty) {
		*config = reader.config;
		return failed ? STATUS_INVALID : STATUS_OK;
	}
	keep_problems(arena, problems);
	arena_free(own);
	return STATUS_INVALID;
}

void config_free(struct config *config)
{
	if (config)
		arena_free(config->arena);
}
