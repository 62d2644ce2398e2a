-- slots_around(keys, limit) -> concurrency_key, class_name, position
-- Lists all keys of the jobs that wait under these keys: of the next `limit` of each.
-- read
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
