-- fail(claims, failures, now) -> claim_id, job_id, process_id, claimed_at
-- Moves these claims' jobs to failed, each with its error; failures: those of claims, each with
-- its error. A claim that is gone was given to another process, also when its number stands for
-- another claim now: nothing is done for it, and it is not returned.
-- rows
WITH {include:drop_claims}, failed AS (
	INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
	SELECT done.job_id, x.error, :now
	FROM done JOIN json_to_recordset(:failures::json) AS x(
			id bigint, job_id bigint, process_id bigint, created_at timestamp, error text)
		ON x.id = done.id AND x.job_id = done.job_id AND x.created_at = done.created_at
			AND x.process_id = COALESCE(done.process_id, 0)
	ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
)
SELECT id, job_id, process_id, created_at FROM done;
