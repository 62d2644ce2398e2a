-- slots_lock(keys, now) ->
-- Locks the semaphores of these keys ([{"key", "class_name", "position"}]) in their order; missing
-- ones are made, with the slots that nobody holds. Whoever changes a semaphore, its holders or who
-- is blocked by it has this lock first.
INSERT INTO solid_queue_semaphores AS known (key, value, expires_at, created_at, updated_at)
SELECT x.key,
	CASE WHEN (SELECT s.id FROM solid_queue_semaphores s WHERE s.key = x.key LIMIT 1) IS NOT NULL
		THEN 0 ELSE GREATEST(0, x.slots - (SELECT count(*) FROM dray_slots h
			WHERE h.concurrency_key = x.key)) END,
	:now::timestamp + x.duration_ms * interval '1 millisecond', :now, :now
FROM (
	SELECT k.key, max(COALESCE(l.slots, 1)) AS slots,
		max(COALESCE(l.duration_ms, 180000)) AS duration_ms
	FROM json_to_recordset(:keys::json) AS k(key text, class_name text, position integer)
	LEFT JOIN dray_limits l ON l.class_name = k.class_name AND l.position = k.position
	GROUP BY k.key) x
ORDER BY x.key
ON CONFLICT (key) DO UPDATE SET value = known.value WHERE false;
