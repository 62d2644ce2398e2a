-- slots_repair(keys, now) -> key, missing

-- @mysql
-- Makes the semaphores of these keys, which are locked, what they should be. With "exact": 1
-- that includes their values, from the jobs that hold a slot; a class that is not declared has
-- one slot at least. What is too much is taken away; of what is too little at most "back" slots
-- are given back, and what is missing then is returned. With "sure": 1 semaphores that have
-- expired and are of no use go; the others do not expire while a job holds a slot or waits for
-- one. Waiting jobs are read in a statement of its own: a DELETE would lock a row that Solid
-- Queue's releaser holds while it waits for the semaphore.
SELECT JSON_ARRAYAGG(JSON_OBJECT('key', h.concurrency_key, 'job_id', h.job_id)) INTO @dray_gone
FROM (SELECT DISTINCT k.name FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key', exact int PATH '$.exact')) k WHERE k.exact = 1) k
STRAIGHT_JOIN dray_slots h FORCE INDEX (PRIMARY) ON h.concurrency_key = k.name
{include:claim_and_ready_row h.job_id}
WHERE c.id IS NULL AND r.id IS NULL;
DELETE h
FROM JSON_TABLE(@dray_gone, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key', job_id bigint PATH '$.job_id')) x
STRAIGHT_JOIN dray_slots h FORCE INDEX (PRIMARY)
	ON h.concurrency_key = x.name AND h.job_id = x.job_id;
SELECT JSON_ARRAYAGG(u.name) INTO @dray_useless
FROM (SELECT DISTINCT k.name FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$.key', sure int PATH '$.sure')) k
	STRAIGHT_JOIN {include:semaphore k.name}
	WHERE k.sure = 1 AND s.expires_at <= :now
		AND (SELECT h.job_id FROM dray_slots h FORCE INDEX (PRIMARY)
			WHERE h.concurrency_key = k.name LIMIT 1) IS NULL
		AND (SELECT b.id FROM solid_queue_blocked_executions b
				FORCE INDEX (index_solid_queue_blocked_executions_for_release)
			WHERE b.concurrency_key = k.name LIMIT 1) IS NULL) u;
DELETE s
FROM JSON_TABLE(@dray_useless, '$[*]' COLUMNS (name varchar(255) {as_jobs} PATH '$')) x
STRAIGHT_JOIN {include:semaphore x.name};
UPDATE (
	SELECT k.name, MAX(k.exact) AS exact, MAX(k.back) AS back, MAX(l.slots) AS slots,
		MAX(COALESCE(l.duration_ms, 180000)) AS duration_ms,
		(SELECT COUNT(*) FROM dray_slots h WHERE h.concurrency_key = k.name) AS held
	FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$.key',
		class_name varchar(255) {as_jobs} PATH '$.class_name',
		position int PATH '$.position',
		exact int PATH '$.exact',
		back int PATH '$.back')) k
	LEFT JOIN dray_classes l FORCE INDEX (PRIMARY)
		ON l.class_name = k.class_name AND l.position = k.position
	GROUP BY k.name) x
STRAIGHT_JOIN {include:semaphore x.name}
SET s.value = CASE WHEN x.exact = 1
		THEN GREATEST(0, LEAST(s.value + x.back,
			COALESCE(x.slots - x.held, GREATEST(s.value, 1 - x.held))))
		ELSE s.value END,
	s.expires_at = GREATEST(s.expires_at,
		{include:after_now GREATEST(x.duration_ms, 90000)});
-- rows
SELECT x.name, COALESCE(x.slots - x.held, GREATEST(s.value, 1 - x.held)) - s.value
FROM (
	SELECT k.name, l.slots,
		(SELECT COUNT(*) FROM dray_slots h WHERE h.concurrency_key = k.name) AS held
	FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$.key',
		class_name varchar(255) {as_jobs} PATH '$.class_name',
		position int PATH '$.position',
		exact int PATH '$.exact')) k
	LEFT JOIN dray_classes l FORCE INDEX (PRIMARY)
		ON l.class_name = k.class_name AND l.position = k.position
	WHERE k.exact = 1) x
STRAIGHT_JOIN {include:semaphore x.name};

-- @postgresql
-- Makes the semaphores of these keys, which are locked, what they should be. With "exact": 1
-- that includes their values, from the jobs that hold a slot; a class that is not declared has
-- one slot at least. What is too much is taken away; of what is too little at most "back" slots
-- are given back, and what is missing then is returned. With "sure": 1 semaphores that have
-- expired and are of no use go; the others do not expire while a job holds a slot or waits for
-- one. An end that is no time (infinity, "never") counts as past.
DELETE FROM dray_slots h
WHERE h.concurrency_key = ANY (ARRAY(SELECT k.key FROM json_to_recordset(:keys::json)
		AS k(key text, exact integer) WHERE k.exact = 1))
	AND {include:neither_runs_nor_is_ready h.job_id};
DELETE FROM solid_queue_semaphores s
WHERE s.key = ANY (ARRAY(SELECT k.key FROM json_to_recordset(:keys::json)
		AS k(key text, sure integer) WHERE k.sure = 1))
	AND (s.expires_at <= :now OR {include:time_is_odd s.expires_at})
	AND (SELECT h.job_id FROM dray_slots h WHERE h.concurrency_key = s.key LIMIT 1) IS NULL
	AND (SELECT b.id FROM solid_queue_blocked_executions b
		WHERE b.concurrency_key = s.key LIMIT 1) IS NULL;
-- rows
UPDATE solid_queue_semaphores s
SET value = CASE WHEN x.exact = 1
		THEN GREATEST(0, LEAST(s.value + x.back,
			COALESCE(x.slots - x.held, GREATEST(s.value, 1 - x.held))))
		ELSE s.value END,
	expires_at = GREATEST(CASE WHEN {include:time_is_odd s.expires_at} THEN :now ELSE s.expires_at END,
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

-- @sqlite
-- Makes the semaphores of these keys, which are locked, what they should be. With "exact": 1
-- that includes their values, from the jobs that hold a slot; a class that is not declared has
-- one slot at least. What is too much is taken away; of what is too little at most "back" slots
-- are given back, and what is missing then is returned. With "sure": 1 semaphores that have
-- expired and are of no use go; the others do not expire while a job holds a slot or waits for
-- one. An end that is no time (infinity, "never") counts as past.
DELETE FROM dray_slots
WHERE concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys)
		WHERE value ->> 'exact' = 1)
	AND {include:neither_runs_nor_is_ready dray_slots.job_id};
DELETE FROM solid_queue_semaphores
WHERE key IN (SELECT value ->> 'key' FROM json_each(:keys) WHERE value ->> 'sure' = 1)
	AND (expires_at <= :now OR {include:time_is_odd expires_at})
	AND NOT EXISTS (SELECT 1 FROM dray_slots h
		WHERE h.concurrency_key = solid_queue_semaphores.key)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_blocked_executions b
		WHERE b.concurrency_key = solid_queue_semaphores.key);
UPDATE solid_queue_semaphores
SET value = CASE WHEN x.exact = 1
		THEN max(0, min(value + x.back,
			COALESCE(x.slots - x.held, max(value, 1 - x.held))))
		ELSE value END,
	expires_at = max(iif({include:time_is_odd expires_at}, :now, expires_at), {include:after_now max(x.duration_ms, 90000)})
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
