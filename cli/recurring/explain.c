#include <stdio.h>

#include "cli/output/table.h"
#include "cli/recurring/recurring.h"
#include "common/clock.h"
#include "common/process.h"
#include "schedule/schedule.h"

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

json_t *recurring_runs(const struct schedule *schedule, const struct recurring_request *request)
{
	struct schedule_occurrence occurrence = { .instant = request->after };
	json_t *runs = json_array();
	int64_t number = request->number > 0 ? request->number : NUMBER_DEFAULT;

	for (int64_t i = 0; i < number; i++) {
		if (!schedule_next(schedule, occurrence.instant, &occurrence) ||
		    occurrence.instant > request->until)
			break;
		json_array_append_new(runs, run_json(&occurrence));
	}
	return runs;
}

void recurring_print_runs(struct cli *cli, json_t *runs)
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
	json_t *runs = recurring_runs(schedule, request);
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

static void warn(struct cli *cli, const struct schedule_note *note)
{
	const char *place = place_text(cli->arena, note);

	if (note->suggestion)
		cli_warn(cli, "%s: %s; did you mean \"%s\"?", place, note->text, note->suggestion);
	else
		cli_warn(cli, "%s: %s", place, note->text);
}

static void print(struct cli *cli, const struct schedule *schedule, json_t *result)
{
	static const struct column about[] = {
		{ "schedule", "SCHEDULE", CELL_TEXT },    { "cron", "CRON", CELL_TEXT },
		{ "words", "MEANS", CELL_TEXT },          { "zone", "ZONE", CELL_TEXT },
		{ "zone_because", "BECAUSE", CELL_TEXT }, { 0 },
	};

	for (size_t i = 0; i < schedule->warning_count; i++)
		warn(cli, &schedule->warnings[i]);
	if (!cli->json) {
		json_t *list = json_incref(json_object_get(result, "runs"));
		record_print(cli, about, result);
		(void)putchar('\n');
		recurring_print_runs(cli, list);
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
	print(cli, schedule, schedule_json(cli, schedule, request));
	return EXIT_STOPPED;
}
