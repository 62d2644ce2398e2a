/* Changes the selected jobs, batch by batch. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/jobs/selection.h"
#include "cli/output/progress.h"
#include "cli/output/table.h"
#include "cli/record.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "common/text/text.h"

#define LONG_TARGET   1000
#define LISTED_MOST   1000 /* jobs in a list of JSON */
#define REFUSED_SHOWN 20   /* printed, if a filter selected the jobs */

/* What was done and what was refused. */
struct outcome {
	struct cli *cli;
	const struct selection *selection;
	struct action action;
	struct progress progress;
	int64_t done;
	int64_t stopping; /* of those that were done, the ones that run */
	int64_t refused;
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
static const char *target(struct arena *arena, const struct selection *selection,
			  const struct selection_verb *verb)
{
	struct text text = { .maximum = LONG_TARGET };

	text_add(&text, selection->many
				? filter_text(arena, &selection->filter, selection_any(verb))
				: "jobs");
	for (size_t i = 0; i < selection->ids.count; i++)
		text_printf(&text, " %s", selection->ids.list[i]);
	end_cut(&text);
	if (selection->queue)
		text_printf(&text, " to queue %s", selection->queue);
	if (selection->has_priority)
		text_printf(&text, " to priority %d", selection->priority);
	return text_take(&text, arena);
}

static void print(const struct outcome *outcome, const struct selection_verb *verb)
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
	print(outcome, verb);
	if (status == STATUS_UNCERTAIN)
		cli_complain("the connection was lost during the commit: `dray audit` shows how "
			     "many jobs were %s (at most %d more)",
			     verb->done, ACTION_BATCH);
	if (status != STATUS_OK)
		return cli_fail(&error);
	if (outcome->signal)
		return INTERRUPT_STATUS(outcome->signal);
	return outcome->refused > 0 && !outcome->selection->many ? EXIT_ERROR : EXIT_STOPPED;
}

int selection_perform(struct cli *cli, struct selection *selection,
		      const struct selection_verb *verb, int64_t total)
{
	struct record record = { .action = verb->action,
				 .target = target(cli->arena, selection, verb),
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
