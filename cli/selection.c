#include "cli/selection.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/record.h"
#include "cli/table.h"
#include "common/parse.h"
#include "common/process.h"
#include "common/text.h"

static void check(const struct selection *selection, struct argp_state *state)
{
	const struct job_filter *filter = &selection->filter;

	if (selection->many && selection->ids.count > 0)
		argument_error(state, "numbers or a filter, not both");
	if (!selection->many && (filter->queue || filter->class_name))
		argument_error(state, "--queue and --class choose among many, not among numbers");
}

error_t selection_parse(struct selection *selection, int key, const char *value,
			struct argp_state *state)
{
	switch (key) {
	case ARGP_KEY_ARG:
		arguments_take(&selection->ids, state);
		for (size_t i = 0; i < selection->ids.count; i++)
			(void)argument_number(selection->ids.list[i], "job", 1, state);
		return 0;
	case ARGP_KEY_END:
		check(selection, state);
		return 0;
	case SELECTION_ALL:
		selection->all = true;
		return 0;
	default:
		return filter_parse(&selection->filter, key, value, state);
	}
}

/* What was done, and what not. */
struct outcome {
	int64_t done;
	json_t *refused; /* objects with id and reason */
};

static int print(const struct cli *cli, const struct selection_verb *verb,
		 const struct outcome *outcome)
{
	bool refused = json_array_size(outcome->refused) > 0;

	say(cli, "%s %" PRId64 " job%s", verb->done, outcome->done, outcome->done == 1 ? "" : "s");
	json_print(cli, json_pack("{s:I, s:O}", verb->done, (json_int_t)outcome->done, "refused",
				  outcome->refused));
	return refused ? EXIT_ERROR : EXIT_STOPPED;
}

/* A job that cannot be done does not keep the others; a database that fails does. */
static int run_ids(struct cli *cli, const struct selection *selection,
		   const struct selection_verb *verb, struct outcome *outcome)
{
	struct error error = { 0 };

	for (size_t i = 0; i < selection->ids.count; i++) {
		int64_t id = strtoll(selection->ids.list[i], NULL, 10);
		enum status status = verb->one(cli->db, id, &error);
		if (status == STATUS_OK) {
			outcome->done++;
			continue;
		}
		int code = cli_fail(&error);
		if (status != STATUS_NONE && status != STATUS_INVALID)
			return code;
		json_array_append_new(outcome->refused,
				      json_pack("{s:I, s:o}", "id", (json_int_t)id, "reason",
						value_text(error.text)));
	}
	return EXIT_STOPPED;
}

static int run_many(struct cli *cli, const struct selection *selection,
		    const struct selection_verb *verb, struct outcome *outcome)
{
	struct error error = { 0 };

	if (verb->many(cli->db, &selection->filter, &outcome->done, &error) == STATUS_OK)
		return EXIT_STOPPED;
	return cli_fail(&error);
}

#define LONG_TARGET 1000

/* What it is done to, for the audit trail. */
static const char *target(struct arena *arena, const struct selection *selection)
{
	const struct job_filter *filter = &selection->filter;
	struct text text = { .maximum = LONG_TARGET };

	if (selection->many)
		text_printf(&text, "%s jobs",
			    filter->has_state ? job_state_name(filter->state) : "failed");
	else
		text_add(&text, "jobs");
	for (size_t i = 0; i < selection->ids.count; i++)
		text_printf(&text, " %s", selection->ids.list[i]);
	if (filter->queue)
		text_printf(&text, " of queue %s", filter->queue);
	if (filter->class_name)
		text_printf(&text, " of class %s", filter->class_name);
	const char *copy = arena_strdup(arena, text_string(&text));
	text_free(&text);
	return copy;
}

int selection_run(struct cli *cli, struct selection *selection, const struct selection_verb *verb)
{
	struct outcome outcome = { 0 };
	struct error error = { 0 };
	int64_t record = 0;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (record_begin(cli, verb->action, target(cli->arena, selection), &record, &error) !=
	    STATUS_OK)
		return cli_fail(&error);
	outcome.refused = json_array();
	code = selection->many ? run_many(cli, selection, verb, &outcome)
			       : run_ids(cli, selection, verb, &outcome);
	record_end(cli, record, outcome.done, code == EXIT_STOPPED);
	int printed = print(cli, verb, &outcome);
	json_decref(outcome.refused);
	return code == EXIT_STOPPED ? printed : code;
}
