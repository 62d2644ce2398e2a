/* Dies when it is loaded, for as long as the file named by DRAY_TEST_VARIABLE is there. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <dray.h>

static __attribute__((constructor)) void begin(void)
{
	const char *path = getenv("DRAY_TEST_VARIABLE"); /* NOLINT(concurrency-mt-unsafe) */

	if (path != NULL && access(path, F_OK) == 0)
		/* Not _exit: ThreadSanitizer makes another status of it while dlopen goes on. */
		(void)syscall(SYS_exit_group, 9);
}

static enum dray_result noop(struct dray_job *job)
{
	(void)job;
	return DRAY_OK;
}

static const struct dray_function functions[] = { { "StillbornJob", noop }, { NULL, NULL } };

DRAY_MODULE("stillborn", functions);
