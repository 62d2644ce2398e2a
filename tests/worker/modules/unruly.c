/* Jobs that ruin their process, each in its own way, and some that look around in it. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <dray.h>

/* Without the handler that a sanitizer has installed. */
static enum dray_result crash(struct dray_job *job)
{
	(void)job;
	(void)signal(SIGSEGV, SIG_DFL);
	(void)raise(SIGSEGV);
	return DRAY_OK;
}

static enum dray_result give_up(struct dray_job *job)
{
	(void)job;
	(void)fputs("first line\nbalance is negative\n", stderr);
	(void)signal(SIGABRT, SIG_DFL);
	abort();
}

static enum dray_result leave(struct dray_job *job)
{
	int64_t status = 0;

	(void)dray_job_integer(job, "0", &status);
	_exit((int)status);
}

/* As memory that was overwritten would: the worker hears what makes no sense. */
static enum dray_result babble(struct dray_job *job)
{
	static const char noise[64] = "\xff\xff\xff\xff no message begins like this";
	int type = 0;
	socklen_t length = sizeof(type);

	for (int fd = 3; fd < 64; fd++)
		if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0)
			(void)!write(fd, noise, sizeof(noise));
	while (!dray_job_stopping(job))
		(void)usleep(1000);
	return DRAY_OK;
}

/* Its process and what it has open, "PID DESCRIPTORS VARIABLE DIRECTORY", into the file {0}. */
static enum dray_result look(struct dray_job *job)
{
	const char *path = dray_job_text(job, "0");
	const char *variable = getenv("DRAY_TEST_VARIABLE"); /* NOLINT(concurrency-mt-unsafe) */
	FILE *file = fopen(path, "ae");
	DIR *folder = opendir("/proc/self/fd");
	char directory[256];
	int descriptors = 0;

	while (folder != NULL && readdir(folder) != NULL) /* NOLINT(concurrency-mt-unsafe) */
		descriptors++;
	if (folder == NULL || file == NULL || getcwd(directory, sizeof(directory)) == NULL)
		return DRAY_FAILED;
	(void)closedir(folder);
	/* But for ".", "..", the folder and the file. */
	(void)fprintf(file, "%d %d %s %s\n", (int)getpid(), descriptors - 4,
		      variable == NULL ? "-" : variable, directory);
	return fclose(file) == 0 ? DRAY_OK : DRAY_FAILED;
}

static void stay(void)
{
	for (;;)
		(void)pause();
}

/* Keeps that many bytes for ever. */
static enum dray_result leak(struct dray_job *job)
{
	static char *volatile last; /* so that no compiler finds it useless */
	int64_t size = 0;

	(void)dray_job_integer(job, "0", &size);
	char *memory = malloc((size_t)size);
	last = memory;
	if (memory == NULL)
		return dray_job_fail(job, "NoMemory", "%lld bytes", (long long)size);
	memset(memory, 1, (size_t)size);
	return last == memory ? DRAY_OK : DRAY_FAILED;
}

/* More than the second that the test allows a job, less than what the kernel's rounding adds. */
static enum dray_result burn(struct dray_job *job)
{
	clock_t begin = clock();

	(void)job;
	while (clock() - begin < CLOCKS_PER_SEC * 11 / 10)
		;
	return DRAY_OK;
}

static enum dray_result spin(struct dray_job *job)
{
	while (!dray_job_stopping(job))
		;
	return DRAY_OK;
}

/* Tells its process id and never ends. */
static enum dray_result hang(struct dray_job *job)
{
	FILE *file = fopen(dray_job_text(job, "0"), "we");

	if (file == NULL || fprintf(file, "%d\n", (int)getpid()) < 0 || fclose(file) != 0)
		return DRAY_FAILED;
	while (pause() != 0)
		;
	return DRAY_OK;
}

static void tell(struct dray_job *job)
{
	FILE *file = fopen(dray_job_text(job, "0"), "we");

	if (file != NULL)
		(void)fclose(file);
}

/* Forks, without exec, a process that leaves the group, and goes on until it is to stop. */
static enum dray_result desert(struct dray_job *job)
{
	if (fork() == 0) {
		(void)setsid();
		tell(job);
		stay();
	}
	while (!dray_job_stopping(job))
		(void)usleep(1000);
	return dray_job_give_back(job);
}

/* The same, but it does not listen. */
static enum dray_result desert_and_hang(struct dray_job *job)
{
	if (fork() == 0) {
		(void)setsid();
		tell(job);
	}
	stay();
	return DRAY_OK;
}

/* It leaves a child with much memory, which the kernel frees slowly, and a grandchild elsewhere. */
static enum dray_result desert_behind_much(struct dray_job *job)
{
	const size_t size = (size_t)400 << 20;

	if (fork() == 0) {
		if (fork() == 0) {
			(void)setsid();
			stay();
		}
		if (mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0) != MAP_FAILED)
			tell(job);
	}
	stay();
	return DRAY_OK;
}

static void *go_on(void *unused)
{
	stay();
	return unused;
}

/* What has left the group goes on without its main thread. */
static enum dray_result desert_headless(struct dray_job *job)
{
	pthread_t thread;

