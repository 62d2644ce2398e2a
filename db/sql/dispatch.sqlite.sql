-- dispatch(limit, now) -> moved
-- Moves the next due jobs from scheduled to ready, into the queue and priority that the job itself
-- has by now; always one row, their count.
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM (SELECT job_id FROM solid_queue_scheduled_executions WHERE scheduled_at <= :now
	ORDER BY scheduled_at, priority, job_id LIMIT :limit) due
CROSS JOIN solid_queue_jobs j ON j.id = due.job_id
WHERE true
ON CONFLICT (job_id) DO NOTHING;
DELETE FROM solid_queue_scheduled_executions WHERE id IN (
	SELECT id FROM solid_queue_scheduled_executions WHERE scheduled_at <= :now
	ORDER BY scheduled_at, priority, job_id LIMIT :limit);
-- rows
SELECT changes();
