/* The end of a run as the scripts of settle get it. */
#ifndef RUN_END_H
#define RUN_END_H

#include "queue/settle/outcomes.h"

/* For the history, and where the job runs again what it needs for that: an object of JSON. */
void run_end_add(struct db *db, struct text *json, const struct outcome *outcome);

#endif
