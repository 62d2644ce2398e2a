/* Recurring tasks for tests: short forms that fail the test when the verb fails. */
#ifndef TEST_RECURRING_H
#define TEST_RECURRING_H

#include "queue/recurring/task.h"
#include "tests/support/queue.h"

#define OCCURRENCE (INT64_C(1795251600) * CLOCK_SECOND) /* 2026-11-21 09:00 */

/* Who changes tasks here: "me" on "here", "why not". */
extern const struct pause_note test_note;

/* A task of class "Test" and queue "a". */
struct recurring_task task_of(const char *key, const char *schedule);

/* Adds it at run time, in Madrid's time, without overlaps and with some jitter. */
void add_task(struct test_db *test, const char *key, const char *schedule);

/* Publishes it as the only one of config/recurring.yml, every hour. */
void publish_task(struct test_db *test, const char *key);

struct recurring_row find_task(struct test_db *test, const char *key);

/* What comes of an occurrence of a task that was added, by a scheduler that knows it `since`. */
struct enqueued fire_task(struct test_db *test, const char *key, int64_t at, int64_t since);

#endif
