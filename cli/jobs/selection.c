/*
 * Changes the jobs that were chosen: first the question, with a count page by page so that no
 * statement runs for long; then the work, a batch a transaction, with one entry in the audit trail
 * that each batch adds to. INT and TERM end it between two batches, never within one. The states
 * are gone through in the order in which a job passes through them; cancelling, where a job may
 * come back, goes once from the newest job to the oldest.
 */
#include "cli/jobs/selection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/audit.h"
#include "cli/jobs/job.h"
#include "cli/jobs/progress.h"
#include "cli/output/cells.h"
#include "cli/output/table.h"
#include "common/process.h"
#include "common/text/text.h"
#include "show/show.h"

#define LONG_TARGET   1000
#define LISTED_MOST   1000  /* jobs in a list of JSON */
#define REFUSED_SHOWN 20    /* printed, if a filter selected the jobs */
#define SAMPLE        5     /* of a --dry-run */
#define COUNTED_MOST  10000 /* the question says "at least" from this number on */

/* Jobs in one of the verb's states, for people. */
static const char *any_of(const struct selection_verb *verb)
{
	return verb->any ? verb->any : "waiting";
}

/* The work, batch by batch, after the question */

/* What was done and what was refused. */
struct outcome {
	struct cli *cli;
	const struct selection *selection;
	struct action action;
	struct progress progress;
	int64_t done;
	int64_t stopping; /* of those that were done, the ones that run */
	int64_t refused;
	int64_t running;      /* of these, jobs that run and that nobody stops */
	json_t *refused_list; /* objects with id and reason */
	int64_t known;        /* neither done nor refused: they had been cancelled before */
	json_t *known_list;   /* objects with id, by and since */
	int signal;           /* the signal that ended it; 0 = none */
};

static void note_refused(struct outcome *outcome)
{
	const struct action *action = &outcome->action;

	for (size_t i = 0; i < action->refused_count; i++) {
		const struct refusal *refusal = &action->refused[i];
		outcome->refused++;
		outcome->running += refusal->runs;
		if (outcome->refused <= LISTED_MOST)
			json_array_append_new(outcome->refused_list,
					      json_pack("{s:I, s:o}", "id", (json_int_t)refusal->id,
							"reason", value_text(refusal->reason)));
		if (outcome->selection->many)
			continue;
		progress_erase(&outcome->progress);
		cli_complain("job %" PRId64 ": %s", refusal->id, refusal->reason);
	}
}

/* Of many, in the end, so that they do not scroll by. */
static void print_refused(const struct outcome *outcome)
{
	json_t *refused;
	size_t i;

	json_array_foreach(outcome->refused_list, i, refused)
	{
		if (i == REFUSED_SHOWN)
			break;
		cli_complain("job %" JSON_INTEGER_FORMAT ": %s",
			     json_integer_value(json_object_get(refused, "id")),
			     json_string_value(json_object_get(refused, "reason")));
	}
	if (outcome->refused > REFUSED_SHOWN)
		cli_complain("and %" PRId64 " more were refused", outcome->refused - REFUSED_SHOWN);
}

static void note_known(struct outcome *outcome)
{
	const struct action *action = &outcome->action;

	for (size_t i = 0; i < action->known_count; i++) {
		const struct stopping *known = &action->known[i];
		json_t *since = value_time(known->since);
		outcome->known++;
		if (!outcome->selection->many) {
			progress_erase(&outcome->progress);
			say(outcome->cli, "job %" PRId64 " is being stopped: %s cancelled it at %s",
			    known->id, known->by, json_string_value(since));
		}
		if (outcome->known <= LISTED_MOST)
			json_array_append_new(outcome->known_list,
					      json_pack("{s:I, s:o, s:O}", "id",
							(json_int_t)known->id, "by",
							value_text(known->by), "since", since));
		json_decref(since);
	}
}

/* Called after each batch; false if a signal ends the command here. */
static bool go_on(struct outcome *outcome)
{
	outcome->done += outcome->action.done;
	outcome->stopping += outcome->action.stopping;
	note_refused(outcome);
	note_known(outcome);
	progress_show(&outcome->progress, outcome->done);
	arena_clear(outcome->action.arena);
	outcome->signal = interrupt_asked();
	return outcome->signal == 0;
}

static enum status do_ids(struct outcome *outcome, struct error *error)
{
	const struct arguments *ids = &outcome->selection->ids;
	enum status status = STATUS_OK;
	int64_t batch[ACTION_BATCH];

