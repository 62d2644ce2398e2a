-- cancel_run(claims, failures, keep, now) -> claim_id, job_id, process_id, claimed_at
-- The runs of these claims were stopped because their jobs were cancelled: they are finished, and the
-- history says by whom and why. failures is as for fail. A claim that is gone is not returned.
-- guard
-- rows
{include:lock_claims};
UPDATE {include:named_claims}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
SET j.finished_at = :now, j.updated_at = :now;
{include:forget_attempts {include:run_ends}};
{include:add_attempts 'cancelled'};
DELETE k
FROM {include:named_claims}
STRAIGHT_JOIN dray_cancellations k FORCE INDEX (PRIMARY) ON k.job_id = c.job_id;
{include:drop_claims};
