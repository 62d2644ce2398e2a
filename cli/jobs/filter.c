#include "cli/jobs/filter.h"

#include <inttypes.h>
#include <string.h>

#include "cli/cli.h"
#include "common/clock.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "queue/payload/fingerprint.h"

#define LONG_TEXT 1000

static void take_state(struct job_filter *filter, const char *name, struct argp_state *state)
{
	const char *names[JOB_STATES];

	filter->has_state = true;
	if (job_state_parse(name, &filter->state) == STATUS_OK)
		return;
	for (int i = 0; i < JOB_STATES; i++)
		names[i] = job_state_name((enum job_state)i);
	const char *nearest = nearest_word(name, names, JOB_STATES);
	argument_error(state,
		       "--state: \"%s\" is not ready, scheduled, claimed, blocked, failed or "
		       "finished%s%s%s",
		       name, nearest ? ": did you mean \"" : "", nearest ? nearest : "",
		       nearest ? "\"?" : "");
}

/* Refuses what no database would accept as a text. */
static const char *take_text(const char *value, const char *what, const struct argp_state *state)
{
	size_t fault;

	if (*value == '\0')
		argument_error(state, "%s: must not be empty", what);
	if (strlen(value) > LONG_TEXT)
		argument_error(state, "%s: at most %d bytes", what, LONG_TEXT);
	if (!utf8_valid(value, strlen(value), &fault))
		argument_error(state, "%s: not UTF-8", what);
	return value;
}

/* 0 means any time, so only later times are accepted. */
static int64_t take_time(const char *value, const char *what, const struct argp_state *state)
{
	int64_t time = argument_time(value, what, INSTANT_PAST, state);

	if (time <= 0)
		argument_error(state, "%s: not before 1970", what);
	return time;
}

const char *filter_group(const char *value, const char *what, const struct argp_state *state)
{
	if (strlen(value) != FINGERPRINT_DIGITS ||
	    strspn(value, "0123456789abcdef") != FINGERPRINT_DIGITS)
		argument_error(state, "%s: \"%s\" is no error group: `dray errors` lists them",
			       what, value);
	return value;
}

/* Only failed jobs have one. */
static void take_group(struct job_filter *filter, const char *value, struct argp_state *state)
{
	filter->error_group = filter_group(value, "--error", state);
	if (!filter->has_state)
		filter->state = JOB_FAILED;
	filter->has_state = true;
}

error_t filter_parse(struct job_filter *filter, int key, const char *value,
		     struct argp_state *state)
{
	switch (key) {
	case FILTER_STATE:
		take_state(filter, value, state);
		return 0;
	case FILTER_QUEUE:
		filter->queue = take_text(value, "--queue", state);
		return 0;
	case FILTER_CLASS:
		filter->class_name = take_text(value, "--class", state);
		return 0;
	case FILTER_KEY:
		filter->key = take_text(value, "--key", state);
		return 0;
	case FILTER_TEXT:
		filter->text = take_text(value, "--text", state);
		return 0;
	case FILTER_ERROR:
		take_group(filter, value, state);
		return 0;
	case FILTER_SINCE:
		filter->since = take_time(value, "--since", state);
		return 0;
	case FILTER_UNTIL:
		filter->until = take_time(value, "--until", state);
		return 0;
	case FILTER_AFTER:
		filter->after = argument_number(value, "--after", 0, state);
		return 0;
	case FILTER_BEFORE:
		filter->before = argument_number(value, "--before", 1, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

void filter_check(const struct job_filter *filter, const struct argp_state *state)
{
	if (filter->error_group && filter->state != JOB_FAILED)
		argument_error(state, "--error chooses failed jobs, not %s ones",
			       job_state_name(filter->state));
	if (filter->until > 0 && filter->since >= filter->until)
		argument_error(state, "--since must be before --until");
	if (filter->before > 0 && filter->after >= filter->before)
		argument_error(state, "--after must be below --before");
}

bool filter_chooses(const struct job_filter *filter)
{
	return filter->queue || filter->error_group || filter->class_name || filter->key ||
	       filter->text || filter->since > 0 || filter->until > 0 || filter->after > 0 ||
	       filter->before > 0;
}

static void add_word(struct text *text, const char *what, const char *value)
{
	if (value)
		text_printf(text, " %s %s", what, value);
}

static void add_time(struct text *text, const char *what, int64_t time)
{
	char value[CLOCK_TEXT_SIZE];

	if (time == 0)
		return;
	clock_format_iso(time, value);
	add_word(text, what, value);
}

static void add_number(struct text *text, const char *what, int64_t number)
{
	if (number > 0)
		text_printf(text, " %s %" PRId64, what, number);
}

const char *filter_text(struct arena *arena, const struct job_filter *filter, const char *any)
{
	struct text text = { 0 };

	text_printf(&text, "%s jobs", filter->has_state ? job_state_name(filter->state) : any);
	add_word(&text, "of queue", filter->queue);
	add_word(&text, "of class", filter->class_name);
	add_word(&text, "with key", filter->key);
	add_word(&text, "with an error of group", filter->error_group);
	add_word(&text, "with the text", filter->text);
	add_time(&text, "enqueued since", filter->since);
	add_time(&text, "enqueued before", filter->until);
	add_number(&text, "above number", filter->after);
	add_number(&text, "below number", filter->before);
	return text_take(&text, arena);
}
