-- blocked_first(key) -> job_id
-- The job that waits first for this key.
-- read
-- rows
SELECT b.job_id FROM solid_queue_blocked_executions b
WHERE b.concurrency_key = :key ORDER BY b.priority, b.job_id LIMIT 1;
