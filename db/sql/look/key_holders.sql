-- key_holders(key, limit) -> job_id, class_name, since, claimed_at, name, pid, hostname
-- The jobs that hold a slot of this key, the longest holder first. One without a claim is ready
-- and will run soon. One that does not exist any more holds nothing: healing finds its slot.
-- read
-- rows
SELECT h.job_id, h.class_name, h.created_at, c.created_at, p.name, p.pid, p.hostname
FROM (SELECT s.job_id, s.class_name, s.created_at FROM dray_slots s
	WHERE s.concurrency_key = :key ORDER BY s.created_at, s.job_id LIMIT :limit) h
JOIN solid_queue_jobs j ON j.id = h.job_id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = h.job_id
LEFT JOIN solid_queue_processes p ON p.id = c.process_id
ORDER BY h.created_at, h.job_id;
