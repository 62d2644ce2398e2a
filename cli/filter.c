#include "cli/filter.h"

#include "cli/cli.h"
#include "common/parse.h"

static void unknown_state(const char *name, struct argp_state *state)
{
	const char *names[JOB_STATES];

	for (int i = 0; i < JOB_STATES; i++)
		names[i] = job_state_name((enum job_state)i);
	const char *nearest = nearest_word(name, names, JOB_STATES);
	argument_error(state,
		       "--state: \"%s\" is not ready, scheduled, claimed, blocked, failed or "
		       "finished%s%s%s",
		       name, nearest ? ": did you mean \"" : "", nearest ? nearest : "",
		       nearest ? "\"?" : "");
}

error_t filter_parse(struct job_filter *filter, int key, const char *value,
		     struct argp_state *state)
{
	switch (key) {
	case FILTER_STATE:
		filter->has_state = true;
		if (job_state_parse(value, &filter->state) != STATUS_OK)
			unknown_state(value, state);
		return 0;
	case FILTER_QUEUE:
		filter->queue = value;
		return 0;
	case FILTER_CLASS:
		filter->class_name = value;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}
