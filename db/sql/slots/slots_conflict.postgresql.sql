-- slots_conflict(keys, now) -> job_id
-- Does what on_conflict says about jobs that were blocked at this time and still are: deletes
-- the new ones (discard), or the older ones of their key and class (replace). A job that was tried
-- before is neither deleted nor replaces another. The deleted jobs are returned.
-- rows
WITH waiting AS (
	SELECT b.id, b.job_id, b.created_at, l.on_conflict, j.class_name, b.concurrency_key
	FROM (SELECT DISTINCT k.key FROM json_to_recordset(:keys::json)
			AS k(key text, class_name text, position integer)
		JOIN dray_classes l ON l.class_name = k.class_name AND l.position = k.position
		WHERE l.on_conflict <> 'block') x
	CROSS JOIN LATERAL (
		SELECT id, job_id, created_at, concurrency_key FROM solid_queue_blocked_executions
		WHERE concurrency_key = x.key ORDER BY priority, job_id OFFSET 0) b
	{include:job_of b.job_id}
	JOIN dray_classes l ON l.class_name = j.class_name AND l.position = COALESCE((
			SELECT k.position FROM dray_keys k
			WHERE k.job_id = b.job_id AND k.concurrency_key = b.concurrency_key), 0)
)
DELETE FROM solid_queue_jobs WHERE id = ANY (ARRAY(
	SELECT w.job_id FROM waiting w
	WHERE NOT {include:is_retried w.job_id} AND ((w.on_conflict = 'discard' AND w.created_at = :now::timestamp)
		OR (w.on_conflict = 'replace' AND EXISTS (SELECT 1 FROM waiting newer
			WHERE newer.concurrency_key = w.concurrency_key
				AND newer.class_name = w.class_name AND newer.created_at = :now
				AND newer.id > w.id AND NOT {include:is_retried newer.job_id})))
	ORDER BY w.job_id))
RETURNING id;
