-- Of the jobs enqueued now the later ones are scheduled.
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.scheduled_at, :now
FROM JSON_TABLE(@dray_jobs, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
WHERE j.scheduled_at > :now
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id)
