/* The class of a job: what jobs.yml says of it. */
#ifndef CLASSES_H
#define CLASSES_H

#include "cli/cli.h"
#include "queue/enqueue/enqueue.h"
#include "queue/payload/payload.h"

/* Warns when the class is not declared, naming the nearest that is. */
void classes_warn(const struct cli *cli, const char *class_name);

/* Warns when the class is a command whose template wants arguments that the job does not have. */
void classes_warn_of_arguments(const struct cli *cli, const char *class_name,
			       const struct payload *read);

#endif
