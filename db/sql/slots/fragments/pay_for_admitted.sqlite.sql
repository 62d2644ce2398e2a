-- Takes the slots that were given at this time from the semaphores.
UPDATE solid_queue_semaphores SET value = value - t.count,
	expires_at = {include:after_now t.duration_ms}
FROM (
	SELECT s.concurrency_key AS key, count(*) AS count,
		max(COALESCE(l.duration_ms, 180000)) AS duration_ms
	FROM dray_slots s
	CROSS JOIN solid_queue_blocked_executions b ON b.job_id = s.job_id
	LEFT JOIN dray_classes l ON l.class_name = s.class_name AND l.position = s.position
	WHERE s.concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys))
		AND s.created_at = :now
	GROUP BY s.concurrency_key) t
WHERE solid_queue_semaphores.key = t.key
