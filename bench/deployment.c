#include "bench/deployment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char queue_file[] = "database:\n"
				 "  url: \"%s\"\n"
				 "log:\n"
				 "  level: warn\n"
				 "workers:\n"
				 "  - queues: \"*\"\n"
				 "    threads: %d\n"
				 "    processes: %d\n"
				 "    polling_interval: 0.1\n"
				 "dispatchers:\n"
				 "  - polling_interval: 1\n";

static const char jobs_file[] = "jobs:\n"
				"  Noop:\n"
				"    module: " NOOP_MODULE "\n"
				"    isolation: %s\n";

static FILE *create(const struct deployment *deployment, const char *name)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/%s", deployment->directory, name);
	return fopen(path, "we");
}

static enum status write_files(const struct deployment *deployment,
			       const struct deployment_options *options, struct error *error)
{
	FILE *queue = create(deployment, "queue.yml");
	FILE *jobs = create(deployment, "jobs.yml");
	bool good = queue && jobs;

	if (queue) {
		good = fprintf(queue, queue_file, options->url, options->threads,
			       options->processes) > 0 &&
		       good;
		good = fclose(queue) == 0 && good;
	}
	if (jobs) {
		good = fprintf(jobs, jobs_file, options->isolation) > 0 && good;
		good = fclose(jobs) == 0 && good;
	}
	return good ? STATUS_OK
		    : error_set(error, STATUS_FATAL, "cannot write the deployment's files");
}

static void run_dray(const struct deployment *deployment)
{
	if (chdir(deployment->directory) == 0)
		execl(DRAY_PATH, "dray", "start", "--config-file", "queue.yml", "--jobs-file",
		      "jobs.yml", (char *)NULL);
	_exit(127);
}

enum status deployment_start(struct deployment *deployment,
			     const struct deployment_options *options, struct error *error)
{
	(void)snprintf(deployment->directory, sizeof(deployment->directory), "%s",
		       "/tmp/dray-bench-XXXXXX");
	if (!mkdtemp(deployment->directory))
		return error_set(error, STATUS_FATAL, "mkdtemp: %s", strerror(errno));
	enum status status = write_files(deployment, options, error);
	if (status != STATUS_OK)
		return status;
	deployment->pid = fork();
	if (deployment->pid == 0)
		run_dray(deployment);
	return deployment->pid > 0 ? STATUS_OK
				   : error_set(error, STATUS_FATAL, "fork: %s", strerror(errno));
}

static void remove_file(const struct deployment *deployment, const char *name)
{
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/%s", deployment->directory, name);
	(void)unlink(path);
}

void deployment_stop(struct deployment *deployment)
{
	if (deployment->pid > 0) {
		(void)kill(deployment->pid, SIGTERM);
		(void)waitpid(deployment->pid, NULL, 0);
	}
	remove_file(deployment, "queue.yml");
	remove_file(deployment, "jobs.yml");
	(void)rmdir(deployment->directory);
	deployment->pid = 0;
}

static int64_t memory_of(pid_t pid)
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

int64_t deployment_memory(const struct deployment *deployment, int *processes)
{
	char path[96];
	char line[4096];
	int64_t total = memory_of(deployment->pid);

	*processes = 1;
	(void)snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)deployment->pid,
		       (int)deployment->pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return total;
	if (fgets(line, sizeof(line), file)) {
		char *rest = line;
		for (long child; (child = strtol(rest, &rest, 10)) > 0; ++*processes)
			total += memory_of((pid_t)child);
	}
	(void)fclose(file);
	return total;
}
