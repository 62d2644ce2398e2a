/*
 * dray recurring list, next, history, explain: what reads and changes nothing. A task may be in
 * recurring.yml, in the database, or in both: the file says what is meant, the database what
 * happened. explain needs no database, and reads a schedule as it would be read in recurring.yml.
 */
#include <stdio.h>

#include "cli/output/table.h"
#include "cli/recurring/recurring.h"
#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "db/schema/schema.h"
#include "schedule/schedule.h"
#include "show/show.h"

/* explain */

#define NUMBER_DEFAULT 5

/* `number` 0: the default. */
static json_t *next_runs(const struct recurring_timing *timing,
			 const struct recurring_request *request)
{
	return show_runs(timing, request->after,
			 request->number > 0 ? request->number : NUMBER_DEFAULT);
}

static void print_runs(struct cli *cli, json_t *runs)
{
	static const struct column columns[] = {
		{ "at", "NEXT", CELL_TIME },
		{ "local", "THERE", CELL_TEXT },
		{ "abbreviation", "ZONE", CELL_TEXT },
		{ "mark", "CLOCKS", CELL_TEXT },
		{ 0 },
	};

	table_print(cli, columns, runs);
}

static void add_runs(json_t *result, const struct schedule *schedule,
		     const struct recurring_request *request)
{
	const struct recurring_timing always = { schedule, INT64_MIN, CLOCK_NEVER };
	json_t *runs = next_runs(&always, request);
	json_t *next = json_array();
	json_t *run;
	size_t i;

	json_array_foreach(runs, i, run) json_array_append(next, json_object_get(run, "at"));
	json_object_set_new(result, "next", next);
	json_object_set_new(result, "runs", runs);
}

static json_t *note_json(const struct schedule_note *note)
{
	return json_pack("{s:o, s:i, s:i, s:s?}", "text", value_text(note->text), "line",
			 (int)note->line, "column", (int)note->column, "suggestion",
			 note->suggestion);
}

/* Says where the zone comes from: on another host, or beside Rails, it may be another one. */
static const char *zone_because(const struct cli *cli, const struct schedule *schedule,
				const struct recurring_request *request)
{
	if (schedule->zone_given)
		return "the schedule names it";
	if (request->zone)
		return "given by --zone";
	if (cli->config->process.time_zone)
		return "the configuration's time_zone";
	return "this host's, as no time_zone is set; beside Rails on the same tables it is UTC";
}

static json_t *schedule_json(struct cli *cli, const struct schedule *schedule,
			     const struct recurring_request *request)
{
	json_t *warnings = json_array();
	json_t *result = json_pack(
		"{s:o, s:s, s:s, s:s, s:s}", "schedule", value_text(schedule->text), "cron",
		schedule->cron, "words", schedule_words(cli->arena, schedule), "zone",
		zone_name(schedule->zone), "zone_because", zone_because(cli, schedule, request));

	for (size_t i = 0; i < schedule->warning_count; i++)
		json_array_append_new(warnings, note_json(&schedule->warnings[i]));
	add_runs(result, schedule, request);
	json_object_set_new(result, "warnings", warnings);
	return result;
}

/* "column 7", of a text with several lines "line 2, column 7". */
static const char *place_text(struct arena *arena, const struct schedule_note *note)
{
	if (note->line == 1)
		return arena_printf(arena, "column %u", note->column);
	return arena_printf(arena, "line %u, column %u", note->line, note->column);
}

static void warn_of_note(struct cli *cli, const struct schedule_note *note)
{
	const char *place = place_text(cli->arena, note);

	if (note->suggestion)
		cli_warn(cli, "%s: %s; did you mean \"%s\"?", place, note->text, note->suggestion);
	else
		cli_warn(cli, "%s: %s", place, note->text);
}

static void print_schedule(struct cli *cli, const struct schedule *schedule, json_t *result)
{
	static const struct column about[] = {
		{ "schedule", "SCHEDULE", CELL_TEXT },    { "cron", "CRON", CELL_TEXT },
		{ "words", "MEANS", CELL_TEXT },          { "zone", "ZONE", CELL_TEXT },
		{ "zone_because", "BECAUSE", CELL_TEXT }, { 0 },
	};

	for (size_t i = 0; i < schedule->warning_count; i++)
		warn_of_note(cli, &schedule->warnings[i]);
	if (!cli->json) {
		json_t *list = json_incref(json_object_get(result, "runs"));
		record_print(cli, about, result);
		(void)putchar('\n');
		print_runs(cli, list);
		return;
	}
	json_print(cli, result);
}

