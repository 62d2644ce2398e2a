-- key_runners(key, limit) -> job_id, class_name, since, claimed_at, name, pid, hostname
-- The jobs that run with this key and have no slot of ours, because Solid Queue let them in. It
-- looks at all running jobs, which are as many as workers have threads.
-- read
-- rows
SELECT j.id, j.class_name, c.created_at, c.created_at, p.name, p.pid, p.hostname
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id
LEFT JOIN solid_queue_processes p ON p.id = c.process_id
WHERE j.concurrency_key = :key
	AND NOT EXISTS (SELECT 1 FROM dray_slots s
		WHERE s.concurrency_key = :key AND s.job_id = c.job_id)
ORDER BY c.id LIMIT :limit;
