/*
 * dray check: whatever can be known without starting anything. The files come first; what is valid
 * of them is checked on, so that one mistake does not hide the next. Without a database only the
 * files, programs and modules are looked at. It changes nothing.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/deploy/deploy.h"
#include "cli/output/table.h"
#include "cli/queues/queues.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "db/schema/schema.h"
#include "policy/policy.h"
#include "queue/claim/claim.h"
#include "queue/processes/servers.h"
#include "queue/processes/shared.h"
#include "queue/recurring/task.h"
#include "show/show.h"
#include "supervisor/roles.h"
#include "worker/handler.h"

/* What was read: the files and the settings */

/* An array of `path`, `value`, `origin`, `default`. */
static json_t *check_settings(struct cli *cli)
{
	const struct config_value *values;
	json_t *rows = json_array();
	size_t count = config_show(cli->config, &values);

	for (size_t i = 0; i < count; i++) {
		json_t *row = json_object();
		json_object_set_new(row, "path", value_text(values[i].path));
		json_object_set_new(row, "value", value_text(values[i].value));
		json_object_set_new(row, "origin", value_text(values[i].origin));
		json_object_set_new(row, "default", json_boolean(values[i].usual));
		json_array_append_new(rows, row);
	}
	return rows;
}

/*
 * An array of `file`, `path`, `state`, `origin`: when a setting has no effect, the file is often
 * not the one that was meant.
 */
static json_t *check_files_read(const struct cli *cli)
{
	static const char *const states[] = {
		[FILE_READ] = "read",
		[FILE_MISSING] = "does not exist",
		[FILE_UNREADABLE] = "cannot be read",
		[FILE_SKIPPED] = "left out",
	};
	const struct config *config = cli->config;
	json_t *rows = json_array();

	for (size_t i = 0; i < config->file_count; i++) {
		const struct config_file *file = &config->files[i];
		json_t *row = json_object();
		json_object_set_new(row, "file", value_text(file->name));
		json_object_set_new(row, "path", value_text(file->path));
		json_object_set_new(row, "state", value_text(states[file->state]));
		json_object_set_new(row, "origin", value_text(file->origin));
		json_array_append_new(rows, row);
	}
	return rows;
}

static void show_files(const struct cli *cli)
{
	static const struct column columns[] = {
		{ "file", "FILE", CELL_TEXT },
		{ "path", "PATH", CELL_TEXT },
		{ "state", "STATE", CELL_STATE },
		{ "origin", "FROM", CELL_TEXT },
		{ 0 },
	};

	table_print(cli, columns, check_files_read(cli));
	say(cli, "%s", "");
}

/* Prints the files, and of the settings those that differ from their defaults, or all. */
static void check_show(const struct cli *cli, const json_t *settings, bool all)
{
	static const struct column columns[] = {
		{ "path", "SETTING", CELL_TEXT },
		{ "value", "VALUE", CELL_TEXT },
		{ "origin", "FROM", CELL_TEXT },
		{ 0 },
	};
	json_t *rows = json_array();
	size_t left_out = 0;
	json_t *row;
	size_t i;

	show_files(cli);
	json_array_foreach(settings, i, row)
	{
		if (all || json_is_false(json_object_get(row, "default")))
			json_array_append(rows, row);
		else
			left_out++;
	}
	if (json_array_size(rows) > 0)
		table_print(cli, columns, rows);
	else
		json_decref(rows);
	if (left_out > 0)
		say(cli, "%zu %s the default: `dray check --all` lists %s.", left_out,
		    left_out == 1 ? "setting has" : "settings have", left_out == 1 ? "it" : "them");
}

/*
 * Recurring tasks with a command: whether a worker serves their queues, and whether workers of
 * other software do
 */

/* Whether the process takes jobs of the queue; of a `pattern`: of a queue that it stands for. */
static bool takes(const struct cli *cli, const struct server *server, const char *queue,
		  bool pattern)
{
	const struct server named = { .queues = queue };

	return pattern ? server_shares(cli->db, cli->arena, &named, server)
		       : server_serves(cli->db, server, queue);
}

