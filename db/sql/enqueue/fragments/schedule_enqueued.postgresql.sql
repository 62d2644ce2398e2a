-- Makes those of the jobs enqueued now that are due later scheduled.
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT id, queue_name, priority, scheduled_at, :now FROM job WHERE scheduled_at > :now
