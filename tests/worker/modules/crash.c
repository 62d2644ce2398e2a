/* Jobs that take their worker with them, and one that does not. */
#include <stdlib.h>
#include <unistd.h>

#include <dray.h>

/* Not by a bad pointer: a sanitizer would make a report of that, and this is meant to happen. */
static enum dray_result crash(struct dray_job *job)
{
	(void)job;
	abort();
}

static enum dray_result leave(struct dray_job *job)
{
	(void)job;
	_exit(1);
}

static enum dray_result nothing(struct dray_job *job)
{
	(void)job;
	return DRAY_OK;
}

static const struct dray_function functions[] = {
	{ "Crash", crash },
	{ "Leave", leave },
	{ "Nothing", nothing },
	{ NULL, NULL },
};

DRAY_MODULE("crash", functions);
