-- slots_admit_several(keys, now, more) -> admitted, again
-- As slots_admit, where jobs may need several keys: one runs when it gets a slot of each, and it
-- takes all of them or none. One of whose keys another is full waits under that one from now on, so
-- that whatever frees it will look again. Of each key the next `more` than 100 are looked at (LIMIT
-- cannot know here how many slots it has), 200 at most; who is next for one of his keys and not for
-- another stays where he is: again counts those who stand under a key that has a slot.
UPDATE solid_queue_blocked_executions SET concurrency_key = blocking.key
FROM (
	WITH
	candidate AS MATERIALIZED (
		SELECT b.job_id, b.priority AS rank, j.class_name, j.concurrency_key
		FROM solid_queue_semaphores s
		CROSS JOIN solid_queue_blocked_executions b ON b.job_id IN (
			SELECT f.job_id FROM solid_queue_blocked_executions f
			WHERE f.concurrency_key = s.key ORDER BY f.priority, f.job_id LIMIT min(100 + :more, 200))
		CROSS JOIN solid_queue_jobs j ON j.id = b.job_id
		WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys)) AND s.value > 0
	), need AS (
		SELECT job_id, rank, class_name, concurrency_key AS key, 0 AS position FROM candidate
		UNION ALL
		SELECT w.job_id, w.rank, w.class_name, k.concurrency_key, k.position
		FROM candidate w CROSS JOIN dray_keys k ON k.job_id = w.job_id
	), known AS MATERIALIZED (
		SELECT s.key, s.value, (
			SELECT count(*) FROM dray_slots h WHERE h.concurrency_key = s.key
			AND (EXISTS (SELECT 1 FROM solid_queue_ready_executions r
					WHERE r.job_id = h.job_id)
				OR EXISTS (SELECT 1 FROM solid_queue_claimed_executions c
					WHERE c.job_id = h.job_id))) AS held
		FROM solid_queue_semaphores s
		WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys))
	), room AS (
		SELECT need.*, min(known.value, COALESCE(l.slots - known.held, known.value)) AS room
		FROM need
		LEFT JOIN known ON known.key = need.key
		LEFT JOIN dray_limits l
			ON l.class_name = need.class_name AND l.position = need.position
	)
	SELECT job_id, key, min(position) FROM room WHERE room <= 0 GROUP BY job_id) blocking
WHERE solid_queue_blocked_executions.job_id = blocking.job_id;
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT key, job_id, class_name, position, :now
FROM (
	WITH
	candidate AS MATERIALIZED (
		SELECT b.job_id, b.priority AS rank, j.class_name, j.concurrency_key
		FROM solid_queue_semaphores s
		CROSS JOIN solid_queue_blocked_executions b ON b.job_id IN (
			SELECT f.job_id FROM solid_queue_blocked_executions f
			WHERE f.concurrency_key = s.key ORDER BY f.priority, f.job_id LIMIT min(100 + :more, 200))
		CROSS JOIN solid_queue_jobs j ON j.id = b.job_id
		WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys)) AND s.value > 0
	), need AS (
		SELECT job_id, rank, class_name, concurrency_key AS key, 0 AS position FROM candidate
		UNION ALL
		SELECT w.job_id, w.rank, w.class_name, k.concurrency_key, k.position
		FROM candidate w CROSS JOIN dray_keys k ON k.job_id = w.job_id
	), known AS MATERIALIZED (
		SELECT s.key, s.value, (
			SELECT count(*) FROM dray_slots h WHERE h.concurrency_key = s.key
			AND (EXISTS (SELECT 1 FROM solid_queue_ready_executions r
					WHERE r.job_id = h.job_id)
				OR EXISTS (SELECT 1 FROM solid_queue_claimed_executions c
					WHERE c.job_id = h.job_id))) AS held
		FROM solid_queue_semaphores s
		WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys))
	), room AS (
		SELECT need.*, min(known.value, COALESCE(l.slots - known.held, known.value)) AS room
		FROM need
		LEFT JOIN known ON known.key = need.key
		LEFT JOIN dray_limits l
			ON l.class_name = need.class_name AND l.position = need.position
	)
	, ranked AS MATERIALIZED (
		SELECT *, row_number() OVER (PARTITION BY key ORDER BY rank, job_id) AS place FROM room
	)
	SELECT key, job_id, class_name, position FROM ranked WHERE job_id IN (
		SELECT job_id FROM ranked GROUP BY job_id
		HAVING min(COALESCE(place <= room, 0)) = 1))
WHERE true
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
