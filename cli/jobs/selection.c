#include "cli/jobs/selection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/jobs/job_json.h"
#include "cli/output/cells.h"
#include "cli/output/table.h"
#include "cli/record.h"
#include "common/process.h"

#define SAMPLE       5
#define COUNTED_MOST 10000 /* the question says "at least" from this number on */

static void check(struct selection *selection, const struct selection_verb *verb,
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
		check(selection, selection->verb, state);
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
			json_array_append_new(census->sample, job_json(&jobs[i]));
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
	(void)fprintf(stderr, "%s %s%" PRId64 " job%s (%s)? [y/N] ", verb->action,
		      all ? "" : "at least ", census.count, census.count == 1 ? "" : "s",
		      cell_clean(cli->arena,
				 filter_text(cli->arena, &selection->filter, selection_any(verb))));
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
	return code == EXIT_STOPPED ? selection_perform(cli, selection, verb, total) : code;
}
