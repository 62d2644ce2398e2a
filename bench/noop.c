/* A job that does nothing, so that only the queue is measured. */
#include "dray.h"

static enum dray_result noop(struct dray_job *job)
{
	(void)job;
	return DRAY_OK;
}

static const struct dray_function functions[] = { { "Noop", noop }, { NULL, NULL } };
DRAY_MODULE("noop", functions);