/* Whether a configured worker would. */
static bool worker_takes(const struct cli *cli, const struct config_worker *worker,
			 const char *queue, bool pattern)
{
	struct text names = { 0 };

	for (size_t i = 0; i < worker->queue_count; i++)
		text_printf(&names, "%s%s", i > 0 ? "," : "", worker->queues[i]);
	const struct server server = { .queues = text_string(&names) };
	bool found = takes(cli, &server, queue, pattern);
	text_free(&names);
	return found;
}

/* By dray, but what is promised of a queue counts for all software. */
static bool is_served(const struct cli *cli, const struct servers *servers, const char *queue,
		      bool pattern)
{
	const struct config *config = cli->config;

	for (size_t i = 0; i < config->worker_count; i++)
		if (worker_takes(cli, &config->workers[i], queue, pattern))
			return true;
	for (size_t i = 0; i < servers->count; i++) {
		const struct server *server = &servers->list[i];
		if (server_is_here(server) && (pattern || shared_is_ours(server->row.metadata)) &&
		    takes(cli, server, queue, pattern))
			return true;
	}
	return false;
}

/* A configuration without any worker is one of several hosts', and is not warned of. */
static size_t warn_of_unserved(const struct cli *cli, const struct servers *servers,
			       const char **warnings)
{
	const struct config_scheduler *scheduler = cli->config->scheduler;
	size_t count = 0;

	for (size_t i = 0; scheduler && i < scheduler->task_count; i++) {
		const struct config_task *task = &scheduler->tasks[i];
		if (cli->config->worker_count == 0 || !task_is_commanded(task) ||
		    is_served(cli, servers, task->queue, false))
			continue;
		warnings[count++] =
			arena_printf(cli->arena,
				     "no worker serves the queue %s, where the jobs of the command "
				     "recurring.%s go: add it under workers in %s, or choose "
				     "another queue for the task",
				     task->queue, task->key, config_settings_file(cli->config));
	}
	return count;
}

static size_t warn_of_promises(const struct cli *cli, const struct servers *servers,
			       const char **warnings)
{
	const struct config *config = cli->config;
	size_t count = 0;

	for (size_t i = 0; config->worker_count > 0 && i < config->promise_count; i++) {
		const char *queue = config->promises[i].queue;
		if (is_served(cli, servers, queue, true))
			continue;
		warnings[count++] =
			arena_printf(cli->arena,
				     "queues.%s in %s promises something of a queue that no worker "
				     "serves: correct the name, or add it under workers",
				     queue, config_settings_file(config));
	}
	return count;
}

/*
 * Finds what is wrong: sentences in the arena, ended by NULL. Without a database (cli->db is NULL)
 * only the files are checked.
 */
static enum status check_commands(struct cli *cli, const char ***warnings, struct error *error)
{
	const struct config_scheduler *scheduler = cli->config->scheduler;
	const struct prune patience = policy_silence(cli->config, 0);
	size_t tasks = scheduler ? scheduler->task_count : 0;
	struct servers servers = { 0 };
	struct recurring_row *rows = NULL;
	size_t row_count = 0;
	enum status status = STATUS_OK;

	if (cli->db)
		status = servers_read(cli->db, cli->arena, &patience, &servers, error);
	if (status == STATUS_OK && cli->db)
		status = recurring_rows(cli->db, cli->arena, &rows, &row_count, error);
	if (status != STATUS_OK)
		return status;
	const struct takers takers =
		findings_takers(cli->db, cli->arena, cli->config, &servers, rows, row_count);
	*warnings = arena_array(cli->arena, tasks + takers.count + cli->config->promise_count + 1,
				sizeof(**warnings));
	size_t count = warn_of_unserved(cli, &servers, *warnings);
	count += warn_of_promises(cli, &servers, *warnings + count);
	for (size_t i = 0; i < takers.count; i++)
		(*warnings)[count++] =
			arena_printf(cli->arena, "%s " TAKER_ADVICE, takers.list[i].text);
	return STATUS_OK;
}

/* The whole */

struct check {
	bool no_database, all;
	struct switches switches;
	bool usable; /* the files contain no mistakes */
	struct cli *cli;
	json_t *mistakes; /* texts */
	json_t *warnings;
	json_t *database; /* object or null */
	bool looked;      /* `shared` is known */
	struct shared shared;
};

