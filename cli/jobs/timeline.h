/* What is known to have happened to a job, in the order of time. */
#ifndef TIMELINE_H
#define TIMELINE_H

#include <jansson.h>

#include "cli/cli.h"
#include "queue/look/story.h"

/* An array of `at`, `event`, `detail`. */
json_t *timeline_json(struct arena *arena, const struct job *job, const struct story *story);

/* For people: a line each, under a title. Takes the reference. */
void timeline_print(const struct cli *cli, json_t *timeline);

#endif
