/* What jobs.yml says about the classes that are enqueued. */
#ifndef CLASSES_H
#define CLASSES_H

#include "cli/cli.h"
#include "queue/enqueue/enqueue.h"

/* Fills in the queue and the priority that the job does not have itself. */
void classes_default(const struct config *config, struct new_job *job);

/* The concurrency key of the class's limit, unless the job has one. INVALID: it cannot be made. */
enum status classes_key(struct arena *arena, const struct config *config, struct new_job *job,
			struct error *error) MUST_CHECK;

/* Warns when the class is not declared, naming the nearest that is. Returns whether it is. */
bool classes_warn(const struct cli *cli, const char *class_name);

/* Warns when the class is a command whose template wants arguments that the job does not have. */
void classes_warn_of_arguments(const struct cli *cli, const struct new_job *job);

#endif
