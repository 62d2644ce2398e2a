-- slots_repair(keys, now) -> key, missing
-- Makes the semaphores of these keys, which are locked, what they should be. With "exact": 1
-- that includes their values, from the jobs that hold a slot; a class that is not declared has
-- one slot at least. What is too much is taken away; of what is too little at most "back" slots
-- are given back, and what is missing then is returned. With "sure": 1 semaphores that have
-- expired and are of no use go; the others do not expire while a job holds a slot or waits for
-- one.
DELETE FROM dray_slots h
WHERE h.concurrency_key = ANY (ARRAY(SELECT k.key FROM json_to_recordset(:keys::json)
		AS k(key text, exact integer) WHERE k.exact = 1))
	AND {include:neither_runs_nor_is_ready h.job_id};
DELETE FROM solid_queue_semaphores s
WHERE s.key = ANY (ARRAY(SELECT k.key FROM json_to_recordset(:keys::json)
		AS k(key text, sure integer) WHERE k.sure = 1))
	AND s.expires_at <= :now
	AND (SELECT h.job_id FROM dray_slots h WHERE h.concurrency_key = s.key LIMIT 1) IS NULL
	AND (SELECT b.id FROM solid_queue_blocked_executions b
		WHERE b.concurrency_key = s.key LIMIT 1) IS NULL;
-- rows
UPDATE solid_queue_semaphores s
SET value = CASE WHEN x.exact = 1
		THEN GREATEST(0, LEAST(s.value + x.back,
			COALESCE(x.slots - x.held, GREATEST(s.value, 1 - x.held))))
		ELSE s.value END,
	expires_at = GREATEST(s.expires_at,
		{include:after_now GREATEST(x.duration_ms, 90000)})
FROM (
	SELECT k.key, max(k.exact) AS exact, max(k.back) AS back,
		max(l.slots) AS slots,
		max(COALESCE(l.duration_ms, 180000)) AS duration_ms,
		(SELECT count(*) FROM dray_slots h WHERE h.concurrency_key = k.key) AS held
	FROM json_to_recordset(:keys::json)
		AS k(key text, class_name text, position integer, exact integer, back integer)
	LEFT JOIN dray_classes l ON l.class_name = k.class_name AND l.position = k.position
	GROUP BY k.key) x
WHERE s.key = x.key
RETURNING x.key, COALESCE(x.slots - x.held, GREATEST(s.value, 1 - x.held)) - s.value;
