-- finish_and_delete(claims) -> claim_id
-- finish for preserve_finished_jobs: false: the jobs' rows go, and the claims with them.
-- rows
WITH done AS (
	DELETE FROM solid_queue_claimed_executions WHERE id = ANY (:claims::bigint[])
	RETURNING id, job_id
), finished AS (
	DELETE FROM solid_queue_jobs WHERE id = ANY (ARRAY(SELECT job_id FROM done))
)
SELECT id FROM done;