static int refuse(struct cli *cli, const char *text, const struct schedule_note *fault,
		  const struct error *error)
{
	json_print(cli, json_pack("{s:o, s:n, s:[], s:o}", "schedule", value_text(text), "cron",
				  "next", "error", note_json(fault)));
	cli_complain("%s: %s", place_text(cli->arena, fault), error->text);
	return EXIT_USAGE;
}

/* The configuration may have mistakes; the schedule to explain may be one of them. */
static void configure(struct cli *cli)
{
	struct config_problems problems = { 0 };

	cli->request.keep_faulty = true;
	if (config_load(&cli->config, cli->arena, &cli->request, &problems) != STATUS_OK)
		cli_warn(cli, "the configuration has mistakes: see `dray check`");
}

/* Solid Queue's reading (--compatible) is never strict. */
static bool is_strict(const struct cli *cli, const struct recurring_request *request)
{
	const struct config_scheduler *scheduler = cli->config->scheduler;

	return request->strict || (!request->compatible && scheduler && scheduler->strict);
}

/* --zone, else the configuration's, else the system's. */
static enum status find_zone(struct cli *cli, const struct recurring_request *request,
			     struct zones *zones, const struct zone **zone, struct error *error)
{
	const char *name = request->zone ? request->zone : cli->config->process.time_zone;

	if (name)
		return zones_find_setting(zones, name, zone, error);
	return zones_system(zones, zone, error);
}

int recurring_do_explain(struct cli *cli, const struct recurring_request *request)
{
	struct zones *zones = zones_new(cli->arena, NULL);
	const struct schedule *schedule = NULL;
	struct schedule_note fault = { 0 };
	struct error error = { 0 };
	struct schedule_request wanted = {
		.text = request->subject,
		.key = request->key,
		.zones = zones,
		.compatible = request->compatible,
	};

	configure(cli);
	wanted.strict = is_strict(cli, request);
	if (find_zone(cli, request, zones, &wanted.zone, &error) != STATUS_OK)
		return cli_fail(&error);
	if (schedule_parse(cli->arena, &wanted, &schedule, &fault, &error) != STATUS_OK)
		return refuse(cli, request->subject, &fault, &error);
	if (schedule->random && !request->key)
		cli_warn(cli, "what ~ means depends on the task: say which with --key");
	print_schedule(cli, schedule, schedule_json(cli, schedule, request));
	return EXIT_STOPPED;
}

/* list, next, history */

#define HISTORY_DEFAULT 20

static const char *standing(const json_t *task)
{
	if (json_is_false(json_object_get(task, "enabled")))
		return "disabled";
	return json_is_true(json_object_get(task, "paused")) ? "paused" : "active";
}

int recurring_do_list(struct cli *cli, const struct recurring_request *request)
{
	static const struct column columns[] = {
		{ "key", "TASK", CELL_NAME },
		{ "words", "RUNS", CELL_WHOLE }, /* half of it is another schedule */
		{ "status", "STATE", CELL_STATE },
		{ "last_run_at", "LAST", CELL_TIME },
		{ "last_outcome", "OUTCOME", CELL_STATE },
		{ "next_run_at", "NEXT", CELL_TIME },
		{ "class", "CLASS", CELL_TEXT },
		{ "zone", "ZONE", CELL_TEXT },
		{ "from", "FROM", CELL_DETAIL },
		{ 0 },
	};
	struct error error = { 0 };
	struct recurring_row *list;
	size_t i, count;
	json_t *row;
	int code = recurring_connect(cli);

	(void)request;
	if (code != EXIT_STOPPED)
		return code;
	if (recurring_rows(cli->db, cli->arena, &list, &count, &error) != STATUS_OK)
		return cli_fail(&error);
	json_t *rows = show_tasks(cli->arena, cli->config, list, count, db_now(cli->db));
	json_array_foreach(rows, i, row) if (!cli->json)
		json_object_set_new(row, "status", json_string(standing(row)));
	table_print(cli, columns, rows);
	return EXIT_STOPPED;
}

/* The database has no such task; the file may have one with a similar key. */
static int unknown(struct cli *cli, const char *key, const struct error *error)
{
	const struct config_scheduler *scheduler = cli->config->scheduler;
	size_t count = scheduler ? scheduler->task_count : 0;
	const char **keys = arena_array(cli->arena, count, sizeof(*keys));

	for (size_t i = 0; i < count; i++)
		keys[i] = scheduler->tasks[i].key;
	const char *nearest = nearest_word(key, keys, count);
	if (!nearest)
		return recurring_fail(cli, key, error);
	cli_complain("no task is called %s: did you mean %s?", key, nearest);
	return EXIT_USAGE;
}

