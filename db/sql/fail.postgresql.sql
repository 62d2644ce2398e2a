-- fail(claims, failures, now) -> claim_id
-- Moves these claims' jobs to failed with their errors (failures: [{"claim_id", "error"}]). A claim
-- that is gone was given to somebody else: nothing is done for it and it is not returned.
-- rows
WITH done AS (
	DELETE FROM solid_queue_claimed_executions WHERE id = ANY (:claims::bigint[])
	RETURNING id, job_id
), failed AS (
	INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
	SELECT done.job_id, x.error, :now
	FROM done JOIN json_to_recordset(:failures::json) AS x(claim_id bigint, error text)
		ON x.claim_id = done.id
	ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
)
SELECT id FROM done;