	for (size_t i = 0; i < ids->count && status == STATUS_OK;) {
		size_t count = 0;
		while (count < ACTION_BATCH && i < ids->count)
			batch[count++] = strtoll(ids->list[i++], NULL, 10);
		status = action_ids(&outcome->action, batch, count, error);
		if (status == STATUS_OK && !go_on(outcome))
			break;
	}
	return status;
}

static enum status do_state(struct outcome *outcome, struct job_filter filter, struct error *error)
{
	enum status status;

	do
		status = action_next(&outcome->action, &filter, error);
	while (status == STATUS_OK && go_on(outcome));
	return status == STATUS_NONE ? STATUS_OK : status;
}

static enum status do_states(struct outcome *outcome, const struct selection_verb *verb,
			     struct job_filter filter, struct error *error)
{
	enum status status = STATUS_OK;

	filter.has_state = true;
	for (size_t i = 0; i < verb->state_count && status == STATUS_OK && !outcome->signal; i++) {
		filter.state = verb->states[i];
		status = do_state(outcome, filter, error);
	}
	return status;
}

/*
 * Once from the newest job to the oldest, and at all states at one moment: so no job passes by that
 * is retried or snoozes, and none is met twice. Each look goes only so far as a page of every state
 * reaches, because one without an end would read on for each page to where the filter matches.
 */
static enum status do_unfinished(struct outcome *outcome, const struct selection_verb *verb,
				 struct job_filter filter, struct error *error)
{
	int64_t ends[] = { INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX }; /* of each state */
	struct job_filter page = filter;
	struct job_filter look = filter;
	enum status status = STATUS_OK;

	page.has_state = true;
	page.limit = ACTION_BATCH;
	look.unfinished = true;
	if (page.before == 0)
		page.before = INT64_MAX;
	do {
		look.before = page.before;
		look.after = filter.after;
		for (size_t i = 0; i < verb->state_count && status == STATUS_OK; i++) {
			page.state = verb->states[i];
			if (ends[i] >= page.before)
				status = job_list_end(outcome->action.db, &page, &ends[i], error);
			if (ends[i] - 1 > look.after)
				look.after = ends[i] - 1;
		}
		if (status == STATUS_OK)
			status = do_state(outcome, look, error);
		page.before = look.after + 1;
	} while (status == STATUS_OK && !outcome->signal && look.after > filter.after);
	return status;
}

static enum status do_many(struct outcome *outcome, const struct selection_verb *verb,
			   struct error *error)
{
	const struct job_filter filter = outcome->selection->filter;

	if (filter.has_state)
		return do_state(outcome, filter, error);
	if (verb->kind == ACTION_CANCEL)
		return do_unfinished(outcome, verb, filter, error);
	return do_states(outcome, verb, filter, error);
}

/* Removes half a character at a cut end, which databases would refuse. */
static void end_cut(struct text *text)
{
	size_t fault;

	text->maximum = 0;
	if (!text->truncated)
		return;
	if (!utf8_valid(text->data, text->length, &fault))
		text->length = fault;
	text_add(text, "...");
}

/* Which jobs are changed, for the audit trail. A long text is cut, but not its destination. */
static const char *describe_target(struct arena *arena, const struct selection *selection,
				   const struct selection_verb *verb)
{
	struct text text = { .maximum = LONG_TARGET };

	text_add(&text,
		 selection->many ? filter_text(arena, &selection->filter, any_of(verb)) : "jobs");
	for (size_t i = 0; i < selection->ids.count; i++)
		text_printf(&text, " %s", selection->ids.list[i]);
	end_cut(&text);
	if (selection->queue)
		text_printf(&text, " to queue %s", selection->queue);
	if (selection->has_priority)
		text_printf(&text, " to priority %d", selection->priority);
	return text_take(&text, arena);
}

static void print_outcome(const struct outcome *outcome, const struct selection_verb *verb)
{
	const struct cli *cli = outcome->cli;

	if (outcome->selection->many)
		print_refused(outcome);
	if (outcome->signal)
		cli_complain("interrupted: %" PRId64 " %s %s, the others were not changed",
			     outcome->done, outcome->done == 1 ? "job was" : "jobs were",
			     verb->done);
	say(cli, "%s %" PRId64 " job%s", verb->done, outcome->done, outcome->done == 1 ? "" : "s");
	if (outcome->stopping > 0)
		say(cli, "%" PRId64 " of them %s and will be stopped", outcome->stopping,
		    outcome->stopping == 1 ? "runs" : "run");
	if (outcome->known > 0 && outcome->selection->many)
		say(cli, "%" PRId64 " more had been cancelled before and %s being stopped",
		    outcome->known, outcome->known == 1 ? "is" : "are");
	json_t *result =
		json_pack("{s:I, s:O, s:I, s:b}", verb->done, (json_int_t)outcome->done, "refused",
			  outcome->refused_list, "refused_count", (json_int_t)outcome->refused,
			  "interrupted", outcome->signal != 0);
	if (verb->kind == ACTION_CANCEL) {
		json_object_set_new(result, "stopping", json_integer(outcome->stopping));
		json_object_set(result, "known", outcome->known_list);
		json_object_set_new(result, "known_count", json_integer(outcome->known));
	}
	json_print(cli, result);
}