enum key { KEY_NO_DATABASE = 1, KEY_ALL };

static const struct argp_option options[] = {
	{ "no-database", KEY_NO_DATABASE, NULL, 0, "check only the files and handlers", 0 },
	{ "all", KEY_ALL, NULL, 0, "print also the settings that have their defaults", 0 },
	SWITCH_OPTIONS,
	{ 0 },
};

static error_t check_parse(int key, const char *value, struct argp_state *state)
{
	struct check *check = state->input;

	if (key == KEY_NO_DATABASE)
		check->no_database = true;
	else if (key == KEY_ALL)
		check->all = true;
	else
		return switches_parse(&check->switches, key, value, state);
	return 0;
}

static void mistake(struct check *check, const char *text)
{
	json_array_append_new(check->mistakes, value_text(text));
	cli_complain("%s", text);
}

static void warn(struct check *check, const char *text)
{
	json_array_append_new(check->warnings, value_text(text));
	cli_warn(check->cli, "%s", text);
}

static void check_files(struct check *check)
{
	struct cli *cli = check->cli;
	struct config_problems problems = { 0 };
	cli->request.keep_faulty =
		true; /* so that the programs of the valid classes can be checked */
	enum status status = cli_read(cli, &problems);
	check->usable = status == STATUS_OK;

	for (size_t i = 0; i < problems.count; i++) {
		const struct config_problem *problem = &problems.list[i];
		if (problem->warning)
			warn(check, problem->text);
		else
			mistake(check, problem->text);
	}
}

static void bad_handler(void *context, bool doubt, const char *text)
{
	if (doubt)
		warn(context, text);
	else
		mistake(context, text);
}

static void check_workers(struct check *check)
{
	const struct config *config = check->cli->config;
	struct error error = { 0 };

	if (config->worker_count > 0 && handlers_require(config, &error) != STATUS_OK)
		mistake(check, error.text);
}

static bool decides_itself(const struct config *config)
{
	for (size_t i = 0; i < config->worker_count; i++)
		if (config->workers[i].unknown_classes == UNKNOWN_AUTO)
			return true;
	return false;
}

/* Reports the settings that depend on it and are not in the files. */
static void say_shared(struct check *check, const struct shared *shared)
{
	const struct config *config = check->cli->config;
	bool unknown = decides_itself(config);
	bool zone = shared->shared && config->scheduler && !config->process.time_zone;

	if (unknown)
		say(check->cli, "unknown_classes: auto means leave: jobs of classes that jobs.yml "
				"does not have stay ready.");
	if (zone)
		say(check->cli, "Schedules without a zone are in UTC, as in Rails, because "
				"time_zone is not set.");
	if (unknown || zone)
		say(check->cli, "The tables are %s: %s.", shared->shared ? "shared" : "not shared",
		    shared->shared ? shared->why : "no other software was found to use them");
}

/* Finds out whether other software uses the tables, and reports what follows from it. */
static void check_shared(struct check *check)
{
	struct cli *cli = check->cli;
	struct shared shared = { 0 };
	struct error error = { 0 };

	if (shared_look(cli->db, cli->arena, config_other_class(cli->config), &shared, &error) !=
	    STATUS_OK) {
		mistake(check, error.text);
		return;
	}
	json_object_set_new(check->database, "shared", json_boolean(shared.shared));
	json_object_set_new(check->database, "shared_because", value_text(shared.why));
	check->shared = shared;
	check->looked = true;
}

/* What makes a job wait for another time after its run; NULL = nothing. */
static const char *comes_back(const struct config_class *class)
{
	if (class->retry.given && class->handler != HANDLER_NONE)
		return "retry";
	for (size_t i = 0; class->handler == HANDLER_COMMAND && i < class->exit_count; i++)
		if (class->exit[i].said.what == SAYS_RETRY ||
		    class->exit[i].said.what == SAYS_SNOOZE)
			return "exit";
	if (class->handler == HANDLER_MODULE)
		return "a function (which may snooze, or ask for a retry)";
	return NULL;
}

static bool retries_limited(const struct config_class *class)
{
	return comes_back(class) && class->concurrency_count > 0;
}

