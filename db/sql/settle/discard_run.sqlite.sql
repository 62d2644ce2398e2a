-- discard_run(claims, failures, keep, now) -> claim_id, job_id, process_id, claimed_at
-- The runs of these claims failed in a way that ends their jobs: they are finished, and the history
-- says why. failures is as for fail. A claim that is gone is not returned.
UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now WHERE id IN (
	SELECT c.job_id FROM solid_queue_claimed_executions c
	WHERE {include:claim_is_named});
{include:forget_attempts {include:run_ends}};
{include:add_attempts 'discarded'};
-- rows
{include:drop_claims}
RETURNING id, job_id, process_id, created_at;
