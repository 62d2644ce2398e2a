/* dray clear: deletes old finished jobs. */
#include <inttypes.h>

#include "cli/audit.h"
#include "cli/jobs/filter.h"
#include "cli/jobs/jobs.h"
#include "cli/jobs/progress.h"
#include "cli/output/table.h"
#include "common/clock.h"
#include "common/process.h"
#include "queue/manage/manage.h"

#define BATCH 500

struct clear {
	int64_t older_than;
	bool has_older_than;
	bool dry_run;
	const char *reason;
	struct job_filter filter;
};

enum key { KEY_OLDER_THAN = 1, KEY_DRY_RUN, KEY_REASON };

static const struct argp_option options[] = {
	{ "older-than", KEY_OLDER_THAN, "DURATION", 0,
	  "delete jobs finished longer ago than this (default: clear_finished_jobs_after, 1 day)",
	  0 },
	{ "queue", FILTER_QUEUE, "QUEUE", 0, "only jobs of this queue", 0 },
	{ "class", FILTER_CLASS, "CLASS", 0, "only jobs of this class", 0 },
	{ "dry-run", KEY_DRY_RUN, NULL, 0, "count the jobs, but change nothing", 0 },
	{ "reason", KEY_REASON, "TEXT", 0, "the reason, for `dray audit`", 0 },
	{ 0 },
};

static error_t clear_parse(int key, const char *value, struct argp_state *state)
{
	struct clear *clear = state->input;

	switch (key) {
	case KEY_OLDER_THAN:
		clear->older_than = argument_duration(value, "--older-than", state);
		clear->has_older_than = true;
		return 0;
	case KEY_DRY_RUN:
		clear->dry_run = true;
		return 0;
	case KEY_REASON:
		clear->reason = record_reason(value, state);
		return 0;
	default:
		return filter_parse(&clear->filter, key, value, state);
	}
}

/* Which jobs are cleared, for the audit trail. */
static const char *target(struct arena *arena, int64_t older_than, const struct job_filter *filter)
{
	return arena_printf(arena, "jobs finished more than %g s ago%s%s%s%s",
			    (double)older_than / CLOCK_SECOND, filter->queue ? " of queue " : "",
			    filter->queue ? filter->queue : "",
			    filter->class_name ? " of class " : "",
			    filter->class_name ? filter->class_name : "");
}

/* Counts page by page, so that no statement runs for long. */
static int count_only(struct cli *cli, struct job_clear *clear)
{
	struct error error = { 0 };
	bool more = true;

	while (more)
		if (job_clear_count(clear, &more, &error) != STATUS_OK)
			return cli_fail(&error);
	say(cli, "%" PRId64 " finished job%s would be cleared", clear->deleted,
	    clear->deleted == 1 ? "" : "s");
	json_print(cli, json_pack("{s:b, s:I}", "dry_run", 1, "count", (json_int_t)clear->deleted));
	return EXIT_STOPPED;
}

static enum status clear_all(struct cli *cli, struct job_clear *clear, int *signal,
			     struct error *error)
{
	enum status status;
	struct progress progress;
	bool more;

	progress_begin(&progress, cli, "cleared", 0);
	do {
		status = job_clear_next(clear, &more, error);
		progress_show(&progress, clear->deleted);
		*signal = interrupt_asked();
	} while (status == STATUS_OK && more && !*signal);
	progress_erase(&progress);
	return status;
}

static int clear_them(struct cli *cli, struct job_clear *clear, struct record *record)
{
	struct error error = { 0 };
	int signal = 0;

	interrupt_hold();
	if (record_begin(cli, record, &error) != STATUS_OK)
		return cli_fail(&error);
	clear->audit = record->id;
	enum status status = clear_all(cli, clear, &signal, &error);
	record_end(cli, record->id, RECORD_COUNTED, status == STATUS_OK && !signal);
	if (signal)
		cli_complain("interrupted: the remaining jobs were not deleted");
	if (clear->refused > 0)
		cli_complain("the database refuses to delete %" PRId64
			     " finished job%s (`dray doctor` names them)",
			     clear->refused, clear->refused == 1 ? "" : "s");
	say(cli, "cleared %" PRId64 " finished job%s", clear->deleted,
	    clear->deleted == 1 ? "" : "s");
	json_print(cli,
		   json_pack("{s:I, s:I, s:b}", "cleared", (json_int_t)clear->deleted, "refused",
			     (json_int_t)clear->refused, "interrupted", signal != 0));
	if (status == STATUS_OK && !signal && clear->refused > 0)
		return EXIT_ERROR;
	if (status != STATUS_OK)
		return cli_fail(&error);
	return signal ? INTERRUPT_STATUS(signal) : EXIT_STOPPED;
}

static int clear_run(struct cli *cli, void *input)
{
	const struct clear *options_given = input;
	const struct job_filter *filter = &options_given->filter;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	int64_t older_than = options_given->has_older_than
				     ? options_given->older_than
				     : cli->config->process.clear_finished_jobs_after;
	struct job_clear clear = { .db = cli->db,
				   .arena = cli->arena,
				   .before = db_now(cli->db) - older_than,
				   .class_name = filter->class_name,
				   .queue = filter->queue,
				   .batch = BATCH };
	struct record record = { .action = "clear",
				 .target = target(cli->arena, older_than, filter),
				 .reason = options_given->reason };
	return options_given->dry_run ? count_only(cli, &clear) : clear_them(cli, &clear, &record);
}

static const struct argp argp = {
	.options = options,
	.doc = "Delete finished jobs that are older than a given age, in small transactions. INT "
	       "and TERM stop it between two transactions, with the status 130 or 143. A running "
	       "deployment does the same by itself (clear_finished_jobs_after). Only finished jobs "
	       "are ever deleted because of their age."
	       "\vExamples:\n"
	       "  dray clear --dry-run\n"
	       "  dray clear --older-than 7d --class ReportJob",
};

const struct command clear_command = {
	.name = "clear",
	.summary = "delete old finished jobs",
	.argp = &argp,
	.parse = clear_parse,
	.input_size = sizeof(struct clear),
	.output = "an object with `cleared` (number), `refused` (number: those that the database "
		  "does "
		  "not let go) and `interrupted` (boolean). With --dry-run: "
		  "`dry_run` (true) and `count`.",
	.needs = NEED_DATABASE | NEED_PROCESS,
	.run = clear_run,
};
