-- slots_around(keys, limit) -> concurrency_key, class_name, position
-- Lists all keys of the jobs that wait under these keys: of the next `limit` of each.
-- read
-- rows
SELECT DISTINCT n.key, n.class_name, n.position
FROM (SELECT DISTINCT k.key FROM json_to_recordset(:keys::json) AS k(key text)) x
CROSS JOIN LATERAL (
	SELECT job_id FROM solid_queue_blocked_executions
	WHERE concurrency_key = x.key ORDER BY priority, job_id LIMIT :limit) b
CROSS JOIN LATERAL (
	SELECT j.concurrency_key AS key, j.class_name, 0 AS position
	FROM solid_queue_jobs j WHERE j.id = b.job_id
	UNION ALL
	SELECT k.concurrency_key, j.class_name, k.position FROM dray_keys k
	JOIN solid_queue_jobs j ON j.id = k.job_id
	WHERE k.job_id = b.job_id OFFSET 0) n;
