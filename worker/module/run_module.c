#include "worker/module/run_module.h"

#include <jansson.h>

#include "common/log/log.h"
#include "worker/module/job_handle.h"
#include "worker/report.h"
#include "worker/state.h"

void module_runs_prepare(void)
{
	/* jansson's own seeding is not safe with many threads at once. */
	json_object_seed(0);
}

static bool is_stopping(const struct job_handle *handle)
{
	const struct slot *slot = handle->context;

	return atomic_load(&slot->told) || atomic_load(&slot->worker->stopping);
}

static bool is_cancelled(const struct job_handle *handle)
{
	const struct slot *slot = handle->context;

	return atomic_load(&slot->cancelling);
}

static bool log_wanted(const struct job_handle *handle)
{
	(void)handle;
	return log_enabled(LOG_INFO);
}

static void log_text(const struct job_handle *handle, const char *text)
{
	report_said(handle->what, text);
}

static const struct job_place thread = {
	.stopping = is_stopping,
	.cancelled = is_cancelled,
	.log_wanted = log_wanted,
	.log = log_text,
};

void module_run(struct pool_task *task)
{
	struct slot *slot = slot_of_task(task);
	struct job_handle handle;

	if (atomic_load(&slot->told)) { /* before it started */
		slot->in_time = true;
		slot_release(slot);
		return;
	}
	const enum job_end end = job_handle_run(&handle, slot->handler->function, &thread, slot,
						&slot->claim, slot->arena);
	slot->in_time = !atomic_load(&slot->told);
	slot->escaped = !atomic_load(&slot->cancelling);
	switch (end) {
	case JOB_DONE:
		slot_succeed(slot);
		break;
	case JOB_NOT_DONE:
		slot->said = handle.said;
		slot_fail(slot, handle.failure_class, handle.failure, NULL);
		break;
	case JOB_GIVEN_BACK:
		slot_interrupt(slot, JOB_GAVE_BACK);
		break;
	}
}
