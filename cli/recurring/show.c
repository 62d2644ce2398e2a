/*
 * dray recurring list, next, history, explain: what reads and changes nothing. A task may be in
 * recurring.yml, in the database, or in both: the file says what is meant, the database what
 * happened. explain needs no database, and reads a schedule as it would be read in recurring.yml.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/output/table.h"
#include "cli/recurring/recurring.h"
#include "common/clock.h"
#include "common/order.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "db/schema/schema.h"
#include "schedule/schedule.h"

/* explain */

#define NUMBER_DEFAULT 5

/* "2026-11-21T09:00:00Z": occurrences have whole seconds. */
static json_t *whole_second(int64_t instant)
{
	char text[CLOCK_TEXT_SIZE];
	char iso[CLOCK_TEXT_SIZE + 1];

	clock_format_short(instant, text);
	(void)snprintf(iso, sizeof(iso), "%.10sT%sZ", text, text + 11);
	return json_string(iso);
}

/* "Sat 2026-11-21 10:00:00". */
static json_t *local_time(const struct schedule_occurrence *occurrence)
{
	static const char *const days[] = { "Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed" };
	int64_t local = occurrence->instant + occurrence->offset * CLOCK_SECOND;
	int64_t day = local / CLOCK_DAY - (local % CLOCK_DAY < 0 ? 1 : 0);
	char text[CLOCK_TEXT_SIZE];
	char whole[CLOCK_TEXT_SIZE + 8];

	clock_format_short(local, text);
	(void)snprintf(whole, sizeof(whole), "%s %s", days[(day % 7 + 7) % 7], text);
	return json_string(whole);
}

static json_t *run_json(const struct schedule_occurrence *occurrence)
{
	return json_pack("{s:o, s:o, s:i, s:s, s:s?}", "at", whole_second(occurrence->instant),
			 "local", local_time(occurrence), "offset", occurrence->offset,
			 "abbreviation", occurrence->abbreviation, "mark",
			 schedule_mark_name(occurrence->mark));
}

static json_t *note_json(const struct schedule_note *note)
{
	return json_pack("{s:o, s:i, s:i, s:s?}", "text", value_text(note->text), "line",
			 (int)note->line, "column", (int)note->column, "suggestion",
			 note->suggestion);
}

