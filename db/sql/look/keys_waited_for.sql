-- keys_waited_for(most, limit) -> name, count, since
-- The keys for which most jobs wait, among the first `most` jobs that wait for a key.
-- read
-- rows
SELECT w.concurrency_key, count(*), min(w.created_at)
FROM (SELECT b.concurrency_key, b.created_at FROM solid_queue_blocked_executions b
	ORDER BY b.id LIMIT :most) w
GROUP BY w.concurrency_key ORDER BY 2 DESC, 1 LIMIT :limit;
