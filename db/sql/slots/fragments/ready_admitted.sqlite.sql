-- Who got a slot at this instant is ready.
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM dray_slots s
CROSS JOIN solid_queue_blocked_executions b ON b.job_id = s.job_id
CROSS JOIN solid_queue_jobs j ON j.id = s.job_id
WHERE s.concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys))
		AND s.created_at = :now
ON CONFLICT (job_id) DO NOTHING
