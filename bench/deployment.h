/* A dray deployment of the benchmarks' own: configuration files in a temporary directory and a
 * supervisor started on them. */
#ifndef DEPLOYMENT_H
#define DEPLOYMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

struct deployment {
	char directory[64];
	pid_t pid; /* of the supervisor; 0 = not running */
};

/*
 * The files' texts. Standard error goes where ours goes, or to the file "log" in their directory.
 */
struct deployment_options {
	const char *queue_yml;
	const char *jobs_yml;
	const char *recurring_yml; /* NULL = no file */
	bool log;
};

enum status deployment_start(struct deployment *deployment,
			     const struct deployment_options *options,
			     struct error *error) MUST_CHECK;

/* Starts another supervisor after one has ended. */
enum status deployment_restart(struct deployment *deployment, struct error *error) MUST_CHECK;

/* Sends TERM and waits; returns the wait status. */
int deployment_stop(struct deployment *deployment);

/* Removes its directory. */
void deployment_remove(struct deployment *deployment);

/* Its children, at most `most`; returns their count. */
size_t deployment_children(pid_t supervisor, pid_t children[], size_t most);

/* Proportional set size of a process, bytes; 0 when it is gone. */
int64_t deployment_memory_of(pid_t pid);

/* Proportional set size of the supervisor and its children, bytes; *processes counts them. */
int64_t deployment_memory(const struct deployment *deployment, int *processes);

#endif
