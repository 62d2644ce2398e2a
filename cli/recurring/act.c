/*
 * dray recurring add, change, remove, pause, resume, run: what changes something. add and change
 * take the keys of recurring.yml as options; with change, an empty value restores the default, and
 * what is not given stays as it is. With --dry-run the same is checked and told, and nothing is
 * written, not even the line for `dray audit`.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/recurring/recurring.h"
#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "policy/policy.h"
#include "queue/recurring/recurring.h"

static bool is_given(const char *value)
{
	return value && *value != '\0';
}

/* recurring_apply, whose mistakes are told by the names of the options. */
static enum status apply(const struct recurring_values *values, struct arena *arena,
			 struct recurring_task *task, struct error *error)
{
	bool command = is_given(values->command);
	const char *stored;

	if (command && is_given(values->class_name))
		return error_set(error, STATUS_INVALID,
				 "--class and --command are given, expected one of them");
	if (command && is_given(values->arguments))
		return error_set(error, STATUS_INVALID,
				 "--args is given beside --command, whose arguments are its words");
	if (is_given(values->arguments) &&
	    recurring_arguments_store(arena, values->arguments, &stored, error) != STATUS_OK)
		return error_prefix(error, "--args");
	return recurring_apply(values, arena, task, error);
}

/* One action under way. */
struct act {
	struct cli *cli;
	const struct recurring_request *request;
	struct pause_note note;
	struct recurring_timing timing; /* of the task after it */
	bool disabled;                  /* is it? */
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
};

static int begin(struct act *act, struct cli *cli, const struct recurring_request *request)
{
	*act = (struct act){ .cli = cli, .request = request };
	pause_note_init(&act->note, act->who, act->host);
	act->note.reason = request->reason;
	return recurring_connect(cli);
}

/* "added", or "would be added". */
static const char *done(const struct act *act, const char *what)
{
	return act->request->dry_run ? arena_printf(act->cli->arena, "would be %s", what) : what;
}

static json_t *result(const struct act *act, bool changed)
{
	return json_pack("{s:o, s:s, s:b, s:b}", "key", value_text(act->request->subject), "action",
			 act->request->verb, "changed", changed, "dry_run", act->request->dry_run);
}

/* Is the configuration strict about schedules? Then so is this. */
static bool is_strict(const struct cli *cli)
{
	return cli->config->scheduler && cli->config->scheduler->strict;
}

static enum status check(struct act *act, const struct recurring_task *task, struct error *error)
{
	struct arena *arena = act->cli->arena;
	const struct recurring_reading reading = { zones_new(arena, NULL), is_strict(act->cli) };

	act->disabled = task->options.disabled;
	return recurring_check(arena, &reading, task, &act->timing, error);
}

static void warn_of_class(struct cli *cli, const char *name)
{
	if (config_class_find(cli->config, name))
		return;
	if (strcmp(name, RECURRING_COMMAND_CLASS) == 0)
		cli_warn(cli,
			 "no worker of this configuration runs it: say \"" RECURRING_COMMAND_CLASS
			 ": {command: [env, '{*}']}\" under jobs in jobs.yml");
	else if (cli->config->class_count > 0)
		cli_warn(cli, "class \"%s\" is not in jobs.yml: other software must run it", name);
}

static void warn(const struct act *act, const struct recurring_task *task)
{
	const struct config *config = act->cli->config;
	const struct schedule *timer = act->timing.timer;

	for (size_t i = 0; i < timer->warning_count; i++)
		cli_warn(act->cli, "schedule: column %u: %s", timer->warnings[i].column,
			 timer->warnings[i].text);
	warn_of_class(act->cli, task->class_name);
	if (!config->scheduler || !config->scheduler->dynamic_tasks_enabled)
		cli_warn(act->cli,
			 "no scheduler of this configuration runs it: say \"scheduler: "
			 "{dynamic_tasks_enabled: true}\" in %s",
			 config_settings_file(config));
}

static int tell_task(const struct act *act, const struct recurring_task *task, const char *what)
{
	const struct schedule *timer = act->timing.timer;
	struct schedule_occurrence occurrence;
	bool runs =
		!act->disabled && recurring_next(&act->timing, db_now(act->cli->db), &occurrence);
	const char *words = schedule_words(act->cli->arena, timer);
	json_t *json = result(act, true);

	warn(act, task);
	json_object_set_new(json, "schedule", value_text(task->schedule));
	json_object_set_new(json, "words", value_text(words));
	json_object_set_new(json, "zone", value_text(zone_name(timer->zone)));
	json_object_set_new(json, "class", value_text(task->class_name));
	json_object_set_new(json, "next_run_at",
			    runs ? value_time(occurrence.instant) : json_null());
	say(act->cli, "task %s %s: %s, %s", act->request->subject, done(act, what), words,
	    zone_name(timer->zone));
	json_print(act->cli, json);
	return EXIT_STOPPED;
}

