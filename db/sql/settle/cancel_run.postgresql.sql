-- cancel_run(claims, failures, keep, now) -> claim_id, job_id, process_id, claimed_at
-- The runs of these claims were stopped because their jobs were cancelled: they are finished, and the
-- history says by whom and why. failures is as for fail. A claim that is gone is not returned.
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:add_attempts 'cancelled'}, finished AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM done))
), known AS (
	DELETE FROM dray_cancellations WHERE job_id = ANY (ARRAY(SELECT job_id FROM done))
)
SELECT id, job_id, process_id, created_at FROM done;
