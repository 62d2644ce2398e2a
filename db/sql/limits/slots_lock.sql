-- slots_lock(keys, now) ->

-- @mysql
-- Locks the semaphores of these keys ([{"key", "class_name", "position"}]) in their order; makes
-- the missing ones, with the slots that no job holds. No script changes a semaphore, its holders
-- or what is blocked by it without this lock.
INSERT INTO solid_queue_semaphores (`key`, value, expires_at, created_at, updated_at)
SELECT k.name,
	GREATEST(0, MAX(COALESCE(l.slots, 1)) - (SELECT COUNT(*) FROM dray_slots h
		WHERE h.concurrency_key = k.name)),
	{include:after_now MAX(COALESCE(l.duration_ms, 180000))}, :now, :now
FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key',
	class_name varchar(255) {as_jobs} PATH '$.class_name',
	position int PATH '$.position')) k
LEFT JOIN dray_classes l FORCE INDEX (PRIMARY)
	ON l.class_name = k.class_name AND l.position = k.position
LEFT JOIN {include:semaphore k.name}
WHERE s.id IS NULL
GROUP BY k.name
ORDER BY k.name
ON DUPLICATE KEY UPDATE `key` = IF(solid_queue_semaphores.`key` = VALUES(`key`),
	solid_queue_semaphores.`key`, NULL);
SELECT COUNT(*) INTO @dray_locked FROM (
	SELECT s.id
	FROM (SELECT DISTINCT k.name FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$.key')) k ORDER BY k.name LIMIT 1000000) k
	STRAIGHT_JOIN {include:semaphore k.name}
	FOR UPDATE) locked;

-- @postgresql
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

-- @sqlite
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
