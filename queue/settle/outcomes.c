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
	[OUTCOME_RELEASED] = { .operation = "release", .next = JOB_READY, .keeps_slot = true },
};
