-- Of the jobs enqueued now the later ones are scheduled.
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT id, queue_name, priority, scheduled_at, :now FROM solid_queue_jobs
WHERE id > (SELECT max(id) FROM solid_queue_jobs) - json_array_length(:jobs)
	AND scheduled_at > :now
ORDER BY id
