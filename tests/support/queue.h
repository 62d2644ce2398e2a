/* Short forms of the queue's verbs for its tests: they fail the test when the verb fails. */
#ifndef TEST_QUEUE_H
#define TEST_QUEUE_H

#include <inttypes.h>

#include "queue/classes/classes.h"
#include "queue/enqueue/enqueue.h"
#include "queue/manage/manage.h"
#include "queue/processes/loss.h"
#include "queue/processes/process.h"
#include "queue/settle/settle.h"
#include "tests/support/database.h"
#include "tests/support/invariant.h"
#include "tests/support/sites/process.h"

/* What a process of many has of its own: a connection to the test's database, and an arena. */
struct test_db own_open(const struct test_db *test);
void own_close(struct test_db *own);

/* Enqueues one job and returns its number. */
int64_t put_job(struct db *db, const struct new_job *job);

/* A job of class "Test" on a queue with a priority. */
int64_t put(struct db *db, const char *queue, int priority);

/* One of a class that is due in an hour; on the default queue if `queue` is NULL. */
int64_t put_for_later(struct db *db, const char *class_name, const char *queue);

/* A text of so many of one character. */
char *repeat(struct arena *arena, char what, size_t times);

/*
 * How many jobs of so many bytes are more than this server takes in one packet: at most what is
 * more than 16 MB, which is MariaDB's default, and as many for a server that takes any.
 */
size_t more_than_a_packet(const struct test_db *test, size_t bytes);

/* Many jobs like this one. */
void put_copies(struct test_db *test, const struct new_job *job, size_t count);

/* Registers a worker's row. */
int64_t register_worker(struct db *db, const char *name);

/* Any process's. */
int64_t register_process(struct db *db, const char *kind, const char *name, const char *metadata);

/* What workers of ours say of themselves, which stop cancelled runs; registers one. */
#define TEST_OURS "{\"cancels\":true,\"software\":\"dray 1\"}"
int64_t register_ours(struct test_db *test, const char *name);

/* How long a worker that found nothing naps: the server is for enqueueing meanwhile. */
#define IDLE CLOCK_MILLISECOND

/* Claims up to `limit` jobs from these queues (NULL-terminated); the claims are in the arena. */
struct claim *take(struct test_db *test, int64_t process, const char *const *queues, size_t limit,
		   size_t *count);

/* take for all queues: up to `limit` jobs, or exactly `expected` jobs. */
struct claim *take_some(struct test_db *test, int64_t process, size_t limit, size_t *count);
struct claim *take_all(struct test_db *test, int64_t process, size_t expected);

/* Settles one outcome; false when the claim was lost. */
bool settle_one(struct db *db, const struct claim *claim, enum outcome_kind kind);

/* Settles without claiming; these outcomes are of claims of one process. */
void settle_only(struct test_db *test, struct settle_request *request);
void settle_outcomes(struct test_db *test, struct outcome outcomes[], size_t count, bool preserve);

/* Settles them all as finished; claims so many first. */
void finish_claims(struct test_db *test, const struct claim claims[], size_t count);
void finish_jobs(struct test_db *test, int64_t process, size_t count);

/* Discards what is ready in this queue, retries what has failed; NULL: in all. How many. */
int64_t discard_ready(struct test_db *test, const char *queue);
int64_t retry_failed(struct test_db *test, const char *queue);

/* Clears up to `limit` jobs of this class (NULL: all) that finished before then; how many. */
int64_t clear_finished(struct test_db *test, int64_t before, const char *class_name, int limit);

/* The history of a job gets a run that ended so: "retried", "failed". */
void put_attempt(struct test_db *test, int64_t id, const char *outcome);

/* All jobs that are for later have been due for long. */
void make_due(struct test_db *test);

/* One dispatch; how many jobs it moved. */
int64_t dispatch_due(struct test_db *test, int limit);

/* How many pauses were ended that were over; when the next one will be. */
size_t sweep_pauses(struct test_db *test, int64_t *next);

/* Did anything change? */
bool pause_queue(struct test_db *test, const char *name);
bool resume_queue(struct test_db *test, const char *name);

/* One process died, those that are silent, those whose rows are gone: what became of their jobs. */
/* A class whose jobs survive so many losses. */
void declare_losses(struct db *db, const char *class_name, int64_t max_losses);

struct loss_result bury(struct test_db *test, const char *name, const struct loss_policy *policy);
struct loss_result prune_dead(struct test_db *test, const struct prune *prune,
			      const struct loss_policy *policy);
struct loss_result lose_orphans(struct test_db *test, const struct loss_policy *policy);

/* All processes were last heard at this time. */
void set_heartbeats(struct test_db *test, const char *time);

/* The process of this name was last heard so long ago. */
void fall_silent(struct test_db *test, const char *name, int64_t ago);

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

/* Jobs and their states: assert_states(test, one, JOB_READY, other, JOB_FAILED). */
#define assert_states(test, ...)                                                                   \
	test_assert_states((test), (const int64_t[]){ __VA_ARGS__ },                               \
			   sizeof((const int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t), __FILE__,   \
			   __LINE__)
void test_assert_states(struct test_db *test, const int64_t list[], size_t count, const char *file,
			int line);

/* The queue's row as `dray queues` has it, in the arena; NULL when there is none. */
struct queue_row *queue_row_of(struct test_db *test, const char *name);

/* Rows of a table of Solid Queue's; "jobs WHERE priority = 7": of these. */
int64_t rows_of(struct test_db *test, const char *table);

/* Rows about occurrences of recurring tasks that were decided on. */
int64_t runs_of(struct test_db *test);

/* Three losses, whatever the class; and none. */
extern const struct loss_policy test_policy, fail_all;

/* Half a minute of silence is death, five minutes of those of other software. */
extern const struct prune test_patience;

/* The error is Solid Queue's JSON for SolidQueue::Processes::NAME, key by key in its order. */
void assert_lost(struct test_db *test, int64_t id, const char *name, const char *message);

/* The error JSON of failing tests. */
extern const char test_failure[];

#endif