static int perform(struct outcome *outcome, const struct selection_verb *verb)
{
	struct error error = { 0 };
	enum status status =
		outcome->selection->many ? do_many(outcome, verb, &error) : do_ids(outcome, &error);

	progress_erase(&outcome->progress);
	record_end(outcome->cli, outcome->action.audit, RECORD_COUNTED,
		   status == STATUS_OK && !outcome->signal);
	print_outcome(outcome, verb);
	if (status == STATUS_UNCERTAIN)
		cli_complain("the connection was lost during the commit: `dray audit` shows how "
			     "many jobs were %s (at most %d more)",
			     verb->done, ACTION_BATCH);
	if (status != STATUS_OK)
		return cli_fail(&error);
	if (outcome->signal)
		return INTERRUPT_STATUS(outcome->signal);
	const int64_t bad = outcome->selection->many ? outcome->running : outcome->refused;
	return bad > 0 ? EXIT_ERROR : EXIT_STOPPED;
}

/* total: 0 if it is not known. */
static int perform_recorded(struct cli *cli, struct selection *selection,
			    const struct selection_verb *verb, int64_t total)
{
	struct record record = { .action = verb->action,
				 .target = describe_target(cli->arena, selection, verb),
				 .reason = selection->reason };
	struct outcome outcome = { .cli = cli, .selection = selection };
	struct error error = { 0 };

	interrupt_hold();
	if (record_begin(cli, &record, &error) != STATUS_OK)
		return cli_fail(&error);
	outcome.action = (struct action){ .db = cli->db,
					  .arena = arena_new(),
					  .kind = verb->kind,
					  .queue = selection->queue,
					  .has_priority = selection->has_priority,
					  .priority = selection->priority,
					  .reason = selection->reason,
					  .audit = record.id };
	outcome.refused_list = json_array();
	outcome.known_list = json_array();
	progress_begin(&outcome.progress, cli, verb->done, total);
	int code = perform(&outcome, verb);
	json_decref(outcome.refused_list);
	json_decref(outcome.known_list);
	arena_free(outcome.action.arena);
	return code;
}

/* The options, and the question */

static void check_options(struct selection *selection, const struct selection_verb *verb,
			  const struct argp_state *state)
{
	const struct job_filter *filter = &selection->filter;

	selection->many = selection->all || filter->has_state || filter_chooses(filter);
	if (selection->ids.count > 0 && selection->many)
		argument_error(state, "give numbers or a filter, not both");
	if (selection->ids.count == 0 && !selection->many)
		argument_error(state, "no jobs given: give their numbers, a filter, or %s",
			       verb->state_or_class ? "--state" : "--all");
	if (selection->ids.count > 0 && selection->dry_run)
		argument_error(state, "--dry-run needs a filter");
	if (selection->many && !filter->has_state && verb->state_or_class && !filter->class_name)
		argument_error(state, "a filter needs --state or --class with this command");
	if (filter->has_state && !action_takes(verb->kind, filter->state))
		argument_error(state, "--state: %s jobs cannot be %s",
			       job_state_name(filter->state), verb->done);
	filter_check(filter, state);
	if (selection->many && verb->state_count == 1) {
		selection->filter.has_state = true;
		selection->filter.state = verb->states[0];
	}
}

static void take_ids(struct selection *selection, struct argp_state *state)
{
	arguments_take(&selection->ids, state);
	for (size_t i = 0; i < selection->ids.count; i++)
		(void)argument_number(selection->ids.list[i], "job", 1, state);
}

error_t selection_parse(int key, const char *value, struct argp_state *state)
{
	struct selection *selection = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		take_ids(selection, state);
		return 0;
	case ARGP_KEY_END:
		check_options(selection, selection->verb, state);
		return 0;
	case SELECTION_ALL:
		selection->all = true;
		return 0;
	case SELECTION_DRY_RUN:
		selection->dry_run = true;
		return 0;
	case SELECTION_YES:
		selection->yes = true;
		return 0;
	case SELECTION_REASON:
		selection->reason = record_reason(value, state);
		return 0;
	default:
		return filter_parse(&selection->filter, key, value, state);
	}
}

