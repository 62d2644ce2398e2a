#include "queue/manage/action_rules.h"

#include <string.h>

#include "common/clock.h"
#include "queue/payload/cause.h"

static const struct {
	const char *operation;
	bool takes[JOB_STATES + 1]; /* the last entry: jobs in no table */
	const char *refused;        /* what a job in another state is, for the refusal */
} verbs[] = {
	[ACTION_RETRY] = { "retry", { [JOB_FAILED] = true }, "not failed" },
	[ACTION_DISCARD] = { "discard",
			     { [JOB_READY] = true,
			       [JOB_SCHEDULED] = true,
			       [JOB_BLOCKED] = true,
			       [JOB_FAILED] = true,
			       [JOB_STATES] = true },
			     NULL },
	[ACTION_RUN_NOW] = { "run_now", { [JOB_SCHEDULED] = true }, "not scheduled" },
	[ACTION_ARRANGE] = { "arrange",
			     { [JOB_READY] = true,
			       [JOB_SCHEDULED] = true,
			       [JOB_BLOCKED] = true,
			       [JOB_FAILED] = true },
			     "neither waiting nor failed" },
	[ACTION_CANCEL] = { "cancel",
			    { [JOB_READY] = true,
			      [JOB_SCHEDULED] = true,
			      [JOB_BLOCKED] = true,
			      [JOB_CLAIMED] = true },
			    NULL },
};

const char *action_operation(enum action_kind kind)
{
	return verbs[kind].operation;
}

bool action_takes(enum action_kind kind, enum job_state state)
{
	return verbs[kind].takes[state];
}

/* When, by whom and why it was cancelled; NULL = it was not, or the history does not have it. */
static const char *how_cancelled(const struct action *action, const struct job *job)
{
	const struct db_value values[] = { DB_P_INT("id", job->id), DB_P_INT("limit", 1) };
	struct db_rows rows = { 0 };
	char when[CLOCK_TEXT_SIZE];
	struct error error;

	if (!job->outcome || strcmp(job->outcome, "cancelled") != 0 ||
	    db_query(action->db, action->arena, "job_runs", values, 2, &rows, &error) !=
		    STATUS_OK ||
	    rows.count == 0)
		return NULL;
	const struct cause cause = cause_of(action->arena, db_text(&rows, 0, 6));
	clock_format_iso(db_time(&rows, 0, 2), when);
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
