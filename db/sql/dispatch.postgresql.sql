-- dispatch(limit, now) -> moved
-- Moves the next due jobs from scheduled to ready, into the queue and priority that the job itself
-- has by now; always one row, their count.
-- rows
WITH due AS (
	DELETE FROM solid_queue_scheduled_executions WHERE id = ANY (ARRAY(
		SELECT id FROM solid_queue_scheduled_executions WHERE scheduled_at <= :now
		ORDER BY scheduled_at, priority, job_id LIMIT :limit {skip_locked}))
	RETURNING job_id
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT j.id, j.queue_name, j.priority, :now
	FROM due CROSS JOIN LATERAL (
		SELECT id, queue_name, priority FROM solid_queue_jobs
		WHERE solid_queue_jobs.id = due.job_id OFFSET 0) j
	ON CONFLICT (job_id) DO NOTHING
)
SELECT count(*) FROM due;
