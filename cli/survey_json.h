/* A queue at a glance as documented JSON, for `dray queues`, `dray stats` and `dray top`. */
#ifndef SURVEY_JSON_H
#define SURVEY_JSON_H

#include <jansson.h>

#include "queue/survey.h"

json_t *survey_json(const struct survey *survey, const struct survey_queue *entry);

/* "paused", "unserved" or "active". */
const char *survey_status(const struct survey_queue *queue);

#endif
