-- jobs_named(jobs) -> job, state, error, since, process_id, losses
-- Those of these jobs that there are.
-- read
-- rows
SELECT j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key,
	j.scheduled_at, j.created_at, j.finished_at,
	CASE WHEN j.finished_at IS NOT NULL THEN 'finished' WHEN r.id IS NOT NULL THEN 'ready'
		WHEN c.id IS NOT NULL THEN 'claimed' WHEN f.id IS NOT NULL THEN 'failed'
		WHEN s.id IS NOT NULL THEN 'scheduled' WHEN b.id IS NOT NULL THEN 'blocked' END,
	f.error, COALESCE(j.finished_at, r.created_at, c.created_at, f.created_at, s.created_at, b.created_at), c.process_id,
	COALESCE(l.losses, 0)
FROM (SELECT DISTINCT x.id FROM JSON_TABLE(:jobs, '$[*]' COLUMNS (id bigint PATH '$')) x) d
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id
LEFT JOIN solid_queue_ready_executions r ON r.job_id = j.id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = j.id
LEFT JOIN solid_queue_failed_executions f ON f.job_id = j.id
LEFT JOIN solid_queue_scheduled_executions s ON s.job_id = j.id
LEFT JOIN solid_queue_blocked_executions b ON b.job_id = j.id
LEFT JOIN dray_losses l ON l.job_id = j.id;