/* Its next occurrences are listed anyway: it would run then. */
static void warn_resting(struct cli *cli, const char *key, bool enabled, bool paused)
{
	if (!enabled || paused)
		cli_warn(cli, "%s is %s", key, enabled ? "paused" : "not enabled");
}

/*
 * Pauses and the schedulers' zone are in the database. If it cannot be asked, that is a warning:
 * schedules need no database.
 */
static bool is_paused(struct cli *cli, const char *key)
{
	struct error error = { 0 };
	struct recurring_row row = { 0 };
	enum status status = cli_database(cli, CLI_EXISTING, &error);

	if (status == STATUS_OK)
		status = schema_require(cli->db, &error);
	if (status == STATUS_OK)
		status = recurring_take_zone(cli, &error);
	if (status == STATUS_OK)
		status = recurring_find(cli->db, cli->arena, key, &row, &error);
	if (status != STATUS_OK && status != STATUS_NONE)
		cli_warn(cli, "cannot tell whether %s is paused: %s", key, error.text);
	return status == STATUS_OK && row.paused_at > 0;
}

/* The next runs of a task that is not in the file. */
static int next_of_row(struct cli *cli, const struct recurring_request *request)
{
	struct error error = { 0 };
	struct recurring_row row;
	int code = recurring_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	enum status status = recurring_find(cli->db, cli->arena, request->subject, &row, &error);
	if (status == STATUS_NONE)
		return unknown(cli, request->subject, &error);
	if (status != STATUS_OK)
		return cli_fail(&error);
	const struct task_shown shown =
		task_of_row(cli->arena, zones_new(cli->arena, NULL), cli->config, &row);
	if (!shown.timing.timer) {
		cli_complain("the schedule of %s cannot be read: %s", row.task.key,
			     row.task.schedule);
		return EXIT_ERROR;
	}
	warn_resting(cli, row.task.key, shown.enabled, row.paused_at > 0);
	print_runs(cli, next_runs(&shown.timing, request));
	return EXIT_STOPPED;
}

int recurring_do_next(struct cli *cli, const struct recurring_request *request)
{
	int code = cli_configure(cli);

	if (code != EXIT_STOPPED)
		return code;
	const struct config_task *task = recurring_file_task(cli, request->subject);
	if (!task)
		return next_of_row(cli, request);
	if (!task->timer) {
		cli_complain("the schedule of %s has a mistake: see `dray check`", task->key);
		return EXIT_USAGE;
	}
	warn_resting(cli, task->key, task->enabled, is_paused(cli, task->key));
	task = recurring_file_task(cli, request->subject); /* in that zone */
	const struct task_shown shown = task_of_file(task, NULL);
	print_runs(cli, next_runs(&shown.timing, request));
	return EXIT_STOPPED;
}

int recurring_do_history(struct cli *cli, const struct recurring_request *request)
{
	static const struct column columns[] = {
		{ "run_at", "OCCURRENCE", CELL_TIME }, { "occurrences", "COUNT", CELL_NUMBER },
		{ "first_at", "SINCE", CELL_TIME },    { "outcome", "OUTCOME", CELL_STATE },
		{ "job_id", "JOB", CELL_NUMBER },      { "state", "STATE", CELL_STATE },
		{ "decided_at", "AT", CELL_TIME },     { 0 },
	};
	const struct recurring_page page = {
		.key = request->subject,
		.until = request->before,
		.limit = request->number > 0 ? request->number : HISTORY_DEFAULT,
	};
	struct recurring_run *runs = NULL;
	struct error error = { 0 };
	struct recurring_row row;
	size_t count = 0;
	int code = recurring_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	enum status status = recurring_history(cli->db, cli->arena, &page, &runs, &count, &error);
	/* A removed task still has a history; an unknown key has none. */
	if (status == STATUS_OK && count == 0 && !recurring_file_task(cli, request->subject))
		status = recurring_find(cli->db, cli->arena, request->subject, &row, &error);
	if (status != STATUS_OK)
		return recurring_fail(cli, request->subject, &error);
	table_print(cli, columns, show_history(runs, count));
	return EXIT_STOPPED;
}
