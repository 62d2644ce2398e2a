/* dray pause and resume with --class and --process, and the list of what is paused. */
#include <string.h>

#include "cli/output/table.h"
#include "cli/queues/pause.h"
#include "common/clock.h"
#include "common/text/parse.h"
#include "queue/processes/process.h"

static const char *hint(const struct cli *cli, const char *name, const char *const known[],
			size_t count)
{
	const char *nearest = nearest_word(name, known, count);

	return nearest ? arena_printf(cli->arena, ": did you mean \"%s\"?", nearest) : "";
}

/* Only a warning, because classes of Rails need not be in the configuration. */
static void warn_of_class(const struct cli *cli, const char *name)
{
	const struct config *config = cli->config;
	const char **known = arena_array(cli->arena, config->class_count + 1, sizeof(*known));

	if (config->faulty & NEED_CLASSES)
		return; /* the class may be in the part that could not be read */
	for (size_t i = 0; i < config->class_count; i++) {
		known[i] = config->classes[i].name;
		if (strcmp(known[i], name) == 0)
			return;
	}
	cli_warn(cli, "class \"%s\" is not in the configuration%s", name,
		 hint(cli, name, known, config->class_count));
}

/* Reports that there is no such worker, so it cannot be paused. */
static int refuse(struct cli *cli, const char *name)
{
	struct error error = { 0 };
	struct process_row *processes;
	size_t count;
	size_t workers = 0;

	if (process_list(cli->db, cli->arena, &processes, &count, &error) != STATUS_OK)
		return cli_fail(&error);
	const char **known = arena_array(cli->arena, count + 1, sizeof(*known));
	for (size_t i = 0; i < count; i++) {
		bool worker = strcmp(processes[i].kind, "Worker") == 0;
		if (!worker && strcmp(processes[i].name, name) == 0) {
			(void)error_set(&error, STATUS_INVALID,
					"%s is not a worker and claims no jobs", name);
			return cli_fail(&error);
		}
		if (worker)
			known[workers++] = processes[i].name;
	}
	(void)error_set(&error, STATUS_INVALID, "there is no worker \"%s\"%s", name,
			hint(cli, name, known, workers));
	return cli_fail(&error);
}

const char *pause_change_text(bool paused, bool changed)
{
	if (paused)
		return changed ? "is now paused" : "was already paused";
	return changed ? "is no longer paused" : "was not paused";
}

const char *pause_until_text(const struct cli *cli, int64_t until)
{
	char text[CLOCK_TEXT_SIZE];

	if (until == 0)
		return "";
	clock_format_short(until / CLOCK_SECOND * CLOCK_SECOND, text);
	return arena_printf(cli->arena, " until %s UTC", text);
}

static int tell(struct cli *cli, const struct pause *pause, int64_t until, bool paused,
		bool changed)
{
	const char *kind = pause_kind_name(pause->kind);

	say(cli, "%s %s %s%s", kind, pause->name, pause_change_text(paused, changed),
	    pause_until_text(cli, until));
	json_print(cli, json_pack("{s:o, s:b, s:b, s:o}", kind, value_text(pause->name), "paused",
				  paused, "changed", changed, "until", value_time(until)));
	return EXIT_STOPPED;
}

int pause_other_run(struct cli *cli, const struct pause *pause)
{
	struct error error = { 0 };
	struct pause_note note;
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	bool changed = false;

	pause_note_init(&note, who, host);
	note.reason = pause->reason;
	note.ends_at = pause->period > 0 ? db_now(cli->db) + pause->period : 0;
	if (pause->kind == PAUSE_CLASS)
		warn_of_class(cli, pause->name);
	enum status status =
		pause_other(cli->db, pause->kind, pause->name, &note, &changed, &error);
	if (status == STATUS_NONE)
		return refuse(cli, pause->name);
	return status == STATUS_OK ? tell(cli, pause, note.ends_at, true, changed)
				   : cli_fail(&error);
}

int resume_other_run(struct cli *cli, const struct pause *pause)
{
	struct error error = { 0 };
	struct pause_note note;
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	bool changed = false;

	pause_note_init(&note, who, host);
	note.reason = pause->reason;
	if (resume_other(cli->db, pause->kind, pause->name, &note, &changed, &error) != STATUS_OK)
		return cli_fail(&error);
	if (!changed && pause->kind == PAUSE_CLASS)
		warn_of_class(cli, pause->name);
	return tell(cli, pause, 0, false, changed);
}

static json_t *row_json(const struct cli *cli, const struct pause_row *row)
{
	const char *who = row->note.who;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kind", value_text(row->kind),
			 "name", value_text(row->name), "since", value_time(row->since), "until",
			 value_time(row->note.ends_at), "by",
			 value_text(who || cli->json ? who : "other software"), "host",
			 value_text(row->note.host), "reason", value_text(row->note.reason));
}

int pause_show(struct cli *cli)
{
	static const struct column columns[] = {
		{ "kind", "KIND", CELL_TEXT },     { "name", "NAME", CELL_TEXT },
		{ "since", "SINCE", CELL_TIME },   { "until", "UNTIL", CELL_TIME },
		{ "by", "BY", CELL_TEXT },         { "host", "HOST", CELL_TEXT },
		{ "reason", "REASON", CELL_TEXT }, { 0 },
	};
	struct error error = { 0 };
	struct pause_row *list;
	size_t count;

	if (pause_shown(cli->db, cli->arena, &list, &count, &error) != STATUS_OK)
		return cli_fail(&error);
	json_t *rows = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(rows, row_json(cli, &list[i]));
	table_print(cli, columns, rows);
	return EXIT_STOPPED;
}
