/*
 * policy/: what the configuration means to the queue. config knows how a file says something, queue
 * knows what happens in the database, and this folder translates the one into the other. Every
 * process and every command that acts on a job by its configuration asks here, so that all of them
 * act alike. The functions are named policy_SUBJECT, a file a subject; what a class says of its
 * jobs arrives in the queue by this way and no other.
 */
#ifndef POLICY_H
#define POLICY_H

#include "common/text/text.h"
#include "config/config.h"
#include "queue/enqueue/enqueue.h"
#include "queue/limits/limits.h"
#include "queue/processes/loss.h"

/* losses: jobs whose process has died */

/* How many losses a job survives; its texts are written into `classes`, which must outlive it. */
struct loss_policy policy_losses(const struct config *config, struct text *classes);

/* After how long without heartbeats a process is presumed dead; the one with the id `self` never.
 */
struct prune policy_silence(const struct config *config, int64_t self);

/* limits: what classes declare about concurrency */

/*
 * Writes the limits of all declared classes into the database, for every other program. Without
 * declared classes nothing is known, and nothing is written.
 */
enum status policy_publish_limits(struct db *db, const struct config *config,
				  struct error *error) MUST_CHECK;

/*
 * For programs that only enqueue jobs of this class (NULL = of any): writes its limits unless the
 * database has some of the class already. Without limits the database is not asked.
 */
enum status policy_introduce_limits(struct db *db, const struct config *config,
				    const char *class_name, struct error *error) MUST_CHECK;

/* The keys of the job by the limits of its class, unless it has one. INVALID: none can be made. */
enum status policy_keys(struct arena *arena, const struct config *config, struct new_job *job,
			struct error *error) MUST_CHECK;

/* defaults: what a class says for jobs that do not say it themselves */

/* Fills in the queue and the priority of the job's class. */
void policy_defaults(const struct config *config, struct new_job *job);

#endif
