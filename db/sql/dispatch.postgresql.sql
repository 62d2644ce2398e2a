-- dispatch(limit, now) -> moved
-- Moves the next due jobs from scheduled to ready; always one row, their count.
-- rows
WITH due AS (
	DELETE FROM solid_queue_scheduled_executions WHERE id = ANY (ARRAY(
		SELECT id FROM solid_queue_scheduled_executions WHERE scheduled_at <= :now
		ORDER BY scheduled_at, priority, job_id LIMIT :limit {skip_locked}))
	RETURNING job_id, queue_name, priority
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT job_id, queue_name, priority, :now FROM due
	ON CONFLICT (job_id) DO NOTHING
)
SELECT count(*) FROM due;
