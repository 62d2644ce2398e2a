-- run_now(jobs, now, audit) -> job_id
-- Scheduled jobs are due now: they go to ready, or to blocked when they are limited, until
-- slots_admit. `audit` is the line of the audit trail that counts them.
UPDATE solid_queue_jobs SET scheduled_at = :now, updated_at = :now
WHERE id IN (SELECT job_id FROM solid_queue_scheduled_executions WHERE job_id {in:jobs});
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM solid_queue_scheduled_executions s
CROSS JOIN solid_queue_jobs j ON j.id = s.job_id
WHERE s.job_id {in:jobs} AND j.concurrency_key IS NULL
ON CONFLICT (job_id) DO NOTHING;
INSERT INTO solid_queue_blocked_executions
	(job_id, queue_name, priority, concurrency_key, expires_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.concurrency_key,
	strftime('%Y-%m-%d %H:%M:%f', :now,
		(COALESCE(l.duration_ms, 180000) / 1000.0) || ' seconds'), :now
FROM solid_queue_scheduled_executions s
CROSS JOIN solid_queue_jobs j ON j.id = s.job_id
LEFT JOIN dray_limits l ON l.class_name = j.class_name AND l.position = 0
WHERE s.job_id {in:jobs} AND j.concurrency_key IS NOT NULL
ORDER BY j.id
ON CONFLICT (job_id) DO NOTHING;
-- rows
DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs} RETURNING job_id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
