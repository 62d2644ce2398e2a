-- finish(claims, now) -> claim_id, job_id, process_id, claimed_at
-- Marks the jobs of these claims finished and drops the claims. claims: [{"id",
-- "job_id", "process_id", "created_at"}]. One that is gone was given to somebody else, also when its
-- number stands for another claim now: nothing is done for it and it is not returned.
-- rows
WITH named AS MATERIALIZED (
	SELECT x.* FROM json_to_recordset(:claims::json) AS x(
		id bigint, job_id bigint, process_id bigint, created_at timestamp)
), done AS (
	DELETE FROM solid_queue_claimed_executions c WHERE c.id = ANY (ARRAY(SELECT id FROM named))
		AND CASE WHEN (c.id, c.job_id, COALESCE(c.process_id, 0), c.created_at)
			IN (SELECT id, job_id, process_id, created_at FROM named)
			THEN true ELSE false END
	RETURNING id, job_id, process_id, created_at
), finished AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM done))
)
SELECT id, job_id, process_id, created_at FROM done;