/* A task has its own zone, so that every host takes it for the same. */
static const char *default_zone(struct cli *cli)
{
	struct zones *zones = zones_new(cli->arena, NULL);
	const struct zone *zone = NULL;

	if (cli->config->process.time_zone)
		return cli->config->process.time_zone;
	if (zones_system(zones, &zone, NULL) == STATUS_OK && zones_has(zones, zone_name(zone)))
		return zone_name(zone);
	cli_warn(cli, "this host's time zone has no name: the task is in UTC");
	return "UTC";
}

/* --dry-run: checks and reports, changes nothing. */
static enum status try_add(const struct act *act, struct error *error)
{
	struct recurring_row row;
	enum status status =
		recurring_find(act->cli->db, act->cli->arena, act->request->subject, &row, error);

	if (status == STATUS_OK)
		return error_set(error, STATUS_CONFLICT, "there is a task called %s already",
				 row.task.key);
	return status == STATUS_NONE ? STATUS_OK : status;
}

int recurring_do_add(struct cli *cli, const struct recurring_request *request)
{
	struct recurring_task task = { .key = request->subject };
	struct error error = { 0 };
	struct act act;
	int code = begin(&act, cli, request);

	if (code != EXIT_STOPPED)
		return code;
	enum status status = apply(&request->values, cli->arena, &task, &error);
	if (!task.options.time_zone)
		task.options.time_zone = default_zone(cli);
	if (status == STATUS_OK)
		status = check(&act, &task, &error);
	if (status == STATUS_OK)
		status = request->dry_run ? try_add(&act, &error)
					  : recurring_add(cli->db, &task, &act.note, &error);
	return status == STATUS_OK ? tell_task(&act, &task, "added")
				   : recurring_fail(cli, request->subject, &error);
}

/* In an arena that outlives the attempts. */
struct changing {
	struct act act;
	struct recurring_task task;
};

static enum status edit(struct arena *arena, struct recurring_task *task, void *input,
			struct error *error)
{
	struct changing *changing = input;
	bool had_zone = task->options.time_zone;
	enum status status = apply(&changing->act.request->values, arena, task, error);

	if (had_zone && !task->options.time_zone)
		task->options.time_zone = default_zone(changing->act.cli);
	if (status == STATUS_OK)
		status = check(&changing->act, task, error);
	if (status != STATUS_OK)
		return status;
	changing->task = (struct recurring_task){
		.schedule = arena_strdup(changing->act.cli->arena, task->schedule),
		.class_name = arena_strdup(changing->act.cli->arena, task->class_name),
	};
	return STATUS_OK;
}

static enum status try_change(struct changing *changing, struct error *error)
{
	struct cli *cli = changing->act.cli;
	struct recurring_row row;
	enum status status =
		recurring_find(cli->db, cli->arena, changing->act.request->subject, &row, error);

	if (status == STATUS_OK)
		status = recurring_changeable(&row, error);
	if (status == STATUS_OK)
		status = edit(cli->arena, &row.task, changing, error);
	return status;
}

int recurring_do_change(struct cli *cli, const struct recurring_request *request)
{
	struct error error = { 0 };
	struct changing changing = { 0 };
	int code = begin(&changing.act, cli, request);

	if (code != EXIT_STOPPED)
		return code;
	if (!request->has_values) {
		cli_complain("recurring change: say what to change; see --help");
		return EXIT_USAGE;
	}
	enum status status = request->dry_run
				     ? try_change(&changing, &error)
				     : recurring_change(cli->db, request->subject, edit, &changing,
							&changing.act.note, &error);
	return status == STATUS_OK ? tell_task(&changing.act, &changing.task, "changed")
				   : recurring_fail(cli, request->subject, &error);
}

