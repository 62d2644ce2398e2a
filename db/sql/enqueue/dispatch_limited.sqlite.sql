-- dispatch_limited(jobs, now) ->
-- Moves these jobs, if they are due, from scheduled to blocked, until slots_admit.
INSERT INTO solid_queue_blocked_executions
	(job_id, queue_name, priority, concurrency_key, expires_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.concurrency_key,
	strftime('%Y-%m-%d %H:%M:%f', :now,
		(COALESCE(l.duration_ms, 180000) / 1000.0) || ' seconds'), :now
FROM solid_queue_scheduled_executions s
JOIN solid_queue_jobs j ON j.id = s.job_id
LEFT JOIN dray_limits l ON l.class_name = j.class_name AND l.position = 0
WHERE s.job_id {in:jobs} AND s.scheduled_at <= :now
ORDER BY j.id
ON CONFLICT (job_id) DO NOTHING;
DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs} AND scheduled_at <= :now;
