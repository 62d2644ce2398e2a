#include "queue/manage/action_rules.h"

#include <string.h>

#include "common/clock.h"
#include "db/operations.h"
#include "queue/payload/cause.h"

static const struct {
	bool takes[JOB_STATES + 1]; /* the last entry: jobs in no table */
	const char *refused;        /* what a job in another state is, for the refusal */
} verbs[] = {
	[ACTION_RETRY] = { { [JOB_FAILED] = true }, "not failed" },
	[ACTION_DISCARD] = { { [JOB_READY] = true,
			       [JOB_SCHEDULED] = true,
			       [JOB_BLOCKED] = true,
			       [JOB_FAILED] = true,
			       [JOB_STATES] = true },
			     NULL },
	[ACTION_RUN_NOW] = { { [JOB_SCHEDULED] = true }, "not scheduled" },
	[ACTION_ARRANGE] = { { [JOB_READY] = true,
			       [JOB_SCHEDULED] = true,
			       [JOB_BLOCKED] = true,
			       [JOB_FAILED] = true },
			     "neither waiting nor failed" },
	[ACTION_CANCEL] = { { [JOB_READY] = true,
			      [JOB_SCHEDULED] = true,
			      [JOB_BLOCKED] = true,
			      [JOB_CLAIMED] = true },
			    NULL },
};

bool action_takes(enum action_kind kind, enum job_state state)
{
	return verbs[kind].takes[state];
}

/* When, by whom and why it was cancelled; NULL = it was not, or the history does not have it. */
static const char *how_cancelled(const struct action *action, const struct job *job)
{
	struct db_rows rows = { 0 };
	char when[CLOCK_TEXT_SIZE];
	struct error error;

	if (!job->outcome || strcmp(job->outcome, "cancelled") != 0 ||
	    db_query(action->db, action->arena,
		     DB_CALL(job_runs, .id = P_INT(job->id), .limit = P_INT(1)), &rows,
		     &error) != STATUS_OK ||
	    rows.count == 0)
		return NULL;
	const struct cause cause = cause_of(action->arena, db_text(&rows, 0, JOB_RUNS_ERROR));
	clock_format_iso(db_time(&rows, 0, JOB_RUNS_ENDED_AT), when);
	return cause.error_class ? arena_printf(action->arena, "it has ended: at %s it was %s",
						when, cause.message)
				 : NULL;
}

const char *action_refuses(const struct action *action, const struct job *job)
{
	if (action->kind == ACTION_CANCEL && job->state == JOB_CLAIMED)
		return "the process that runs it does not stop cancelled jobs: it is of other "
		       "software, or of an earlier dray";
	if (action_takes(action->kind, job->state))
		return "its state changed meanwhile";
	if (verbs[action->kind].refused)
		return arena_printf(action->arena, "it is %s, %s", job_state_name(job->state),
				    verbs[action->kind].refused);
	if (job->state == JOB_FINISHED) {
		const char *how = how_cancelled(action, job);
		return how ? how : "it is already finished";
	}
	if (job->state == JOB_FAILED)
		return "it has failed: discard it";
	if (job->state == JOB_STATES)
		return "it is in no state: `dray doctor` mends that";
	return "it is running: cancel it";
}
