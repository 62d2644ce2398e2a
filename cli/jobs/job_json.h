/* A job as JSON: the one shape in which every command prints it. */
#ifndef JOB_JSON_H
#define JOB_JSON_H

#include <jansson.h>

#include "queue/look/job.h"

/*
 * id, class, queue, priority, state ("lost" when it is in no table), active_job_id,
 * concurrency_key, arguments (array), created_at, scheduled_at, finished_at, since, process_id,
 * error (object). What does not apply is null.
 */
json_t *job_json(const struct job *job);

/* "class: message" of a job's error, or NULL where it cannot be read. */
const char *job_error(struct arena *arena, const char *error);

/* What fits on a line about job_json's object: the error if it has one, else the arguments. */
json_t *job_brief(const json_t *job);

#endif
