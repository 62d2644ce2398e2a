-- discard_run(claims, failures, keep, now) -> claim_id, job_id, process_id, claimed_at
-- The runs of these claims failed in a way that ends their jobs: they are finished, and the history
-- says why. failures is as for fail. A claim that is gone is not returned.
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:add_attempts 'discarded'}, finished AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM done))
)
SELECT id, job_id, process_id, created_at FROM done;
