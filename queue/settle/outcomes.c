#include "queue/settle/outcomes.h"

const struct outcome_rule outcome_rules[OUTCOMES] = {
	[OUTCOME_FINISHED] = { .operation = "finish",
			       .deletes = "finish_and_delete",
			       .next = JOB_FINISHED,
			       .leaves_batch = true },
	[OUTCOME_FAILED] = { .operation = "fail",
			     .next = JOB_FAILED,
			     .has_error = true,
			     .leaves_batch = true },
	[OUTCOME_RETRIED] = { .operation = "retry_later",
			      .next = JOB_SCHEDULED,
			      .has_error = true },
	[OUTCOME_DISCARDED] = { .operation = "discard_run",
				.deletes = "finish_and_delete",
				.next = JOB_FINISHED,
				.has_error = true,
				.leaves_batch = true },
	[OUTCOME_RELEASED] = { .operation = "release", .next = JOB_READY, .keeps_slot = true },
};
