/*
 * A history that the database itself keeps, by triggers on solid_queue_jobs: one row for each time
 * a job has finished (or was deleted unfinished), in the table fault_history. What is rolled back
 * leaves no trace in it.
 */
#ifndef FAULT_HISTORY_H
#define FAULT_HISTORY_H

#include "tests/support/database.h"

void history_install(struct test_db *test);

/* How many jobs have finished more than once. */
int64_t history_doubled(struct test_db *test);

#endif
