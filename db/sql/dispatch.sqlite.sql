-- dispatch(limit, now) -> moved
-- Moves the next due jobs from scheduled to ready; always one row, their count.
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT job_id, queue_name, priority, :now FROM solid_queue_scheduled_executions
WHERE scheduled_at <= :now
ORDER BY scheduled_at, priority, job_id LIMIT :limit
ON CONFLICT (job_id) DO NOTHING;
DELETE FROM solid_queue_scheduled_executions WHERE id IN (
	SELECT id FROM solid_queue_scheduled_executions WHERE scheduled_at <= :now
	ORDER BY scheduled_at, priority, job_id LIMIT :limit);
-- rows
SELECT changes();
