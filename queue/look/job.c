#include "queue/look/job.h"

#include <string.h>

#include "common/text/parse.h"

static const char *const names[] = {
	[JOB_READY] = "ready",     [JOB_SCHEDULED] = "scheduled", [JOB_CLAIMED] = "claimed",
	[JOB_BLOCKED] = "blocked", [JOB_FAILED] = "failed",       [JOB_FINISHED] = "finished",
};

const char *job_state_name(enum job_state state)
{
	return state < JOB_STATES ? names[state] : "unknown";
}

enum status job_state_parse(const char *name, enum job_state *state)
{
	for (unsigned i = 0; i < JOB_STATES; i++) {
		if (strcmp(names[i], name) == 0) {
			*state = (enum job_state)i;
			return STATUS_OK;
		}
	}
	return STATUS_INVALID;
}
