/* A dray deployment of the benchmark's own: configuration files in a temporary directory and a
 * supervisor started on them. */
#ifndef DEPLOYMENT_H
#define DEPLOYMENT_H

#include <stdint.h>
#include <sys/types.h>

#include "common/error.h"

struct deployment {
	char directory[64];
	pid_t pid; /* of the supervisor; 0 = not running */
};

struct deployment_options {
	const char *url;
	const char *isolation; /* of the job class */
	int threads;
	int processes;
};

enum status deployment_start(struct deployment *deployment,
			     const struct deployment_options *options,
			     struct error *error) MUST_CHECK;

/* TERM, wait, remove the directory. */
void deployment_stop(struct deployment *deployment);

/* Proportional set size of the supervisor and its children, bytes; *processes counts them. */
int64_t deployment_memory(const struct deployment *deployment, int *processes);

#endif
