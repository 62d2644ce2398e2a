/*
 * policy/: what the configuration means to the queue. config/ reads the files, queue/ works in the
 * database, and this folder translates one into the other. Every process and every command that
 * treats a job by its configuration asks here, so that all of them treat it alike. Functions are
 * named policy_SUBJECT.
 */
#ifndef POLICY_H
#define POLICY_H

#include "common/text/text.h"
#include "config/config.h"
#include "queue/enqueue/enqueue.h"
#include "queue/limits/limits.h"
#include "queue/processes/loss.h"

/* losses: jobs whose process died */

/* How many losses a job survives. The result borrows the configuration's texts. */
struct loss_policy policy_losses(const struct config *config);

/*
 * After how long without a heartbeat a process is presumed dead; the process with the id `self`
 * never is.
 */
struct prune policy_silence(const struct config *config, int64_t self);

/* classes: what classes declare */

/*
 * Writes what all classes declare to the database, where every other program finds it. Writes
 * nothing if no class is declared.
 */
enum status policy_publish_classes(struct db *db, const struct config *config,
				   struct error *error) MUST_CHECK;

/*
 * For programs that only enqueue jobs of this class (NULL = of any): writes what a limited class
 * declares unless the database already has something of it. Does not ask the database if no class
 * is limited.
 */
enum status policy_introduce_classes(struct db *db, const struct config *config,
				     const char *class_name, struct error *error) MUST_CHECK;

/*
 * Fills in the job's keys by the limits of its class, unless it has a key. `read` are its arguments
 * if they have been read, else NULL. INVALID if no key can be made.
 */
enum status policy_keys(struct arena *arena, const struct config *config, struct new_job *job,
			const struct payload *read, struct error *error) MUST_CHECK;

/* retry: what becomes of a job that failed */

/* How a run failed. */
struct run_failure {
	const char *error_class;
	int exit_status;               /* of its program; -1 = it did not exit */
	bool signalled;                /* a signal ended its process */
	int executions;                /* of the job before this one */
	const struct config_end *said; /* what it said of that itself; NULL = nothing */
	bool lost;                     /* nothing else is known: its process was lost too often */
};

enum retry_verdict { VERDICT_FAIL, VERDICT_RETRY, VERDICT_DISCARD, VERDICT_SNOOZE };

enum retry_verdict policy_judge(const struct config_retry *retry,
				const struct run_failure *failure);

/* What the class says of this exit status of its command; NULL = nothing. */
const struct config_end *policy_exit(const struct config_class *class, int exit_status);

/* Is it one that is not retried although the class has `retry`, because nothing says otherwise? */
bool policy_is_final(const struct config_class *class, int exit_status);

/*
 * The pause after so many executions, this one included, in microseconds. `chance` is in [0, 1).
 * For polynomially_longer and a fixed wait it is what Active Job makes of the same random number.
 */
int64_t policy_wait(const struct config_retry *retry, int64_t executions, double chance);

/* A random number in [0, 1). */
double policy_chance(void);

/* The name that Active Job gives to a rule with these errors, for payload_count_execution. */
const char *policy_retry_rule(struct arena *arena, const struct config_retry *retry);

/*
 * What a class declares of losses that end its jobs, as text for dray_classes; NULL = nothing: they
 * fail. policy_lost_end reads it again, for struct loss_policy.
 */
const char *policy_lost_declared(struct arena *arena, const struct config_retry *retry);
struct loss_end policy_lost_end(struct arena *arena, const char *declared, int executions);

/* defaults: settings of a class that a job may omit */

/* Fills in the queue and the priority of the job's class, unless the job has its own. */
void policy_defaults(const struct config *config, struct new_job *job);

#endif