/* The runs after request->after, as an array of objects. */
static json_t *runs_json(const struct recurring_timing *timing,
			 const struct recurring_request *request)
{
	struct schedule_occurrence occurrence = { .instant = request->after };
	json_t *runs = json_array();
	int64_t number = request->number > 0 ? request->number : NUMBER_DEFAULT;

	for (int64_t i = 0; i < number && recurring_next(timing, occurrence.instant, &occurrence);
	     i++)
		json_array_append_new(runs, run_json(&occurrence));
	return runs;
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
	json_t *runs = runs_json(&always, request);
	json_t *next = json_array();
	json_t *run;
	size_t i;

	json_array_foreach(runs, i, run) json_array_append(next, json_object_get(run, "at"));
	json_object_set_new(result, "next", next);
	json_object_set_new(result, "runs", runs);
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

/* Every task that the database knows, sorted by key. */
struct known {
	struct recurring_row *list;
	size_t count;
};

/* One line of the list. */
struct shown {
	const struct config_task *task;  /* of our recurring.yml; NULL = none */
	const struct recurring_row *row; /* of the database; NULL: nobody has published it */
	struct recurring_timing timing;  /* timer NULL: it cannot be read */
	const char *class_name, *queue, *from;
	bool enabled;
};

static json_t *next_run(const struct shown *shown, int64_t now)
{
	struct schedule_occurrence occurrence;
	bool paused = shown->row && shown->row->paused_at > 0;
	bool runs = shown->enabled && !paused && shown->timing.timer &&
		    recurring_next(&shown->timing, now, &occurrence);

	return runs ? value_time(occurrence.instant) : json_null();
}

static void add_known(json_t *json, const struct recurring_row *row)
{
	const struct recurring_row none = { 0 };
	const struct recurring_row *known = row ? row : &none;
	const struct recurring_run *last = &known->last;

	json_object_set_new(json, "paused", json_boolean(known->paused_at > 0));
	json_object_set_new(json, "paused_at", value_time(known->paused_at));
	json_object_set_new(json, "paused_by",
			    value_text(known->paused_at > 0 ? known->note.who : NULL));
	json_object_set_new(json, "pause_reason",
			    value_text(known->paused_at > 0 ? known->note.reason : NULL));
	json_object_set_new(json, "last_run_at", value_time(last->run_at));
	json_object_set_new(json, "last_outcome",
			    value_text(last->state ? last->state : last->outcome));
	json_object_set_new(json, "last_job_id", value_id(last->job_id));
}

static const char *file_command(struct cli *cli, const struct config_task *task)
{
	return task->command ? words_join(cli->arena, task->command, task->command_count) : NULL;
}

static const char *standing(const struct shown *shown)
{
	if (!shown->enabled)
		return "disabled";
	return shown->row && shown->row->paused_at > 0 ? "paused" : "active";
}

static json_t *shown_json(struct cli *cli, const struct shown *shown)
{
	const char *key = shown->task ? shown->task->key : shown->row->task.key;
	const char *text = shown->task ? shown->task->schedule : shown->row->task.schedule;
	const struct schedule *timer = shown->timing.timer;
	const char *command = shown->task ? file_command(cli, shown->task)
					  : recurring_command_line(cli->arena, &shown->row->task);
	json_t *json = json_object();

	json_object_set_new(json, "key", value_text(key));
	json_object_set_new(json, "schedule", value_text(text));
	json_object_set_new(json, "words",
			    value_text(timer ? schedule_words(cli->arena, timer) : NULL));
	json_object_set_new(json, "zone", value_text(timer ? zone_name(timer->zone) : NULL));
	json_object_set_new(json, "class", value_text(shown->class_name));
	json_object_set_new(json, "command", value_text(command));
	json_object_set_new(json, "queue", value_text(shown->queue));
	json_object_set_new(json, "enabled", json_boolean(shown->enabled));
	json_object_set_new(json, "from", value_text(shown->from));
	add_known(json, shown->row);
	if (!cli->json)
		json_object_set_new(json, "status", json_string(standing(shown)));
	json_object_set_new(json, "next_run_at", next_run(shown, db_now(cli->db)));
	return json;
}

static struct shown of_file(const struct config_task *task, const struct recurring_row *row)
{
	return (struct shown){ .task = task,
			       .row = row,
			       .timing = { task->timer, task->starts, task->ends },
			       .class_name = task->class,
			       .queue = task->queue,
			       .from = task->file,
			       .enabled = task->enabled };
}

static const char *queue_of(const struct cli *cli, const struct recurring_row *row)
{
	const char *name = row->task.class_name;
	const struct config_class *class = name ? config_class_find(cli->config, name) : NULL;

	return row->ours && recurring_command_line(cli->arena, &row->task)
		       ? recurring_queue(&row->task, class ? class->queue : NULL)
		       : row->task.queue;
}

/* A task of the database, also of other software, as far as it can be read. */
static struct shown of_row(struct cli *cli, const struct recurring_row *row)
{
	const char *file = row->task.options.file;
	struct recurring_task task = row->task;
	const struct recurring_reading reading = { .zones = zones_new(cli->arena, NULL) };
	struct shown shown = { .row = row,
			       .queue = queue_of(cli, row),
			       .enabled = !row->task.options.disabled };

	task.class_name = recurring_class(cli->arena, &task);
	shown.class_name = task.class_name;
	shown.from = !row->ours ? "Rails" : row->is_static ? file : "added";
	if (recurring_check(cli->arena, &reading, &task, &shown.timing, NULL) != STATUS_OK)
		shown.timing.timer = NULL;
	return shown;
}

static json_t *list_json(struct cli *cli, const struct known *known)
{
	const struct config_scheduler *scheduler = cli->config->scheduler;
	json_t *rows = json_array();

	for (size_t i = 0; scheduler && i < scheduler->task_count; i++) {
		const struct config_task *task = &scheduler->tasks[i];
		const struct shown shown =
			of_file(task, order_find(task->key, known->list, known->count,
						 sizeof(*known->list)));
		json_array_append_new(rows, shown_json(cli, &shown));
	}
	for (size_t i = 0; i < known->count; i++) {
		const struct recurring_row *row = &known->list[i];
		if (recurring_file_task(cli, row->task.key))
			continue;
		const struct shown shown = of_row(cli, row);
		json_array_append_new(rows, shown_json(cli, &shown));
	}
	return rows;
}

int recurring_do_list(struct cli *cli, const struct recurring_request *request)
{
	static const struct column columns[] = {
		{ "key", "TASK", CELL_NAME },
		{ "words", "RUNS", CELL_NAME }, /* half of it is another schedule */
		{ "status", "STATE", CELL_STATE },
		{ "last_run_at", "LAST", CELL_TIME },
		{ "last_outcome", "OUTCOME", CELL_STATE },
		{ "next_run_at", "NEXT", CELL_TIME },
		{ "class", "CLASS", CELL_TEXT },
		{ "zone", "ZONE", CELL_TEXT },
		{ "from", "FROM", CELL_DETAIL },
		{ 0 },
	};
	struct known known = { 0 };
	struct error error = { 0 };
	int code = recurring_connect(cli);

	(void)request;
	if (code != EXIT_STOPPED)
		return code;
	if (recurring_rows(cli->db, cli->arena, &known.list, &known.count, &error) != STATUS_OK)
		return cli_fail(&error);
	order_by_text(known.list, known.count, sizeof(*known.list));
	table_print(cli, columns, list_json(cli, &known));
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
	const struct shown shown = of_row(cli, &row);
	if (!shown.timing.timer) {
		cli_complain("the schedule of %s cannot be read: %s", row.task.key,
			     row.task.schedule);
		return EXIT_ERROR;
	}
	warn_resting(cli, row.task.key, shown.enabled, row.paused_at > 0);
	print_runs(cli, runs_json(&shown.timing, request));
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
	const struct shown shown = of_file(task, NULL);
	print_runs(cli, runs_json(&shown.timing, request));
	return EXIT_STOPPED;
}

static json_t *past_run_json(const struct recurring_run *run)
{
	return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o}", "run_at", value_time(run->run_at),
			 "occurrences", (json_int_t)run->occurrences, "first_at",
			 value_time(run->first_at), "outcome", value_text(run->outcome), "job_id",
			 value_id(run->job_id), "state", value_text(run->state), "decided_at",
			 value_time(run->decided_at));
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
	json_t *rows = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(rows, past_run_json(&runs[i]));
	table_print(cli, columns, rows);
	return EXIT_STOPPED;
}
