/* What jobs.yml says about the classes that are enqueued. */
#ifndef CLASSES_H
#define CLASSES_H

#include "cli/cli.h"
#include "queue/enqueue.h"

/* Fills in the queue and the priority that the job does not have itself. */
void classes_default(const struct config *config, struct new_job *job);

/* Warns when the class is not declared, naming the nearest that is. Returns whether it is. */
bool classes_warn(const struct cli *cli, const char *class_name);

#endif
