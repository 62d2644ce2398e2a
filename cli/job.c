#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/job_json.h"
#include "cli/table.h"
#include "common/process.h"
#include "queue/manage.h"

struct show {
	int64_t id;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct show *show = state->input;

	if (key == ARGP_KEY_NO_ARGS)
		argp_error(state, "which job? give its number");
	else if (key == ARGP_KEY_ARG && show->id == 0)
		show->id = argument_number(value, "job", 1, state);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

/* A JSON value of several lines under its title. */
static void print_pretty(const char *title, const json_t *value)
{
	if (!value || json_is_null(value))
		return;
	char *text = json_dumps(value, JSON_INDENT(2) | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
	if (!text)
		out_of_memory();
	(void)printf("\n%s\n%s\n", title, text);
	free(text);
}

static void print(const struct cli *cli, const struct job *job)
{
	static const struct column columns[] = {
		{ "id", "job", CELL_NUMBER },
		{ "class", "class", CELL_TEXT },
		{ "state", "state", CELL_STATE },
		{ "queue", "queue", CELL_TEXT },
		{ "priority", "priority", CELL_NUMBER },
		{ "active_job_id", "active job id", CELL_TEXT },
		{ "concurrency_key", "concurrency key", CELL_TEXT },
		{ "created_at", "created", CELL_TIME },
		{ "scheduled_at", "scheduled", CELL_TIME },
		{ "since", "in this state since", CELL_TIME },
		{ "finished_at", "finished", CELL_TIME },
		{ "process_id", "claimed by process", CELL_NUMBER },
		{ 0 },
	};
	json_t *record = job_json(job);
	json_t *payload = value_json(job->payload);
	json_t *error = value_json(job->error);

	if (cli->json)
		json_object_set(record, "payload", payload);
	record_print(cli, columns, record);
	if (!cli->json) {
		print_pretty("payload", payload);
		print_pretty("error", error);
	}
	json_decref(payload);
	json_decref(error);
}

static int run(struct cli *cli, void *input)
{
	const struct show *show = input;
	struct error error = { 0 };
	struct job job;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (job_find(cli->db, cli->arena, show->id, &job, &error) != STATUS_OK)
		return cli_fail(&error);
	print(cli, &job);
	return EXIT_STOPPED;
}

static const struct argp argp = {
	.parser = parse,
	.args_doc = "ID",
	.doc = "Print everything about one job: where it is, its payload, its error."
	       "\vExamples:\n"
	       "  dray job 42\n"
	       "  dray job 42 --json",
};

const struct command job_command = {
	.name = "job",
	.summary = "print everything about one job",
	.argp = &argp,
	.input_size = sizeof(struct show),
	.run = run,
};
