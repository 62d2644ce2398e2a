#include "queue/settle/outcomes.h"

const struct outcome_rule outcome_rules[OUTCOMES] = {
	[OUTCOME_FINISHED] = { .operation = "finish",
			       .deletes = "finish_and_delete",
			       .next = JOB_FINISHED },
	[OUTCOME_RECORDED] = { .operation = "finish_recorded",
			       .deletes = "finish_and_delete",
			       .next = JOB_FINISHED,
			       .in_history = true },
	[OUTCOME_FAILED] = { .operation = "fail", .next = JOB_FAILED, .in_history = true },
	[OUTCOME_RETRIED] = { .operation = "retry_later",
			      .next = JOB_SCHEDULED,
			      .in_history = true },
	[OUTCOME_DISCARDED] = { .operation = "discard_run",
				.deletes = "finish_and_delete",
				.next = JOB_FINISHED,
				.in_history = true },
	[OUTCOME_INTERRUPTED] = { .operation = "interrupt", .next = JOB_READY, .in_history = true },
	[OUTCOME_SNOOZED] = { .operation = "snooze", .next = JOB_SCHEDULED, .in_history = true },
	[OUTCOME_CANCELLED] = { .operation = "cancel_run",
				.next = JOB_FINISHED,
				.in_history = true },
	[OUTCOME_RELEASED] = { .operation = "release", .next = JOB_READY },
};

bool outcome_runs_again(enum outcome_kind kind)
{
	const enum job_state next = outcome_rules[kind].next;

	return next == JOB_READY || next == JOB_SCHEDULED;
}
