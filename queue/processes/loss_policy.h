/* Private to queue/: by whose rule the jobs of the dead are lost. */
#ifndef LOSS_POLICY_H
#define LOSS_POLICY_H

#include "queue/processes/loss.h"

/*
 * For what a process of other software was running: under that software's rule the first loss fails
 * a job, whatever its class.
 */
struct loss_policy loss_policy_foreign(const struct loss_policy *policy);

/*
 * For claims without a process. Who made them nobody knows; where there is other software, a class
 * of ours speaks for us.
 */
enum status loss_policy_orphans(struct db *db, const struct loss_policy *policy,
				struct loss_policy *own, struct error *error) MUST_CHECK;

#endif
