-- slots_repair(keys, now) -> key, missing
-- Makes the semaphores of these keys, which are locked, what they should be. With "exact": 1
-- that includes their values, from the jobs that hold a slot; a class that is not declared has
-- one slot at least. What is too much is taken away; of what is too little at most "back" slots
-- are given back, and what is missing then is returned. With "sure": 1 semaphores that have
-- expired and are of no use go; the others do not expire while a job holds a slot or waits for
-- one.
DELETE FROM dray_slots
WHERE concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys)
		WHERE value ->> 'exact' = 1)
	AND {include:neither_runs_nor_is_ready dray_slots.job_id};
DELETE FROM solid_queue_semaphores
WHERE key IN (SELECT value ->> 'key' FROM json_each(:keys) WHERE value ->> 'sure' = 1)
	AND expires_at <= :now
	AND NOT EXISTS (SELECT 1 FROM dray_slots h
		WHERE h.concurrency_key = solid_queue_semaphores.key)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_blocked_executions b
		WHERE b.concurrency_key = solid_queue_semaphores.key);
UPDATE solid_queue_semaphores
SET value = CASE WHEN x.exact = 1
		THEN max(0, min(value + x.back,
			COALESCE(x.slots - x.held, max(value, 1 - x.held))))
		ELSE value END,
	expires_at = max(expires_at, {include:after_now max(x.duration_ms, 90000)})
FROM (
	SELECT k.value ->> 'key' AS key, max(k.value ->> 'exact') AS exact,
		max(k.value ->> 'back') AS back, max(l.slots) AS slots,
		max(COALESCE(l.duration_ms, 180000)) AS duration_ms,
		(SELECT count(*) FROM dray_slots h
			WHERE h.concurrency_key = (k.value ->> 'key')) AS held
	FROM json_each(:keys) k
	LEFT JOIN dray_classes l ON l.class_name = (k.value ->> 'class_name')
		AND l.position = (k.value ->> 'position')
	GROUP BY k.value ->> 'key') x
WHERE solid_queue_semaphores.key = x.key;
-- rows
SELECT x.key, COALESCE(x.slots - x.held, max(s.value, 1 - x.held)) - s.value
FROM (
	SELECT k.value ->> 'key' AS key, l.slots,
		(SELECT count(*) FROM dray_slots h
			WHERE h.concurrency_key = (k.value ->> 'key')) AS held
	FROM json_each(:keys) k
	LEFT JOIN dray_classes l ON l.class_name = (k.value ->> 'class_name')
		AND l.position = (k.value ->> 'position')
	WHERE k.value ->> 'exact' = 1) x
JOIN solid_queue_semaphores s ON s.key = x.key;
