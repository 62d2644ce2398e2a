-- slots_lock(keys, now) ->
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
