-- The blocked jobs of those of these keys for which on_conflict says more than to block, each with what its
-- own class says.
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
		SELECT n.position FROM dray_keys n
		WHERE n.job_id = b.job_id AND n.concurrency_key = b.concurrency_key), 0)
