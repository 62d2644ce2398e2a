/* Queues at a glance and the whole in figures as documented JSON, for those who print them. */
#ifndef SURVEY_JSON_H
#define SURVEY_JSON_H

#include <jansson.h>

#include "queue/look/stats.h"

json_t *survey_json(const struct survey *survey, const struct survey_queue *entry);

/* As `dray stats` prints it. */
json_t *stats_json(const struct stats *stats);

/* "paused", "unserved" or "active". */
const char *survey_status(const struct survey_queue *queue);

#endif
