-- finish(claims, now) -> claim_id
-- Marks the jobs of these claims finished and drops the claims. A claim that is gone was given to
-- somebody else: nothing is done for it and it is not returned.
-- rows
WITH done AS (
	DELETE FROM solid_queue_claimed_executions WHERE id = ANY (:claims::bigint[])
	RETURNING id, job_id
), finished AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM done))
)
SELECT id FROM done;
