/*
 * From the files, the environment and the command line to one struct config.
 *
 * The command line comes first, then the variables, then the files, then the defaults; DATABASE_URL
 * alone comes after queue.yml, because it is the application's. The files are looked for below the
 * root, or in the system's folder where that is set up and nothing names others. A part with
 * mistakes does not stop programs that do not need it: each mistake is reported under the parts
 * that it spoils.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/process.h"
#include "config/files/reader.h"

#define SYSTEM_FOLDER "/etc/dray"
#define STATE_FOLDER  "/var/lib/dray" /* the service runs there */

/* A value and where it was given; empty environment variables count as not set. */
struct said {
	const char *value;
	const char *by;
	bool optional; /* of a file: it may be missing */
};

/* What names the files and the database, and the folders in which they are looked for */

static const char *const names_of_queue[] = { "DRAY_CONFIG", "SOLID_QUEUE_CONFIG", NULL };

/* What the command line requested, else the first of these variables that is set. */
static struct said find_said(const char *requested, const char *const variables[])
{
	if (requested)
		return (struct said){ requested, "the command line" };
	for (size_t i = 0; variables[i]; i++) {
		/* No other thread runs yet. NOLINTNEXTLINE(concurrency-mt-unsafe) */
		const char *value = getenv(variables[i]);
		if (value && *value)
			return (struct said){ value, variables[i] };
	}
	return (struct said){ 0 };
}

/* The same for a file, which is optional if a variable has "-" before its name. */
static struct said find_said_file(const char *requested, const char *const variables[])
{
	struct said said = find_said(requested, variables);
	if (!requested && said.value && said.value[0] == '-' && said.value[1]) {
		said.optional = true;
		said.value++;
	}
	return said;
}

/* A path, relative to this folder unless it is absolute. */
static const char *path_under(struct arena *arena, const char *root, const char *path)
{
	if (*path == '/' || strcmp(root, ".") == 0)
		return path;
	return arena_printf(arena, "%s/%s", root, path);
}

/* Is the database named outside of the files? */
static bool is_url_said(const struct config_request *request)
{
	static const char *const first[] = { "DRAY_DATABASE_URL", NULL };
	return find_said(request->database_url, first).value != NULL;
}

/*
 * The file may be in a folder that this user may not read. Taking the folder for empty would use
 * another database than the units without a warning, unless the database is given.
 */
static bool may_exist(const struct config_request *request, const char *file)
{
	return faccessat(AT_FDCWD, file, F_OK, AT_EACCESS) == 0 ||
	       (errno == EACCES && !is_url_said(request));
}

/* Builds for tests may have these folders elsewhere. What users get has no such variable. */
static const char *on_host(struct arena *arena, const char *folder)
{
#ifdef DRAY_FAULTS
	static const char *const variables[] = { "DRAY_TEST_HOST", NULL };
	struct said said = find_said(NULL, variables);

	if (said.value)
		return arena_printf(arena, "%s%s", said.value, folder);
#endif
	(void)arena;
	return folder;
}

/* The folder of the system's files, and the one in which relative paths in them start. */
static const char *system_folder(const struct config_request *request, struct arena *arena)
{
	return request->system ? request->system : on_host(arena, SYSTEM_FOLDER);
}

static const char *state_folder(const struct config_request *request, struct arena *arena)
{
	if (request->root)
		return request->root;
	return request->state ? request->state : on_host(arena, STATE_FOLDER);
}

/* The system's folder if its files are taken, because nothing names others; else NULL. */
static const char *choose_home(const struct config_request *request, struct arena *arena,
			       const char *root)
{
	const char *system = system_folder(request, arena);
	if (find_said_file(request->config_file, names_of_queue).value ||
	    access(path_under(arena, root, "config"), F_OK) == 0 ||
	    !may_exist(request, arena_printf(arena, "%s/queue.yml", system)))
		return NULL;
	return system;
}

