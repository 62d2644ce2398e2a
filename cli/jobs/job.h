/* A job for people, in the form that every command prints. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include <jansson.h>

#include "cli/cli.h"
#include "queue/look/job.h"

/* Its object for people: what was cancelled or discarded is in that state, and not just finished.
 */
void job_for_people(json_t *row);

/* For lists, of a job and its object: what its error says in one line, or else its arguments. */
json_t *job_brief(struct arena *arena, const struct job *job, const json_t *row);

/* An error (object) for people, with its lines below it; nothing when it is null. */
void error_print(const struct cli *cli, const json_t *error);

#endif
