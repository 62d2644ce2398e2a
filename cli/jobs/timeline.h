/* What the tables still know about a job's past, oldest first. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include <jansson.h>

#include "cli/cli.h"
#include "queue/look/job_details.h"

/* An array of `at`, `event`, `detail`. */
json_t *timeline_json(struct arena *arena, const struct job *job,
		      const struct job_details *details);

/* Prints one line for each event, under a title. Takes the reference. */
void timeline_print(const struct cli *cli, json_t *timeline);

#endif