/* Is the file in this folder, whatever it is called? */
static bool is_in_folder(struct arena *arena, const char *file, const char *folder)
{
	const char *slash = strrchr(file, '/');
	const int length = slash ? (int)(slash - file) + 1 : 0;
	struct stat around;
	struct stat wanted;

	return stat(arena_printf(arena, "%.*s.", length, file), &around) == 0 &&
	       stat(folder, &wanted) == 0 && around.st_dev == wanted.st_dev &&
	       around.st_ino == wanted.st_ino;
}

/* Is queue.yml the host's, whatever names it? That file is for production. */
static bool is_hosts(const struct config_request *request, struct arena *arena, const char *root)
{
	struct said said = find_said_file(request->config_file, names_of_queue);
	return said.value && is_in_folder(arena, path_under(arena, root, said.value),
					  system_folder(request, arena));
}

/* Is the root a Rails application? One that has only DATABASE_URL may have no database.yml. */
static bool is_rails(struct arena *arena, const char *root)
{
	return access(path_under(arena, root, "config/application.rb"), F_OK) == 0 &&
	       (access(path_under(arena, root, "config/database.yml"), F_OK) == 0 ||
		access(path_under(arena, root, "config/dray.yml"), F_OK) == 0);
}

/* The nearest folder above this one that has dray's settings or an application; NULL = none. */
static const char *find_above(struct arena *arena)
{
	char path[PATH_MAX];
	if (!getcwd(path, sizeof(path)))
		return NULL;
	for (char *slash; (slash = strrchr(path, '/')) > path;) {
		*slash = '\0';
		if (is_rails(arena, path) ||
		    access(arena_printf(arena, "%s/config/queue.yml", path), F_OK) == 0)
			return arena_strdup(arena, path);
	}
	return NULL;
}

/*
 * Where the caller may have meant the database to be, when the default one is taken: on a host any
 * folder called config is enough for that, and so is a subfolder of an application.
 */
static void look_elsewhere(struct reader *reader, const struct config_request *request)
{
	struct config *config = reader->config;
	const char *system = system_folder(request, reader->arena);
	const char *why = "not used, because there is a folder config here";
	const char *place = NULL;

	if (config->home || config->rails || config->files[0].state != FILE_MISSING ||
	    find_said_file(request->config_file, names_of_queue).value)
		return;
	if (access(path_under(reader->arena, config->root, "config"), F_OK) == 0) {
		if (access(path_under(reader->arena, config->root, "config/jobs.yml"), F_OK) != 0 &&
		    may_exist(request, arena_printf(reader->arena, "%s/queue.yml", system)))
			place = system;
	} else if (strcmp(config->root, ".") == 0) {
		why = "not used, because dray takes files of the current folder only";
		place = find_above(reader->arena);
	}
	if (!place)
		return;
	config->elsewhere =
		arena_printf(reader->arena, "the configuration in %s is %s", place, why);
	report_warning(reader->report, (struct place){ .file = place },
		       "the configuration there is %s; the database is %s", why,
		       config->database.url);
}

/* Is there a scheduler, and is there anything else? */

/* What Rails takes for false; any other text is true. */
static bool is_true(const char *text)
{
	static const char *const falsehoods[] = { "0", "f", "F", "false", "FALSE", "off", "OFF" };
	for (size_t i = 0; i < sizeof(falsehoods) / sizeof(*falsehoods); i++)
		if (strcmp(text, falsehoods[i]) == 0)
			return false;
	return true;
}

