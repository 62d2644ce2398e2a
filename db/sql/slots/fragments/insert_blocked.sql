-- Makes the jobs j blocked, until slots_admit gives them their slots; the script says which
-- these are, and joins first_limit as l.
INSERT INTO solid_queue_blocked_executions
	(job_id, queue_name, priority, concurrency_key, expires_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.concurrency_key,
	{include:after_now COALESCE(l.duration_ms, 180000)}, :now