	if (fork() == 0) {
		(void)setsid();
		if (pthread_create(&thread, NULL, go_on, NULL) != 0)
			_exit(1);
		tell(job);
		pthread_exit(NULL);
	}
	stay();
	return DRAY_OK;
}

/*
 * Leaves a process without a variable that says whose it is; its number into the file {0}.
 */
static enum dray_result leave_unnamed(struct dray_job *job)
{
	const char *path = dray_job_text(job, "0");
	struct stat file;
	pid_t child = fork();

	if (child == 0) {
		(void)setsid();
		(void)execle("/bin/sh", "sh", "-c", "trap '' TERM; echo $$ > $0; exec sleep 1000",
			     path, NULL, (char *[]){ NULL });
		_exit(1);
	}
	while (child > 0 && (stat(path, &file) != 0 || file.st_size == 0))
		(void)usleep(1000);
	return child > 0 ? DRAY_OK : DRAY_FAILED;
}

static enum dray_result leave_unnamed_and_hang(struct dray_job *job)
{
	(void)leave_unnamed(job);
	stay();
	return DRAY_OK;
}

/* Answers when it is to stop, but its process does not leave. */
static enum dray_result answer_and_stay(struct dray_job *job)
{
	if (atexit(stay) != 0)
		return DRAY_FAILED;
	return desert(job);
}

/* A process that is nobody's child, and has ended; its number into the file {0}. */
static enum dray_result leave_behind(struct dray_job *job)
{
	pid_t child = fork();

	if (child == 0) {
		if (fork() == 0) {
			FILE *file = fopen(dray_job_text(job, "0"), "we");

			(void)setsid();
			if (file != NULL && fprintf(file, "%d\n", (int)getpid()) > 0)
				(void)fclose(file);
		}
		_exit(0);
	}
	return waitpid(child, NULL, 0) == child ? DRAY_OK : DRAY_FAILED;
}

/* Waits for a child long after it has ended. */
static enum dray_result wait_late(struct dray_job *job)
{
	int status = 0;
	pid_t child = fork();

	(void)job;
	if (child == 0)
		_exit(42);
	(void)usleep(1500 * 1000); /* the worker looks for orphans once a second */
	return waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 42 ? DRAY_OK
										: DRAY_FAILED;
}

static void *start_child(void *result)
{
	pid_t *child = result;

	*child = fork();
	if (*child == 0)
		_exit(42);
	return NULL;
}

/* The same for a child of a thread that has ended before it. */
static enum dray_result wait_for_another(struct dray_job *job)
{
	int status = 0;
	pid_t child = -1;
	pthread_t thread;

	(void)job;
	if (pthread_create(&thread, NULL, start_child, &child) != 0 ||
	    pthread_join(thread, NULL) != 0)
		return DRAY_FAILED;
	(void)usleep(1500 * 1000);
	return waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 42 ? DRAY_OK
										: DRAY_FAILED;
}

/* What is meant for the whole service is the worker's business. */
static enum dray_result be_signalled(struct dray_job *job)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGHUP, SIGPIPE };

	(void)job;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (raise(signals[i]) != 0)
			return DRAY_FAILED;
	return DRAY_OK;
}

static enum dray_result print(struct dray_job *job)
{
	(void)printf("to standard output: %s\n", dray_job_text(job, "0"));
	(void)fprintf(stderr, "to standard error: %s\n", dray_job_text(job, "0"));
	return DRAY_OK;
}

static enum dray_result measure(struct dray_job *job)
{
	return dray_job_fail(job, "Measured", "%zu bytes", strlen(dray_job_arguments(job)));
}

static enum dray_result fail_at_length(struct dray_job *job)
{
	size_t length = (size_t)1 << 20;
	char *text = malloc(length + 1);

	if (text == NULL)
		return DRAY_FAILED;
	memset(text, 'x', length);
	text[length] = '\0';
	(void)dray_job_fail(job, "Long", "%s", text);
	free(text);
	return DRAY_FAILED;
}

static const struct dray_function functions[] = {
	{ "CrashJob", crash },
	{ "AbortJob", give_up },
	{ "ExitJob", leave },
	{ "BabbleJob", babble },
	{ "LookJob", look },
	{ "LookAgainJob", look },
	{ "LeakJob", leak },
	{ "BurnJob", burn },
	{ "SpinJob", spin },
	{ "StayJob", hang },
	{ "SignalJob", be_signalled },
	{ "PrintJob", print },
	{ "MeasureJob", measure },
	{ "LongJob", fail_at_length },
	{ "DesertJob", desert },
	{ "DesertHangJob", desert_and_hang },
	{ "WaitLateJob", wait_late },
	{ "WaitOtherJob", wait_for_another },
	{ "DesertBehindJob", desert_behind_much },
	{ "HeadlessJob", desert_headless },
	{ "UnnamedJob", leave_unnamed },
	{ "UnnamedHangJob", leave_unnamed_and_hang },
	{ "AnswerJob", answer_and_stay },
	{ "LeaveBehindJob", leave_behind },
	{ NULL, NULL },
};

DRAY_MODULE("unruly", functions);
