-- The blocked jobs of those of these keys for which on_conflict says more than to block, each with what its
-- own class says.
SELECT b.id, b.job_id, b.created_at, l.on_conflict, j.class_name, b.concurrency_key
FROM (SELECT DISTINCT k.value ->> 'key' AS key FROM json_each(:keys) k
	CROSS JOIN dray_classes l ON l.class_name = (k.value ->> 'class_name')
		AND l.position = (k.value ->> 'position')
	WHERE l.on_conflict <> 'block') x
CROSS JOIN solid_queue_blocked_executions b ON b.concurrency_key = x.key
CROSS JOIN solid_queue_jobs j ON j.id = b.job_id
CROSS JOIN dray_classes l ON l.class_name = j.class_name AND l.position = COALESCE((
		SELECT n.position FROM dray_keys n
		WHERE n.job_id = b.job_id AND n.concurrency_key = b.concurrency_key), 0)
