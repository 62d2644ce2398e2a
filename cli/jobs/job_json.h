/* A job as JSON, in the form that every command prints. */
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

/* "class: message" of a job's error, or NULL if it cannot be read. */
const char *job_error(struct arena *arena, const char *error);

/* A short text about job_json's object: the error if there is one, otherwise the arguments. */
json_t *job_brief(const json_t *job);

#endif
