#include <inttypes.h>

#include "cli/commands.h"
#include "cli/filter.h"
#include "cli/record.h"
#include "cli/table.h"
#include "common/clock.h"
#include "common/process.h"

#define BATCH 500

struct clear {
	int64_t older_than;
	bool has_older_than;
	struct job_filter filter;
};

enum key { KEY_OLDER_THAN = 1 };

static const struct argp_option options[] = {
	{ "older-than", KEY_OLDER_THAN, "DURATION", 0,
	  "finished so long ago (default: clear_finished_jobs_after, 1 day)", 0 },
	{ "class", FILTER_CLASS, "CLASS", 0, "of this class", 0 },
	{ 0 },
};

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct clear *clear = state->input;

	if (key != KEY_OLDER_THAN)
		return filter_parse(&clear->filter, key, value, state);
	clear->older_than = argument_duration(value, "--older-than", state);
	clear->has_older_than = true;
	return 0;
}

/* What it is done to, for the audit trail. */
static const char *target(struct arena *arena, int64_t older_than, const char *class_name)
{
	return arena_printf(arena, "jobs finished more than %g s ago%s%s",
			    (double)older_than / CLOCK_SECOND, class_name ? " of class " : "",
			    class_name ? class_name : "");
}

static int run(struct cli *cli, void *input)
{
	const struct clear *clear = input;
	struct error error = { 0 };
	int64_t cleared = 0;
	int64_t record = 0;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	int64_t older_than = clear->has_older_than ? clear->older_than
						   : cli->config->process.clear_finished_jobs_after;
	if (record_begin(cli, "clear", target(cli->arena, older_than, clear->filter.class_name),
			 &record, &error) != STATUS_OK)
		return cli_fail(&error);
	enum status status = job_clear_finished(cli->db, db_now(cli->db) - older_than,
						clear->filter.class_name, BATCH, &cleared, &error);
	record_end(cli, record, cleared, status == STATUS_OK);
	say(cli, "cleared %" PRId64 " finished job%s", cleared, cleared == 1 ? "" : "s");
	json_print(cli, json_pack("{s:I}", "cleared", (json_int_t)cleared));
	return status == STATUS_OK ? EXIT_STOPPED : cli_fail(&error);
}

static const struct argp argp = {
	.options = options,
	.doc = "Delete finished jobs that are older than a while. Nothing else is ever deleted by "
	       "age."
	       "\vExamples:\n"
	       "  dray clear\n"
	       "  dray clear --older-than 7d --class ReportJob",
};

const struct command clear_command = {
	.name = "clear",
	.summary = "delete finished jobs that are older than a while",
	.argp = &argp,
	.parse = parse,
	.input_size = sizeof(struct clear),
	.output = "an object with `cleared` (number).",
	.run = run,
};
