-- slots_conflict(keys, now) -> job_id
-- Does what on_conflict says about jobs that were blocked at this time and still are: deletes
-- the new ones (discard), or the older ones of their key and class (replace). A job that was tried
-- before is neither deleted nor replaces another. The deleted jobs are returned.

-- @mysql
-- guard
SELECT JSON_ARRAYAGG(d.job_id) INTO @dray_conflicts FROM (
	WITH waiting AS (
		{include:conflicting}
	), newest AS (
		SELECT w.concurrency_key, w.class_name, MAX(w.id) AS id FROM waiting w
		WHERE w.on_conflict = 'replace' AND w.created_at = :now AND NOT {include:was_tried w.job_id}
		GROUP BY w.concurrency_key, w.class_name
	)
	SELECT w.job_id FROM waiting w LEFT JOIN newest
		ON newest.concurrency_key = w.concurrency_key AND newest.class_name = w.class_name
	WHERE NOT {include:was_tried w.job_id} AND ((w.on_conflict = 'discard' AND w.created_at = :now)
		OR (w.on_conflict = 'replace' AND w.id < newest.id))) d
HAVING COUNT(*) > 0;
-- rows
SELECT x.id FROM {include:ids @dray_conflicts} x;
DELETE b
FROM {include:ids @dray_conflicts} x
STRAIGHT_JOIN solid_queue_blocked_executions b
	FORCE INDEX (index_solid_queue_blocked_executions_on_job_id) ON b.job_id = x.id;
DELETE j
FROM {include:ids @dray_conflicts} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id;

-- @postgresql
-- rows
WITH waiting AS MATERIALIZED (
	{include:conflicting}
), newest AS MATERIALIZED (
	SELECT w.concurrency_key, w.class_name, max(w.id) AS id FROM waiting w
	WHERE w.on_conflict = 'replace' AND w.created_at = :now AND NOT {include:was_tried w.job_id}
	GROUP BY w.concurrency_key, w.class_name
)
DELETE FROM solid_queue_jobs WHERE id = ANY (ARRAY(
	SELECT w.job_id FROM waiting w LEFT JOIN newest
		ON newest.concurrency_key = w.concurrency_key AND newest.class_name = w.class_name
	WHERE NOT {include:was_tried w.job_id} AND ((w.on_conflict = 'discard' AND w.created_at = :now::timestamp)
		OR (w.on_conflict = 'replace' AND w.id < newest.id))
	ORDER BY w.job_id))
RETURNING id;

-- @sqlite
-- rows
WITH waiting AS MATERIALIZED (
	{include:conflicting}
), newest AS MATERIALIZED (
	SELECT w.concurrency_key, w.class_name, max(w.id) AS id FROM waiting w
	WHERE w.on_conflict = 'replace' AND w.created_at = :now AND NOT {include:was_tried w.job_id}
	GROUP BY w.concurrency_key, w.class_name
)
DELETE FROM solid_queue_jobs WHERE id IN (
	SELECT w.job_id FROM waiting w LEFT JOIN newest
		ON newest.concurrency_key = w.concurrency_key AND newest.class_name = w.class_name
	WHERE NOT {include:was_tried w.job_id} AND ((w.on_conflict = 'discard' AND w.created_at = :now)
		OR (w.on_conflict = 'replace' AND w.id < newest.id)))
RETURNING id;
