-- slots_lock(keys, now) ->
-- Makes the missing semaphores of these keys ([{"key", "class_name", "position"}]), with the
-- slots that no job holds. There is nothing to lock: a transaction that writes is alone.
INSERT INTO solid_queue_semaphores (key, value, expires_at, created_at, updated_at)
SELECT k.value ->> 'key',
	max(0, max(COALESCE(l.slots, 1)) - (SELECT count(*) FROM dray_slots h
		WHERE h.concurrency_key = (k.value ->> 'key'))),
	{include:after_now max(COALESCE(l.duration_ms, 180000))}, :now, :now
FROM json_each(:keys) k
LEFT JOIN dray_classes l ON l.class_name = (k.value ->> 'class_name')
	AND l.position = (k.value ->> 'position')
WHERE NOT EXISTS (SELECT 1 FROM solid_queue_semaphores s WHERE s.key = (k.value ->> 'key'))
GROUP BY k.value ->> 'key';
