-- slots_around(keys, limit) -> concurrency_key, class_name, position
-- Lists all keys of the jobs that wait under these keys: of the next `limit` of each.
-- read
-- rows
WITH waiting AS MATERIALIZED (
	SELECT j.id, j.class_name, j.concurrency_key
	FROM (SELECT DISTINCT value ->> 'key' AS key FROM json_each(:keys)) x
	CROSS JOIN solid_queue_jobs j ON j.id IN (
		SELECT b.job_id FROM solid_queue_blocked_executions b
		WHERE b.concurrency_key = x.key ORDER BY b.priority, b.job_id LIMIT :limit)
)
SELECT concurrency_key, class_name, 0 FROM waiting
UNION
SELECT k.concurrency_key, w.class_name, k.position
FROM waiting w CROSS JOIN dray_keys k ON k.job_id = w.id;
