-- slots_around(keys, limit) -> slot_key
-- Lists all keys of the jobs that wait under these keys: of the next `limit` of each.
-- read

-- @mysql
-- rows
WITH RECURSIVE next (name, place, id, job_id, priority) AS (
	SELECT k.name, 1, b.id, b.job_id, b.priority
	FROM {include:distinct_keys :keys} k
	{include:first_blocked k.name}
	UNION ALL
	SELECT n.name, n.place + 1, b.id, b.job_id, b.priority
	FROM next n
	{include:next_blocked}
	WHERE n.place < :limit
), needed (name, class_name, position) AS (
	SELECT j.concurrency_key, j.class_name, 0
	FROM next STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = next.job_id
	UNION
	SELECT k.concurrency_key, j.class_name, k.position
	FROM next STRAIGHT_JOIN dray_keys k FORCE INDEX (PRIMARY) ON k.job_id = next.job_id
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = next.job_id
)
SELECT needed.name, needed.class_name, needed.position FROM needed;

-- @postgresql
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

-- @sqlite
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
