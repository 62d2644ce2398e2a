/* The documented JSON of `dray queues` and `dray stats`, for the commands that print it. */
#ifndef SURVEY_JSON_H
#define SURVEY_JSON_H

#include <jansson.h>

#include "queue/look/stats.h"

/*
 * Adds how many jobs there are in each state that is counted. Those that wait for a retry are a
 * state of their own, `retrying`.
 */
void survey_json_states(json_t *row, const int64_t counts[JOB_STATES], int64_t retrying);

json_t *survey_json(const struct survey *survey, const struct survey_queue *entry);

/* The object that `dray stats` prints. */
json_t *stats_json(const struct stats *stats);

/* "paused", "unserved" or "active". */
const char *survey_status(const struct survey_queue *queue);

#endif
