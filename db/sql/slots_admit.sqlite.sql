-- slots_admit(keys, now) -> admitted, again
-- Gives the free slots of these keys, whose semaphores are locked, to the jobs that are blocked by
-- them, the most urgent first: at most 500 for a key at once. What has been admitted is blocked
-- and holds a slot of this instant until the last statement. One who needs other keys, too, is not
-- let in, but counted (again) and stands before the others: slots_admit_several decides.
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT free.key, j.id, j.class_name, 0, :now
FROM (
	SELECT s.key, s.value, (SELECT count(*) FROM dray_slots h WHERE h.concurrency_key = s.key
			AND (EXISTS (SELECT 1 FROM solid_queue_ready_executions r
					WHERE r.job_id = h.job_id)
				OR EXISTS (SELECT 1 FROM solid_queue_claimed_executions c
					WHERE c.job_id = h.job_id))) AS held, (
			SELECT json_group_array(next.job_id) FROM (
				SELECT b.job_id FROM solid_queue_blocked_executions b
				WHERE b.concurrency_key = s.key ORDER BY b.priority, b.job_id
				LIMIT (SELECT min(500, max(m.value)) FROM solid_queue_semaphores m
					WHERE m.key IN (SELECT value ->> 'key' FROM json_each(:keys)))
			) next) AS jobs
	FROM solid_queue_semaphores s
	WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys)) AND s.value > 0) free
CROSS JOIN json_each(free.jobs) next
CROSS JOIN solid_queue_jobs j ON j.id = next.value
LEFT JOIN dray_limits l ON l.class_name = j.class_name AND l.position = 0
WHERE next.key < free.value AND (l.slots IS NULL OR free.held + next.key < l.slots)
	AND NOT EXISTS (SELECT 1 FROM dray_keys k WHERE k.job_id = next.value)
ON CONFLICT (concurrency_key, job_id) DO UPDATE SET created_at = excluded.created_at;
UPDATE solid_queue_semaphores SET value = value - t.count,
	expires_at = strftime('%Y-%m-%d %H:%M:%f', :now, (t.duration_ms / 1000.0) || ' seconds')
FROM (
	SELECT s.concurrency_key AS key, count(*) AS count,
		max(COALESCE(l.duration_ms, 180000)) AS duration_ms
	FROM dray_slots s
	CROSS JOIN solid_queue_blocked_executions b ON b.job_id = s.job_id
	LEFT JOIN dray_limits l ON l.class_name = s.class_name AND l.position = s.position
	WHERE s.concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys))
		AND s.created_at = :now
	GROUP BY s.concurrency_key) t
WHERE solid_queue_semaphores.key = t.key;
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM dray_slots s
CROSS JOIN solid_queue_blocked_executions b ON b.job_id = s.job_id
CROSS JOIN solid_queue_jobs j ON j.id = s.job_id
WHERE s.concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys))
		AND s.created_at = :now
ON CONFLICT (job_id) DO NOTHING;
DELETE FROM solid_queue_blocked_executions WHERE job_id IN (
	SELECT s.job_id FROM dray_slots s
	WHERE s.concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys))
		AND s.created_at = :now);
-- rows
SELECT changes(), count(*)
FROM solid_queue_semaphores s
CROSS JOIN solid_queue_blocked_executions b ON b.concurrency_key = s.key
WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys)) AND s.value > 0
	AND EXISTS (SELECT 1 FROM dray_keys k WHERE k.job_id = b.job_id);