/* Once, for the first class: Rails' dispatcher knows only what Ruby says of it. */
static void check_retries(struct check *check)
{
	const struct config *config = check->cli->config;
	size_t i = 0;

	while (i < config->class_count && !retries_limited(&config->classes[i]))
		i++;
	if (i == config->class_count || !check->shared.shared)
		return;
	const struct config_class *class = &config->classes[i];
	warn(check,
	     arena_printf(check->cli->arena,
			  "%s:%d:%d: jobs.%s has %s and concurrency, and the tables are "
			  "shared (%s): where Rails' dispatcher moves a retry or snooze that is "
			  "due, the limits and on_conflict of the Ruby class decide",
			  class->file, class->line, class->column, class->name, comes_back(class),
			  check->shared.why));
}

static void check_database(struct check *check)
{
	struct cli *cli = check->cli;
	const char *url = cli->config->database.url;
	struct error error = { 0 };
	char masked[1024];

	url_mask(url, masked, sizeof(masked));
	check->database = json_object();
	json_object_set_new(check->database, "url", value_text(masked));
	json_object_set_new(check->database, "entry", value_text(cli->config->database_entry));
	if (cli_database(cli, CLI_EXISTING, &error) != STATUS_OK) {
		mistake(check, error.text);
		return;
	}
	json_object_set_new(check->database, "server", value_text(db_server(cli->db)));
	bool current = schema_require(cli->db, &error) == STATUS_OK;
	json_object_set_new(check->database, "current", json_boolean(current));
	if (!current) {
		mistake(check, error.text);
		return;
	}
	check_shared(check);
	check_retries(check);
}

/* It may run elsewhere; the database tells, if it can be asked. */
static bool is_running(struct check *check, const struct role *role)
{
	struct cli *cli = check->cli;
	struct error error = { 0 };
	struct servers servers;

	if (!json_is_true(json_object_get(check->database, "current")))
		return false;
	struct prune patience = policy_silence(cli->config, 0);
	return servers_read(cli->db, cli->arena, &patience, &servers, &error) == STATUS_OK &&
	       servers_have(&servers, role->kind);
}

/* Is something left undone because a role is not configured? */
static void check_roles(struct check *check)
{
	const struct config *config = check->cli->config;

	for (size_t i = 0; config->worker_count > 0 && all_roles[i]; i++) {
		const struct role *role = all_roles[i];
		if (role->without && config_entries(config, role->section) == 0 &&
		    !is_running(check, role))
			warn(check, arena_printf(check->cli->arena,
						 "there are workers but no %s: %s unless a %s runs "
						 "elsewhere",
						 role->section, role->without, role->word));
	}
}

static size_t count_prefix(const struct queue_names *names, const char *pattern)
{
	size_t count = 0;

	for (size_t i = 0; i < names->count; i++)
		count += strncmp(names->list[i], pattern, strlen(pattern) - 1) == 0;
	return count;
}

/* A claim under a prefix asks for the next few queues at a time (claim_choose). */
static void check_prefixes(struct check *check)
{
	const struct config *config = check->cli->config;
	struct queue_names names = { 0 };
	struct error error = { 0 };

	if (!json_is_true(json_object_get(check->database, "current")))
		return;
	if (queue_names_read(check->cli, QUEUES_KNOWN, &names, &error) != STATUS_OK) {
		mistake(check, error.text);
		return;
	}
	for (size_t i = 0; i < config->worker_count; i++)
		for (size_t j = 0; j < config->workers[i].queue_count; j++) {
			const char *pattern = config->workers[i].queues[j];
			const size_t count = strchr(pattern, '*') && strcmp(pattern, "*") != 0
						     ? count_prefix(&names, pattern)
						     : 0;
			if (count > CLAIM_NEXT)
				warn(check,
				     arena_printf(
					     check->cli->arena,
					     "%s stands for %zu queues that are there: while more "
					     "than %d of them have jobs, a claim takes longer, "
					     "and what comes for an earlier one may wait for a "
					     "second",
					     pattern, count, CLAIM_NEXT));
		}
}

