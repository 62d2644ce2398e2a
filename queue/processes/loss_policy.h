/* Private to queue/: which rule applies to the jobs of dead processes. */
#ifndef LOSS_POLICY_H
#define LOSS_POLICY_H

#include "queue/processes/loss.h"

/*
 * For jobs that a process of other software was running: as in that software the first loss fails a
 * job, whatever its class.
 */
struct loss_policy loss_policy_foreign(const struct loss_policy *policy);

/*
 * For claims without a process. Nothing says which software made them; where there is other
 * software, a class of dray's makes a claim dray's.
 */
enum status loss_policy_orphans(struct db *db, const struct loss_policy *policy,
				struct loss_policy *own, struct error *error) MUST_CHECK;

/* After how long without a heartbeat a process with this metadata is dead. */
int64_t process_threshold(const struct prune *prune, const char *metadata);

#endif