/* The jobs that the filter selects. */
struct census {
	int64_t count;
	int64_t most;   /* counting ends here */
	json_t *sample; /* the first jobs */
};

static enum status count_state(struct cli *cli, struct job_filter filter, struct census *census,
			       struct error *error)
{
	struct arena *arena = arena_new();
	enum status status;
	struct job *jobs;
	size_t count;

	filter.limit = ACTION_BATCH;
	do {
		arena_clear(arena);
		status = job_list(cli->db, arena, &filter, &jobs, &count, error);
		if (status != STATUS_OK || count == 0)
			break;
		for (size_t i = 0; i < count && json_array_size(census->sample) < SAMPLE; i++)
			json_array_append_new(census->sample, show_job(&jobs[i]));
		census->count += (int64_t)count;
		filter.before = jobs[count - 1].id;
	} while (census->count < census->most);
	arena_free(arena);
	return status;
}

/* Counts page by page, so that no statement runs for long. */
static enum status count_jobs(struct cli *cli, const struct selection *selection,
			      const struct selection_verb *verb, struct census *census,
			      struct error *error)
{
	struct job_filter filter = selection->filter;
	enum status status = STATUS_OK;

	if (filter.has_state)
		return count_state(cli, filter, census, error);
	filter.has_state = true;
	for (size_t i = 0; i < verb->state_count && status == STATUS_OK; i++) {
		filter.state = verb->states[i];
		status = count_state(cli, filter, census, error);
	}
	return status;
}

static int dry_run(struct cli *cli, const struct selection *selection,
		   const struct selection_verb *verb)
{
	struct census census = { .most = INT64_MAX, .sample = json_array() };
	struct error error = { 0 };
	size_t i;
	json_t *job;

	enum status status = count_jobs(cli, selection, verb, &census, &error);
	if (status != STATUS_OK) {
		json_decref(census.sample);
		return cli_fail(&error);
	}
	say(cli, "%" PRId64 " job%s would be %s%s", census.count, census.count == 1 ? "" : "s",
	    verb->done, census.count > 0 ? ", such as:" : "");
	json_array_foreach(census.sample, i, job)
		say(cli, "  %" JSON_INTEGER_FORMAT " %s %s %s",
		    json_integer_value(json_object_get(job, "id")),
		    json_string_value(json_object_get(job, "state")),
		    json_string_value(json_object_get(job, "queue")),
		    json_string_value(json_object_get(job, "class")));
	json_print(cli, json_pack("{s:b, s:I, s:o}", "dry_run", 1, "count",
				  (json_int_t)census.count, "sample", census.sample));
	return EXIT_STOPPED;
}

static bool said_yes(void)
{
	char answer[16];

	(void)fflush(stderr);
	if (!fgets(answer, sizeof(answer), stdin))
		return false;
	return answer[0] == 'y' || answer[0] == 'Y';
}

/* Asks on the terminal. Returns EXIT_STOPPED if the answer was yes, or if there are no jobs. */
static int confirm(struct cli *cli, const struct selection *selection,
		   const struct selection_verb *verb, int64_t *total)
{
	struct census census = { .most = COUNTED_MOST, .sample = json_array() };
	struct error error = { 0 };
	enum status status = count_jobs(cli, selection, verb, &census, &error);

	json_decref(census.sample);
	if (status != STATUS_OK)
		return cli_fail(&error);
	bool all = census.count < COUNTED_MOST;
	*total = all ? census.count : 0;
	if (census.count == 0)
		return EXIT_STOPPED;
	(void)fprintf(
		stderr, "%s %s%" PRId64 " job%s (%s)? [y/N] ", verb->action, all ? "" : "at least ",
		census.count, census.count == 1 ? "" : "s",
		cell_clean(cli->arena, filter_text(cli->arena, &selection->filter, any_of(verb))));
	if (said_yes())
		return EXIT_STOPPED;
	cli_complain("nothing was done");
	return EXIT_ERROR;
}

int selection_run(struct cli *cli, void *input)
{
	struct selection *selection = input;
	const struct selection_verb *verb = selection->verb;
	bool terminal = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
	int64_t total = 0;

	if (selection->many && !selection->yes && !selection->dry_run && !terminal) {
		cli_complain("a filter needs --yes (or --dry-run) when there is no terminal");
		return EXIT_USAGE;
	}
	int code = cli_connect(cli);
	if (code == EXIT_STOPPED && selection->dry_run)
		return dry_run(cli, selection, verb);
	if (code == EXIT_STOPPED && selection->many && !selection->yes)
		code = confirm(cli, selection, verb, &total);
	return code == EXIT_STOPPED ? perform_recorded(cli, selection, verb, total) : code;
}
