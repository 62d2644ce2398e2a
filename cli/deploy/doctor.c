#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/audit.h"
#include "cli/deploy/deploy.h"
#include "cli/output/cells.h"
#include "cli/output/table.h"
#include "common/clock.h"
#include "common/process.h"
#include "policy/policy.h"
#include "queue/limits/heal.h"
#include "show/show.h"
#include "supervisor/roles.h"

#define LONGEST_PAUSE (5 * CLOCK_SECOND) /* between attempts to reach a database that is down */

struct visit {
	bool repair;
	const char *reason;
	bool waits; /* as long as the user says */
	int64_t wait;
};

enum key { KEY_REPAIR = 1, KEY_REASON, KEY_WAIT };

static const struct argp_option options[] = {
	{ "repair", KEY_REPAIR, NULL, 0, "repair what is found", 0 },
	{ "reason", KEY_REASON, "TEXT", 0, "the reason for the repair, for `dray audit`", 0 },
	{ "wait", KEY_WAIT, "DURATION", 0,
	  "how long to wait for heartbeats before a repair, and between two looks at slots "
	  "(default: the heartbeat interval and 5s; 2s)",
	  0 },
	{ 0 },
};

static error_t doctor_parse(int key, const char *value, struct argp_state *state)
{
	struct visit *visit = state->input;

	if (key == KEY_REPAIR)
		visit->repair = true;
	else if (key == KEY_REASON)
		visit->reason = record_reason(value, state);
	else if (key == KEY_WAIT) {
		visit->waits = true;
		visit->wait = argument_duration(value, "--wait", state);
	} else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static void say_finding(const struct cli *cli, enum ailment ailment,
			const struct ailment_found *finding)
{
	const struct ailment_text *text = ailment_text(ailment);
	const char *separator = text->example;

	(void)printf("%s: %" PRId64 " (", text->title, finding->count);
	for (int64_t i = 0; i < finding->count && i < DOCTOR_EXAMPLES; i++) {
		(void)printf("%s %" PRId64, separator, finding->examples[i]);
		separator = ",";
	}
	(void)printf("%s)\n  %s\n", finding->count > DOCTOR_EXAMPLES ? ", ..." : "", text->meaning);
	for (int64_t i = 0; i < finding->count && i < DOCTOR_EXAMPLES; i++)
		if (finding->details[i][0] != '\0')
			(void)printf("  %s %" PRId64 ": %s\n", text->example, finding->examples[i],
				     cell_clean(cli->arena, finding->details[i]));
}

static void say_mend(enum ailment ailment, const struct doctor *before, const struct doctor *after)
{
	int64_t left = after->found[ailment].count;

	if (!before->mend)
		(void)printf("  --repair: %s\n", ailment_text(ailment)->mend);
	else if (left == 0)
		(void)printf("  Repaired: %s\n", ailment_text(ailment)->mend);
	else
		(void)printf("  %" PRId64 " left: repair again.\n", left);
}

static void print_text(const struct cli *cli, const struct doctor_examination *examination)
{
	const struct doctor *before = &examination->before;
	const struct doctor *after = &examination->after;
	const struct findings *findings = &examination->findings;
	bool tables = !doctor_found(before) && !doctor_found(after);

	for (int i = 0; i < AILMENTS; i++) {
		const struct ailment_found *finding = &before->found[i];
		/* Repairing one kind can produce another, which is then repaired, too. */
		const struct ailment_found *shown = finding->count > 0 ? finding : &after->found[i];
		if (shown->count == 0)
			continue;
		say_finding(cli, (enum ailment)i, shown);
		say_mend((enum ailment)i, before, after);
	}
	for (size_t i = 0; i < findings->count; i++)
		(void)printf("%s %s\n", cell_clean(cli->arena, findings->list[i].text),
			     cell_clean(cli->arena, findings->list[i].advice));
	if (tables)
		say(cli,
		    findings->count > 0 ? "Nothing is wrong in the tables." : "Nothing is wrong.");
}

/*
 * A running process tries to reach the database at least every five seconds, and sends its
 * heartbeat when that is due: a process that is silent for longer is dead.
 */
static enum status listen_for_life(const struct cli *cli, const struct visit *visit,
				   const struct doctor *doctor, struct error *error)
{
	int64_t interval = cli->config->process.process_heartbeat_interval;
	int64_t wait = visit->waits ? visit->wait : interval + LONGEST_PAUSE;
	int64_t begun = clock_monotonic();
	int64_t silent = 0;
	enum status status = doctor_silent(doctor, &silent, error);

	if (status == STATUS_OK && silent > 0 && wait > 0) {
		say(cli, "%" PRId64 " %s silent: waiting %g s for a heartbeat.", silent,
		    silent == 1 ? "process is" : "processes are", (double)wait / CLOCK_SECOND);
		(void)fflush(stdout);
	}
	while (status == STATUS_OK && silent > 0 && clock_monotonic() - begun < wait) {
		clock_sleep(CLOCK_SECOND / 4);
		status = doctor_silent(doctor, &silent, error);
	}
	return status;
}

/* Looks a second time after a repair, because workers and other doctors were running meanwhile. */
static enum status examine(struct cli *cli, const struct visit *visit,
			   struct doctor_examination *examination, struct error *error)
{
	struct doctor *before = &examination->before;
	struct doctor *after = &examination->after;
	enum status status;

	const struct findings_request request = {
		.config = cli->config,
		.patience = policy_silence(cli->config, 0),
		.roles = all_roles,
	};

	before->db = cli->db;
	before->prune = request.patience;
	before->patience = visit->waits ? visit->wait : HEAL_PATIENCE;
	before->policy = policy_losses(cli->config);
	before->policy.audit = before->audit;
	*after = *before;
	after->mend = false;
	memset(after->found, 0, sizeof(after->found)); /* begin() may have found something */
	status = before->mend ? listen_for_life(cli, visit, before, error) : STATUS_OK;
	if (status == STATUS_OK)
		status = doctor_examine(before, error);
	if (status == STATUS_OK && before->mend)
		status = doctor_examine(after, error);
	else
		*after = *before;
	if (status == STATUS_OK)
		status =
			findings_read(cli->db, cli->arena, &request, &examination->findings, error);
	return status;
}

/* The audit trail takes no entry while its own numbers are behind. */
static enum status begin(struct cli *cli, struct record *record, struct doctor *doctor,
			 struct error *error)
{
	enum status status = record_begin(cli, record, error);

	if (status != STATUS_CONFLICT)
		return status;
	doctor->db = cli->db;
	status = doctor_sequences(doctor, error);
	return status == STATUS_OK ? record_begin(cli, record, error) : status;
}

static int doctor_run(struct cli *cli, void *input)
{
	const struct visit *visit = input;
	struct doctor_examination examination = { .before = { .mend = visit->repair } };
	struct error error = { 0 };
	struct record record = { .action = "doctor",
				 .target = "all jobs",
				 .reason = visit->reason };
	/* The classes decide what happens to jobs that were lost. */
	if (visit->repair)
		cli->request.needs |= NEED_PROCESS | NEED_CLASSES;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (visit->repair && begin(cli, &record, &examination.before, &error) != STATUS_OK)
		return cli_fail(&error);
	examination.before.audit = record.id;
	enum status status = examine(cli, visit, &examination, &error);
	if (visit->repair)
		record_end(cli, record.id, RECORD_COUNTED, status == STATUS_OK);
	if (status != STATUS_OK)
		return cli_fail(&error);
	if (cli->json)
		json_print(cli, show_examination(&examination));
	else
		print_text(cli, &examination);
	return doctor_is_healthy(&examination) ? EXIT_STOPPED : EXIT_ERROR;
}

static const struct argp argp = {
	.options = options,
	.doc = "Find rows that do not fit together: jobs in no table or in several, finished jobs "
	       "that would run again, executions without a job, claims without a process, "
	       "processes without a heartbeat, times that cannot be compared, more jobs of a key "
	       "than its limit allows; and, on PostgreSQL, sequences behind their tables. Each "
	       "kind is counted and explained, with a few numbers as "
	       "examples. Without --repair nothing is changed. --repair repairs what is found, in "
	       "transactions that lose no job; workers may keep running, and two repairs at once "
	       "do no harm. Before it treats a silent process as dead, it waits for a heartbeat, "
	       "because the database may just have been down: for the heartbeat interval and five "
	       "seconds, the longest pause between two attempts to reach a database. And what is "
	       "wrong with slots must be wrong in two looks, two seconds apart, because Solid "
	       "Queue returns a slot a moment after its job has ended. --wait sets both times. If "
	       "it is shorter, a process that is only slow may be taken for dead. Its jobs then "
	       "count as lost: they run again, perhaps beside the run that goes on, or fail if "
	       "they have been lost too often. The process notices with its next heartbeat, stops "
	       "its runs and ends, and the outcome of such a run is not recorded. A slot that "
	       "Solid Queue is about to return may be given out twice, so that one job more runs "
	       "than a limit allows. No job disappears. doctor also reports what does not run: no "
	       "process at all, no worker for a queue with ready jobs, none that knows the class "
	       "of some "
	       "of them (`dray reload`, when jobs.yml has it now), no dispatcher while "
	       "scheduled jobs are due, no scheduler while there are recurring tasks, a process "
	       "that its supervisor has given up; and workers of other software that serve a "
	       "queue of recurring commands. The status is 1 if something is wrong or does not "
	       "run; with --repair, if something in the tables is left."
	       "\vExamples:\n"
	       "  dray doctor\n"
	       "  dray doctor --repair\n"
	       "  dray doctor --repair --wait 2m --reason \"after the failover\"\n"
	       "  dray doctor --json",
};

const struct command doctor_command = {
	.name = "doctor",
	.summary = "find what is wrong or does not run, and repair the tables",
	.argp = &argp,
	.parse = doctor_parse,
	.input_size = sizeof(struct visit),
	.output =
		"an object with `healthy` (boolean); `tables`, an array with every kind of what "
		"can be wrong "
		"there: `kind`, `count`, `examples` (array of numbers of jobs or, for processes, "
		"of "
		"processes), `details` (array: for times and sequences, the value of each), `left` "
		"(number, after --repair), `meaning`, `repair` (texts); and `findings`, an array "
		"of "
		"what stands besides, as `dray health` has it. With --repair, `healthy` is about "
		"the "
		"tables only.",
	.needs = NEED_DATABASE,
	.run = doctor_run,
};
