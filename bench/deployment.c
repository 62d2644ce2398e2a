#include "bench/deployment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_CHILDREN 64

static void file_path(const struct deployment *deployment, const char *name, char path[128])
{
	(void)snprintf(path, 128, "%s/%s", deployment->directory, name);
}

static bool write_file(const struct deployment *deployment, const char *name, const char *text)
{
	char path[128];

	file_path(deployment, name, path);
	FILE *file = fopen(path, "we");
	bool good = file && fputs(text, file) >= 0;
	return file && fclose(file) == 0 && good;
}

/* Dies with us. */
static void run_dray(const struct deployment *deployment)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (chdir(deployment->directory) != 0)
		_exit(127);
	int log = open("log", O_WRONLY | O_APPEND | O_CLOEXEC); /* exists if it was asked for */
	if (log >= 0)
		(void)dup2(log, STDERR_FILENO);
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): a process just forked has one thread */
	if (access("recurring.yml", F_OK) == 0 && setenv("DRAY_RECURRING", "recurring.yml", 1) != 0)
		_exit(127);
	execl(DRAY_PATH, "dray", "start", "--config-file", "queue.yml", "--jobs-file", "jobs.yml",
	      (char *)NULL);
	_exit(127);
}

enum status deployment_restart(struct deployment *deployment, struct error *error)
{
	deployment->pid = fork();
	if (deployment->pid == 0)
		run_dray(deployment);
	return deployment->pid > 0 ? STATUS_OK
				   : error_set(error, STATUS_FATAL, "fork: %s", strerror(errno));
}

enum status deployment_start(struct deployment *deployment,
			     const struct deployment_options *options, struct error *error)
{
	(void)snprintf(deployment->directory, sizeof(deployment->directory), "%s",
		       "/tmp/dray-bench-XXXXXX");
	if (!mkdtemp(deployment->directory))
		return error_set(error, STATUS_FATAL, "mkdtemp: %s", strerror(errno));
	if (!write_file(deployment, "queue.yml", options->queue_yml) ||
	    !write_file(deployment, "jobs.yml", options->jobs_yml) ||
	    (options->recurring_yml &&
	     !write_file(deployment, "recurring.yml", options->recurring_yml)) ||
	    (options->log && !write_file(deployment, "log", "")))
		return error_set(error, STATUS_FATAL, "cannot write the deployment's files");
	return deployment_restart(deployment, error);
}

int deployment_stop(struct deployment *deployment)
{
	int status = 0;

	if (deployment->pid > 0) {
		(void)kill(deployment->pid, SIGTERM);
		(void)waitpid(deployment->pid, &status, 0);
	}
	deployment->pid = 0;
	return status;
}

void deployment_remove(struct deployment *deployment)
{
	static const char *const names[] = { "queue.yml", "jobs.yml", "recurring.yml", "log" };
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		file_path(deployment, names[i], path);
		(void)unlink(path);
	}
	(void)rmdir(deployment->directory);
}

int64_t deployment_memory_of(pid_t pid)
{
	char path[64];
	char line[256];
	int64_t kilobytes = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		if (strncmp(line, "Pss:", 4) == 0)
			kilobytes = strtoll(line + 4, NULL, 10);
	(void)fclose(file);
	return kilobytes * 1024;
}

size_t deployment_children(pid_t supervisor, pid_t children[], size_t most)
{
	char path[96];
	char line[4096];
	size_t count = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)supervisor,
		       (int)supervisor);
	FILE *file = fopen(path, "re");
	if (!file)
		return 0;
	if (fgets(line, sizeof(line), file)) {
		char *rest = line;
		for (long child; count < most && (child = strtol(rest, &rest, 10)) > 0;)
			children[count++] = (pid_t)child;
	}
	(void)fclose(file);
	return count;
}

int64_t deployment_memory(const struct deployment *deployment, int *processes)
{
	pid_t children[MOST_CHILDREN];
	size_t count = deployment_children(deployment->pid, children, MOST_CHILDREN);
	int64_t total = deployment_memory_of(deployment->pid);

	*processes = 1 + (int)count;
	for (size_t i = 0; i < count; i++)
		total += deployment_memory_of(children[i]);
	return total;
}
