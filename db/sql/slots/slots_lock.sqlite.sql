-- slots_lock(keys, now) ->
-- Makes the semaphores of these keys ([{"key", "class_name", "position"}]) that are missing, with
-- the slots that nobody holds. Whoever changes a semaphore, its holders or who
-- is blocked by it has this lock first.
INSERT INTO solid_queue_semaphores (key, value, expires_at, created_at, updated_at)
SELECT k.value ->> 'key',
	max(0, max(COALESCE(l.slots, 1)) - (SELECT count(*) FROM dray_slots h
		WHERE h.concurrency_key = (k.value ->> 'key'))),
	{include:after_now max(COALESCE(l.duration_ms, 180000))}, :now, :now
FROM json_each(:keys) k
LEFT JOIN dray_limits l ON l.class_name = (k.value ->> 'class_name')
	AND l.position = (k.value ->> 'position')
WHERE NOT EXISTS (SELECT 1 FROM solid_queue_semaphores s WHERE s.key = (k.value ->> 'key'))
GROUP BY k.value ->> 'key';