/* Jobs of recurring commands need a queue that dray's workers serve, and only they. */
static void check_tasks(struct check *check)
{
	struct cli *cli = check->cli;
	struct error error = { 0 };
	const char **warnings = NULL;

	if (!json_is_true(json_object_get(check->database, "current"))) {
		db_close(cli->db);
		cli->db = NULL;
	}
	if (check_commands(cli, &warnings, &error) != STATUS_OK) {
		mistake(check, error.text);
		return;
	}
	for (size_t i = 0; warnings[i]; i++)
		warn(check, warnings[i]);
}

static void complain_count(size_t mistakes)
{
	cli_complain("%zu %s found", mistakes, mistakes == 1 ? "mistake" : "mistakes");
}

static void print(struct check *check, bool valid)
{
	struct cli *cli = check->cli;
	json_t *rows = check->usable ? check_settings(cli) : json_array();

	if (cli->json) {
		json_t *result = json_object();
		json_object_set_new(result, "valid", json_boolean(valid));
		json_object_set(result, "mistakes", check->mistakes);
		json_object_set(result, "warnings", check->warnings);
		json_object_set_new(result, "files", check_files_read(cli));
		json_object_set(result, "database", check->database);
		json_object_set_new(result, "configuration", rows);
		json_print(cli, result);
		return;
	}
	if (!cli->quiet)
		check_show(cli, rows, check->all);
	json_decref(rows);
	if (check->usable && !cli->config->process.on_alarm)
		say(cli, "on_alarm is not set: findings are in the log, and nobody is told.");
	if (check->usable && cli->config->database_entry)
		say(cli, "The database is %s of %s.", cli->config->database_entry,
		    cli->config->files[3].path);
	if (check->looked)
		say_shared(check, &check->shared);
	if (cli->config->only_recurring)
		say(cli, "Only the scheduler is started: %s.", cli->config->only_recurring);
	if (valid) {
		say(cli, "%s", "");
		say(cli, "The configuration is valid.");
	} else {
		complain_count(json_array_size(check->mistakes));
	}
}

static int check_run(struct cli *cli, void *input)
{
	struct check *check = input;

	check->cli = cli;
	check->mistakes = json_array();
	check->warnings = json_array();
	check->database = json_null();
	switches_request(&check->switches, cli);
	check_files(check);
	if (check->usable)
		check_workers(check);
	if (cli->config)
		(void)handler_check(cli->config, bad_handler, check);
	if (check->usable && !check->no_database)
		check_database(check);
	if (check->usable) {
		check_roles(check);
		check_prefixes(check);
		check_tasks(check);
	}
	bool valid = json_array_size(check->mistakes) == 0;
	if (cli->config)
		print(check, valid);
	json_decref(check->mistakes);
	json_decref(check->warnings);
	json_decref(check->database);
	return valid ? EXIT_STOPPED : EXIT_USAGE;
}

static const struct argp argp = {
	.options = options,
	.doc = "Check the configuration without starting anything: the files, the programs and "
	       "modules of the job classes, the database and its tables. Prints every mistake, "
	       "then each file and what named it, and each setting that differs from its default, "
	       "with its value and its origin. "
	       "The exit status is 0 if everything is valid, and 2 if not."
	       "\vExamples:\n"
	       "  dray check --environment production\n"
	       "  dray check --all\n"
	       "  dray check --no-database --json",
};

const struct command check_command = {
	.name = "check",
	.summary = "check the files, handlers and database; print the settings",
	.argp = &argp,
	.parse = check_parse,
	.input_size = sizeof(struct check),
	.output =
		"an object with `valid` (boolean), `mistakes` and `warnings` (arrays of "
		"texts), `files` (an array of `file`, `path`, `state`: `read`, `does not exist`, "
		"`cannot be "
		"read` or `left out`, and `origin`), `database` (`url` with its password masked, "
		"`entry`: the one of a Rails application's database.yml that names it, or null, "
		"`server`, "
		"`current`: whether the tables are those of this version, `shared`: whether other "
		"software uses the tables, and `shared_because`; null if it was not checked) and "
		"`configuration` (an array of `path`, `value`, `origin`, and `default`: whether "
		"the value is the default, written or not).",
	.run = check_run,
};
