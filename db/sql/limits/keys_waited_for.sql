-- keys_waited_for(most, limit) -> concurrency_key, waiting, since
-- Of the first `most` jobs that wait for a key: the keys with the most of them.
-- read
-- rows
SELECT w.concurrency_key, count(*), min(w.created_at)
FROM (SELECT b.concurrency_key, b.created_at FROM solid_queue_blocked_executions b
	ORDER BY b.id LIMIT :most) w
GROUP BY w.concurrency_key ORDER BY 2 DESC, 1 LIMIT :limit;
