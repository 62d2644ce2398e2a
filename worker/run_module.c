#include "worker/run_module.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "worker/job_handle.h"
#include "worker/state.h"

void module_runs_prepare(void)
{
	/* jansson's own seeding is not meant for many threads at once. */
	json_object_seed(0);
}

static void settle_failure(struct slot *slot, const struct job_handle *handle,
			   enum dray_result result)
{
	const char *class = slot->claim.job.class_name;

	if (handle->failure_class != NULL)
		slot_fail(slot, handle->failure_class, handle->failure, NULL);
	else if (handle->state == PAYLOAD_BROKEN)
		slot_fail(slot, "Dray::PayloadError", handle->failure, NULL);
	else if (result == DRAY_FAILED)
		slot_fail(slot, "Dray::JobError",
			  arena_printf(slot->arena, "%s failed without saying why", class), NULL);
	else
		slot_fail(slot, "Dray::JobError",
			  arena_printf(slot->arena,
				       "%s returned %d, expected DRAY_OK or DRAY_FAILED", class,
				       (int)result),
			  NULL);
}

void module_run(struct pool_task *task)
{
	struct slot *slot = slot_of_task(task);
	struct job_handle handle;
	enum dray_result result;

	job_handle_init(&handle, slot);
	result = slot->handler->function->run(&handle.job);
	if (result == DRAY_OK && handle.failure == NULL)
		slot_succeed(slot);
	else
		settle_failure(slot, &handle, result);
	job_handle_clear(&handle);
}
