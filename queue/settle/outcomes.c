#include "queue/settle/outcomes.h"

#include "db/operations.h"

/* settle.c calls those in_history as `fail`, the others as `finish`, and what deletes as it is. */
const struct outcome_rule outcome_rules[OUTCOMES] = {
	[OUTCOME_FINISHED] = { .operation = "finish",
			       .deletes = "finish_and_delete",
			       .next = JOB_FINISHED },
	[OUTCOME_RECORDED] = { .operation = DB_LIKE(finish_recorded, fail),
			       .deletes = "finish_and_delete",
			       .next = JOB_FINISHED,
			       .in_history = true },
	[OUTCOME_FAILED] = { .operation = "fail", .next = JOB_FAILED, .in_history = true },
	[OUTCOME_RETRIED] = { .operation = DB_LIKE(retry_later, fail),
			      .next = JOB_SCHEDULED,
			      .in_history = true },
	[OUTCOME_DISCARDED] = { .operation = DB_LIKE(discard_run, fail),
				.deletes = "finish_and_delete",
				.next = JOB_FINISHED,
				.in_history = true },
	[OUTCOME_INTERRUPTED] = { .operation = DB_LIKE(interrupt, fail),
				  .next = JOB_READY,
				  .in_history = true },
	[OUTCOME_SNOOZED] = { .operation = DB_LIKE(snooze, fail),
			      .next = JOB_SCHEDULED,
			      .in_history = true },
	[OUTCOME_CANCELLED] = { .operation = DB_LIKE(cancel_run, fail),
				.next = JOB_FINISHED,
				.in_history = true },
	[OUTCOME_RELEASED] = { .operation = DB_LIKE(release, finish), .next = JOB_READY },
};

bool outcome_runs_again(enum outcome_kind kind)
{
	const enum job_state next = outcome_rules[kind].next;

	return next == JOB_READY || next == JOB_SCHEDULED;
}

/* Their rows are read alike. */
DB_ALIKE(fail, finish);
DB_ALIKE(fail, finish_and_delete);
DB_ALIKE(fail, finish_recorded);
DB_ALIKE(fail, retry_later);
DB_ALIKE(fail, discard_run);
DB_ALIKE(fail, interrupt);
DB_ALIKE(fail, snooze);
DB_ALIKE(fail, cancel_run);
DB_ALIKE(fail, release);