static bool confirmed(const struct recurring_request *request)
{
	char answer[16];

	if (request->yes)
		return true;
	(void)fprintf(stderr, "remove task %s? [y/N] ", request->subject);
	(void)fflush(stderr);
	return fgets(answer, sizeof(answer), stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

int recurring_do_remove(struct cli *cli, const struct recurring_request *request)
{
	bool terminal = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
	struct error error = { 0 };
	struct recurring_row row;
	struct act act;

	if (!request->yes && !request->dry_run && !terminal) {
		cli_complain("without a terminal to ask on, recurring remove needs --yes (or "
			     "--dry-run)");
		return EXIT_USAGE;
	}
	int code = begin(&act, cli, request);
	if (code != EXIT_STOPPED)
		return code;
	enum status status = recurring_find(cli->db, cli->arena, request->subject, &row, &error);
	if (status == STATUS_OK && row.is_static)
		status = recurring_changeable(&row, &error);
	if (status == STATUS_OK && !request->dry_run && !confirmed(request)) {
		cli_complain("nothing was done");
		return EXIT_ERROR;
	}
	if (status == STATUS_OK && !request->dry_run)
		status = recurring_remove(cli->db, request->subject, &act.note, &error);
	if (status != STATUS_OK)
		return recurring_fail(cli, request->subject, &error);
	say(cli, "task %s %s", request->subject, done(&act, "removed"));
	json_print(cli, result(&act, true));
	return EXIT_STOPPED;
}

static enum status try_pause(const struct act *act, bool pause, bool *changed, struct error *error)
{
	struct recurring_row row;
	enum status status =
		recurring_find(act->cli->db, act->cli->arena, act->request->subject, &row, error);

	if (status == STATUS_OK)
		status = recurring_pausable(&row, error);
	*changed = status == STATUS_OK && (row.paused_at > 0) != pause;
	return status;
}

/* Schedulers of Rails ignore pauses: warn of them. Failing to find out is only a warning, too. */
static void tell_where_it_holds(const struct act *act, json_t *json)
{
	struct cli *cli = act->cli;
	const struct prune patience = policy_silence(cli->config, 0);
	const char *scheduler = NULL;
	struct error error = { 0 };

	if (recurring_elsewhere(cli->db, cli->arena, &patience, act->request->subject, &scheduler,
				&error) != STATUS_OK)
		cli_warn(cli, "cannot tell whether a scheduler of Rails has the task, too: %s",
			 error.text);
	else if (scheduler)
		cli_warn(cli,
			 "the pause does not hold in %s: this scheduler of Rails has the task %s, "
			 "too, and keeps running it",
			 scheduler, act->request->subject);
	json_object_set_new(json, "not_held_by", value_text(scheduler));
}

/* And resume. */
int recurring_do_pause(struct cli *cli, const struct recurring_request *request)
{
	bool pause = strcmp(request->verb, "pause") == 0;
	struct error error = { 0 };
	struct act act;
	bool changed = false;
	int code = begin(&act, cli, request);
	enum status status;

	if (code != EXIT_STOPPED)
		return code;
	if (request->dry_run)
		status = try_pause(&act, pause, &changed, &error);
	else if (pause)
		status = recurring_pause(cli->db, request->subject, &act.note, &changed, &error);
	else
		status = recurring_resume(cli->db, request->subject, &act.note, &changed, &error);
	if (status != STATUS_OK)
		return recurring_fail(cli, request->subject, &error);
	say(cli, "task %s %s", request->subject,
	    changed ? done(&act, pause ? "paused" : "resumed")
	    : pause ? "was paused already"
		    : "was not paused");
	json_t *json = result(&act, changed);
	if (pause)
		tell_where_it_holds(&act, json);
	json_print(cli, json);
	return EXIT_STOPPED;
}

/* The queue and priority of the class, as a scheduler would use them. */
static struct new_job class_defaults(struct cli *cli, const struct recurring_row *row)
{
	struct new_job job = { .class_name = recurring_class(cli->arena, &row->task) };

	policy_defaults(cli->config, &job);
	return job;
}

static int tell_run(const struct act *act, const struct recurring_ran *ran)
{
	json_t *json = result(act, true);

	json_object_set_new(json, "job_id", value_id(ran->job.id));
	json_object_set_new(json, "run_at", value_time(ran->run_at));
	if (act->request->dry_run)
		say(act->cli, "task %s would be run", act->request->subject);
	else if (ran->job.id > 0)
		say(act->cli, "task %s is run by job %lld", act->request->subject,
		    (long long)ran->job.id);
	else
		say(act->cli, "task %s has no new job: the limit of its class discarded it",
		    act->request->subject);
	json_print(act->cli, json);
	return EXIT_STOPPED;
}

int recurring_do_run(struct cli *cli, const struct recurring_request *request)
{
	struct recurring_ran ran = { 0 };
	struct error error = { 0 };
	struct recurring_row row;
	struct act act;
	int code = begin(&act, cli, request);

	if (code != EXIT_STOPPED)
		return code;
	enum status status = recurring_find(cli->db, cli->arena, request->subject, &row, &error);
	if (status != STATUS_OK)
		return recurring_fail(cli, request->subject, &error);
	const struct new_job defaults = class_defaults(cli, &row);
	if (!request->dry_run)
		status = recurring_run_now(cli->db, request->subject, &defaults, &act.note, &ran,
					   &error);
	return status == STATUS_OK ? tell_run(&act, &ran)
				   : recurring_fail(cli, request->subject, &error);
}