/* What says so, an option or a variable; NULL = nothing does. */
static const char *what_says(enum config_said said, const char *option, const char *variable)
{
	if (said != SAID_NOTHING)
		return said == SAID_YES ? option : NULL;
	/* No other thread runs yet. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	const char *value = getenv(variable);
	return value && *value && is_true(value) ? variable : NULL;
}

static void read_switches(struct config *config, const struct config_request *request)
{
	config->skips_recurring = what_says(request->skip_recurring, "--skip-recurring",
					    "SOLID_QUEUE_SKIP_RECURRING");
	config->only_recurring = what_says(request->only_recurring, "--only-recurring",
					   "SOLID_QUEUE_ONLY_RECURRING");
}

static void leave_scheduler(struct reader *reader)
{
	struct config *config = reader->config;
	roles_leave(reader, "scheduler");
	if (!config_has_tasks(config) && !report_failed(reader->report))
		report_error(reader->report, (struct place){ .file = config->only_recurring },
			     "nothing is left to run: there are no recurring tasks, expected some "
			     "in %s, or scheduler: {dynamic_tasks_enabled: true}",
			     config->files[2].path);
}

static void apply_switches(struct reader *reader)
{
	struct config *config = reader->config;
	report_scope(reader->report, NEED_ROLES);
	if (config->skips_recurring && config->only_recurring) {
		report_error(reader->report, (struct place){ .file = config->only_recurring },
			     "together with %s nothing is left to run, expected one of them",
			     config->skips_recurring);
		return;
	}
	if (config->skips_recurring)
		config->scheduler = NULL;
	if (config->only_recurring)
		leave_scheduler(reader);
}

/* The files, one after the other */

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

static void report_missing(struct reader *reader, const struct source *source)
{
	struct place place = { source->file->path, 1, 1 };
	if (!may_be_missing(source))
		report_error(reader->report, place,
			     "does not exist, expected the file that %s names", source->said.by);
	else if (source->fallback)
		report_warning(reader->report, place, "does not exist, %s", source->fallback);
}

static void report_unreadable(struct reader *reader, const char *file, const struct error *error)
{
	size_t prefix = strlen(file) + strlen(": ");
	const char *why = strlen(error->text) > prefix ? error->text + prefix : error->text;
	report_error(reader->report, (struct place){ file, 1, 1 },
		     "cannot be read: %s, expected a readable file of at most 1 MiB", why);
}

/* What queue.yml says, and not the command line or a variable. */
static void settle_paths(struct config *config, const struct config_request *request, bool url_said)
{
	struct config_database *database = &config->database;
	const char **const paths[] = { &database->password_file,
				       &config->process.supervisor_pidfile };

	if (!config->files[0].system || strcmp(config->state, ".") == 0)
		return;
	if (!url_said && request->url_below)
		database->url = request->url_below(config->arena, database->url, config->state);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (*paths[i])
			*paths[i] = path_under(config->arena, config->state, *paths[i]);
}

static void locate(struct reader *reader, const struct config_request *request,
		   struct source *source)
{
	const struct said *said = &source->said;
	const char *path = said->value ? said->value : source->standard;
	const char *name = strrchr(source->standard, '/') + 1;
	const char *home = said->value ? NULL : reader->config->home;
	path = home ? arena_printf(reader->arena, "%s/%s", home, name)
		    : path_under(reader->arena, reader->config->root, path);
	*source->file = (struct config_file){
		.name = name,
		.path = arena_strdup(reader->arena, path),
		.origin = said->by ? said->by : "default",
		.system = home ||
			  is_in_folder(reader->arena, path, system_folder(request, reader->arena)),
	};
	if (source->file->system)
		reader->config->state =
			arena_strdup(reader->arena, state_folder(request, reader->arena));
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
		report_missing(reader, source);
	else if (status != STATUS_OK)
		report_unreadable(reader, file, &error);
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
	return is_url_said(request) ? rest : rest | NEED_DATABASE;
}

static void read_queue_file(struct reader *reader, const struct config_request *request)
{
	const char *own = path_under(reader->arena, reader->config->root, "config/dray.yml");
	bool rails = reader->config->rails && may_exist(request, own);
	struct source source = {
		.standard = rails ? "config/dray.yml" : "config/queue.yml",
		.said = find_said_file(request->config_file, names_of_queue),
		.file = &reader->config->files[0],
	};
	locate(reader, request, &source);
	report_scope(reader->report, queue_scope(request));
	if (!reader->config->rails && !reader->config->home && !source.said.value &&
	    access(own, F_OK) == 0)
		report_warning(reader->report, (struct place){ own, 1, 1 },
			       "is not read: without config/application.rb the file is %s",
			       source.file->path);
	queue_read(reader, read_file(reader, &source));
}

static void read_jobs_file(struct reader *reader, const struct config_request *request)
{
	static const char *const variables[] = { "DRAY_JOBS", NULL };
	struct source source = {
		.standard = "config/jobs.yml",
		.fallback = "no job class is known",
		.said = find_said_file(request->jobs_file, variables),
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
		.said = find_said_file(request->recurring_file, variables),
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
		report_error(reader->report, (struct place){ file->path, 1, 1 }, "%s",
			     file->state == FILE_MISSING
				     ? "does not exist, and nothing else names the database, "
				       "expected DATABASE_URL or database.url in config/dray.yml"
				     : "names no database");
}

/*
 * In Rails the variable is about the primary database, whose entry has what the variable does not
 * say, such as schema_search_path. Returns whether the entry was read. The variable names a
 * database without it, too, so a file of which nothing can be used is no mistake here.
 */
static bool merge_variable(struct reader *reader, const struct config_request *request,
			   const char *variable)
{
	struct reader other = *reader;
	struct config_file file = { 0 };
	other.report = report_new(reader->arena);
	struct node *root = read_database_file(&other, request, &file);
	const char *database = root ? rails_database(&other, root) : NULL;
	const struct place place = { file.path, 1, 1 };
	if (!root && report_errors(other.report) > 0)
		report_warning(reader->report, place,
			       "cannot be understood: dray uses %s without what stands beside it "
			       "here",
			       variable);
	if (!database)
		return false;
	if (strcmp(database, "queue") == 0) {
		report_warning(reader->report, place,
			       "has a database called queue, but dray uses the one of %s: expected "
			       "the queue's URL in DRAY_DATABASE_URL",
			       variable);
		return false;
	}
	reader->config->files[reader->config->file_count++] = file;
	rails_read(reader, root);
	return true;
}

static void choose_database(struct reader *reader, const struct config_request *request)
{
	static const char *const before[] = { "DRAY_DATABASE_URL", NULL };
	static const char *const after[] = { "DATABASE_URL", NULL };
	struct config_database *database = &reader->config->database;
	struct place *place = instance_place(&reader->config->origins->list[0], "url");
	struct said said = find_said(request->database_url, before);
	struct error error = { 0 };
	report_scope(reader->report, NEED_DATABASE);
	if (!said.value && !place->file) {
		said = find_said(NULL, after);
		database->of_rails = reader->config->rails;
		if (reader->config->rails && said.value) {
			if (merge_variable(reader, request, said.by))
				said.value = NULL;
		} else if (reader->config->rails)
			use_application(reader, request);
	}
	if (said.value) {
		*place = (struct place){ .file = said.by };
		database->url = arena_strdup(reader->arena, said.value);
		if (database->of_rails)
			database->url = rails_url(reader, *place, database->url);
	}
	settle_paths(reader->config, request, said.by != NULL);
	if (!place->file)
		look_elsewhere(reader, request);
	if (place->file && request->check_url &&
	    request->check_url(database->url, &error) != STATUS_OK)
		report_error(reader->report, *place, "%s", error.text);
}

static struct config *prepare_config(struct arena *arena, const struct config_request *request)
{
	static const char *const variables[] = { "DRAY_ENV", "RAILS_ENV", "RACK_ENV", NULL };
	struct said said = find_said(request->environment, variables);
	bool named = said.value && *said.value;
	struct config *config = arena_alloc(arena, sizeof(*config));
	config->arena = arena;
	config->root = arena_strdup(arena, request->root ? request->root : ".");
	config->home = choose_home(request, arena, config->root);
	config->rails = !config->home && is_rails(arena, config->root);
	config->file_count = 3;
	bool host = config->home || is_hosts(request, arena, config->root);
	config->environment = arena_strdup(arena, named  ? said.value
						  : host ? "production"
							 : "development");
	config->origins = arena_alloc(arena, sizeof(*config->origins));
	read_switches(config, request);
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
	reader.config = prepare_config(own, request);
	if (reader.config->home)
		report_warning(reader.report, (struct place){ .file = reader.config->home },
			       "is the configuration folder, with environment %s, because there is "
			       "no folder config here; relative paths in its files start in %s",
			       quoted(own, reader.config->environment), state_folder(request, own));
	read_queue_file(&reader, request);
	choose_database(&reader, request);
	read_jobs_file(&reader, request);
	read_recurring_file(&reader, request);
	apply_switches(&reader);
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
