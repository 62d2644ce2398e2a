-- slots_lock(keys, now) ->
-- Locks the semaphores of these keys ([{"key", "class_name", "position"}]) in their order; makes
-- the missing ones, with the slots that no job holds. No script changes a semaphore, its holders
-- or what is blocked by it without this lock. (The value is needed even of one that is there: it
-- may be deleted while this waits for its lock.)
INSERT INTO solid_queue_semaphores AS known (key, value, expires_at, created_at, updated_at)
SELECT x.key,
	GREATEST(0, x.slots - (SELECT count(*) FROM dray_slots h WHERE h.concurrency_key = x.key)),
	{include:after_now x.duration_ms}, :now, :now
FROM (
	SELECT k.key, max(COALESCE(l.slots, 1)) AS slots,
		max(COALESCE(l.duration_ms, 180000)) AS duration_ms
	FROM json_to_recordset(:keys::json) AS k(key text, class_name text, position integer)
	LEFT JOIN dray_classes l ON l.class_name = k.class_name AND l.position = k.position
	GROUP BY k.key) x
ORDER BY x.key
ON CONFLICT (key) DO UPDATE SET value = known.value WHERE false;
