/* Jobs that are hard on their worker: they end its process, or are many. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dray.h>

/* The first run ends the whole process with status 1; the file remembers that it did. */
static enum dray_result exit_once(struct dray_job *job)
{
	int fd = open(dray_job_text(job, "0"), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0)
		return DRAY_OK;
	_exit(1);
}

/* Without the handler that a sanitizer has installed. */
static enum dray_result crash(struct dray_job *job)
{
	(void)job;
	(void)signal(SIGSEGV, SIG_DFL);
	(void)raise(SIGSEGV);
	return DRAY_OK;
}

/* Adds its id to the file "done". */
static enum dray_result note(struct dray_job *job)
{
	char line[32];
	int length = snprintf(line, sizeof(line), "%lld\n", (long long)dray_job_id(job));
	int fd = open("done", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	bool written = fd >= 0 && write(fd, line, (size_t)length) == length;

	if (fd >= 0)
		(void)close(fd);
	return written ? DRAY_OK : dray_job_fail(job, "IOError", "done");
}

/* Until the worker stops, and a little longer when the argument says so. */
static enum dray_result wait_for_stop(struct dray_job *job)
{
	while (!dray_job_stopping(job))
		(void)usleep(1000);
	if (dray_job_text(job, "0") && strcmp(dray_job_text(job, "0"), "never") == 0)
		for (;;)
			(void)pause();
	return DRAY_OK;
}

/* Notes when it has begun, and gives its job back when it is to stop. */
static enum dray_result yield(struct dray_job *job)
{
	enum dray_result result = note(job);

	while (result == DRAY_OK && !dray_job_stopping(job))
		(void)usleep(1000);
	return result == DRAY_OK ? dray_job_give_back(job) : result;
}

/* What libraries may do: the process has the variable no more, or with another value. */
static enum dray_result forget(struct dray_job *job)
{
	const char *name = dray_job_text(job, "0");
	const char *value = dray_job_text(job, "1");

	/* No other thread runs. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	if ((value ? setenv(name, value, 1) : unsetenv(name)) == 0)
		return DRAY_OK;
	return dray_job_fail(job, "EnvError", "environment");
}

static const struct dray_function functions[] = {
	{ "ExitOnce", exit_once },
	{ "Crash", crash },
	{ "Note", note },
	{ "NoteApart", note },
	{ "WaitForStop", wait_for_stop },
	{ "Forget", forget },
	{ "Yield", yield },
	{ "YieldApart", yield },
	{ NULL, NULL },
};

DRAY_MODULE("hard", functions);
