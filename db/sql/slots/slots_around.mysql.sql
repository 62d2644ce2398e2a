-- slots_around(keys, limit) -> concurrency_key, class_name, position
-- All keys of those who wait under these keys: of the next `limit` of each.
-- read
-- rows
WITH RECURSIVE next (name, place, id, job_id, priority) AS (
	SELECT k.name, 1, b.id, b.job_id, b.priority
	FROM (SELECT DISTINCT x.name FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$.key')) x) k
	STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = (
		SELECT f.id FROM solid_queue_blocked_executions f
			FORCE INDEX (index_solid_queue_blocked_executions_for_release)
		WHERE f.concurrency_key = k.name
		ORDER BY f.concurrency_key, f.priority, f.job_id LIMIT 1)
	UNION ALL
	SELECT n.name, n.place + 1, b.id, b.job_id, b.priority
	FROM next n
	STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = (
		SELECT f.id FROM solid_queue_blocked_executions f
			FORCE INDEX (index_solid_queue_blocked_executions_for_release)
		WHERE f.concurrency_key = n.name AND f.priority >= n.priority
			AND (f.priority > n.priority OR f.job_id > n.job_id)
		ORDER BY f.concurrency_key, f.priority, f.job_id LIMIT 1)
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
