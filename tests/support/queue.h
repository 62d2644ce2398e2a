/* Short forms of the queue's verbs for its tests: they fail the test when the verb fails. */
#ifndef TEST_QUEUE_H
#define TEST_QUEUE_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "queue/claim/settle.h"
#include "queue/enqueue/dispatch.h"
#include "queue/enqueue/enqueue.h"
#include "queue/manage/manage.h"
#include "queue/processes/loss.h"
#include "queue/processes/process.h"
#include "tests/support/database.h"
#include "tests/support/invariant.h"
#include "tests/support/query.h"
#include "tests/support/sites/process.h"

/* Enqueues one job and returns its number. */
int64_t put_job(struct db *db, const struct new_job *job);

/* A job of class "Test" on a queue with a priority. */
int64_t put(struct db *db, const char *queue, int priority);

/* Many jobs like this one. */
void put_copies(struct test_db *test, const struct new_job *job, size_t count);

/* Registers a worker's row. */
int64_t register_worker(struct db *db, const char *name);

/* How long a worker that found nothing naps: the server is for enqueueing meanwhile. */
#define IDLE CLOCK_MILLISECOND

/* Claims up to `limit` jobs from these queues (NULL-terminated); the claims are in the arena. */
struct claim *take(struct test_db *test, int64_t process, const char *const *queues, size_t limit,
		   size_t *count);

/* take for all queues, exactly `expected` jobs. */
struct claim *take_all(struct test_db *test, int64_t process, size_t expected);

/* Settles one outcome; false when the claim was lost. */
bool settle_one(struct db *db, const struct claim *claim, enum outcome_kind kind);

/* Settles them all as finished. */
void finish_claims(struct test_db *test, const struct claim claims[], size_t count);

/* All jobs that are for later have been due for long. */
void make_due(struct test_db *test);

/* One dispatch; how many jobs it moved. */
int64_t dispatch_due(struct test_db *test, int limit);

/* Did anything change? */
bool pause_queue(struct test_db *test, const char *name);
bool resume_queue(struct test_db *test, const char *name);

/* All processes were last heard at this time. */
void set_heartbeats(struct test_db *test, const char *time);

/*
 * The next claim gets this number; 0: the lowest above all that are there, while others may claim.
 */
void set_claims_back(struct test_db *test, int64_t number);

/*
 * What a failover to a server that lacked it leaves of this claim: nothing, its job is ready, and
 * its number is given to the next claim.
 */
void forget_claim(struct test_db *test, const struct claim *claim);

/* The job, which is there; its texts are the arena's. */
struct job find_job(struct test_db *test, int64_t id);

/* The state of a job, JOB_STATES when it does not exist. */
enum job_state state_of(struct test_db *test, int64_t id);

/* The queue's row as `dray queues` has it, in the arena; NULL when there is none. */
struct queue_row *queue_row_of(struct test_db *test, const char *name);

/* Rows of a table of Solid Queue's; "jobs WHERE priority = 7": of these. */
int64_t rows_of(struct test_db *test, const char *table);

/* Rows about occurrences of recurring tasks that were decided on. */
int64_t runs_of(struct test_db *test);

/* Three losses, whatever the class. */
extern const struct loss_policy test_policy;

/* The error JSON of failing tests. */
extern const char test_failure[];

#endif
