-- ahead_blocked(key, priority, id, most) -> jobs
-- Counts the jobs waiting for a key that come before this one, up to `most`.
-- read
-- rows
SELECT count(*) FROM (SELECT b.job_id FROM solid_queue_blocked_executions b
	WHERE b.concurrency_key = :key AND b.priority <= :priority
		AND (b.priority < :priority OR b.job_id < :id)
	ORDER BY b.priority, b.job_id LIMIT :most) a;
