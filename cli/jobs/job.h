/* A job as JSON, in the form that every command prints. */
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include <jansson.h>

#include "cli/cli.h"
#include "queue/look/job.h"

/*
 * id, class, queue, priority, state ("lost" when it is in no table), outcome, active_job_id,
 * concurrency_key, arguments (array), created_at, scheduled_at, finished_at, since, process_id,
 * error (object). What does not apply is null.
 */
json_t *job_json(const struct job *job);

/* Its object for people: what was cancelled or discarded is in that state, and not just finished.
 */
void job_for_people(json_t *row);

/* For lists, of a job and its object: what its error says in one line, or else its arguments. */
json_t *job_brief(struct arena *arena, const struct job *job, const json_t *row);

/* An error (object) for people, with its lines below it; nothing when it is null. */
void error_print(const struct cli *cli, const json_t *error);

#endif
