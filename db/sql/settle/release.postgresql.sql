-- release(claims, now) -> claim_id, job_id, process_id, claimed_at
-- Gives these claims' jobs back to ready. A claim of a finished job just goes;
-- one that is gone, or whose number stands for another claim now, is not returned.
-- rows
WITH {include:drop_claims}, ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT j.id, j.queue_name, j.priority, :now
	FROM done CROSS JOIN LATERAL (
		SELECT id, queue_name, priority FROM solid_queue_jobs
		WHERE solid_queue_jobs.id = done.job_id AND finished_at IS NULL OFFSET 0) j
	ON CONFLICT (job_id) DO NOTHING
)
SELECT id, job_id, process_id, created_at FROM done;
