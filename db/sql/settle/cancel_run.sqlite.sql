-- cancel_run(claims, failures, keep, now) -> claim_id, job_id, process_id, claimed_at
-- The runs of these claims were stopped because their jobs were cancelled: they are finished, and the
-- history says by whom and why. failures is as for fail. A claim that is gone is not returned.
UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now WHERE id IN (
	SELECT c.job_id FROM solid_queue_claimed_executions c
	WHERE {include:claim_is_named});
{include:forget_attempts {include:run_ends}};
{include:add_attempts 'cancelled'};
DELETE FROM dray_cancellations WHERE job_id IN (
	SELECT c.job_id FROM solid_queue_claimed_executions c
	WHERE {include:claim_is_named});
-- rows
{include:drop_claims}
RETURNING id, job_id, process_id, created_at;
