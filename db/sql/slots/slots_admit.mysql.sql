-- slots_admit(keys, now) -> admitted, again
-- Gives the free slots of these keys, whose semaphores are locked, to the jobs that are blocked by
-- them, the most urgent first: at most 500 for a key at once. A blocked row that somebody else has
-- locked is his to release. One who needs other keys, too, is not let in, but counted (again) and
-- stands before the others: slots_admit_several decides. Blocked rows are locked as Solid Queue does,
-- by the index and then the row: if only the row were locked, a releaser of its would pass it by, keep the
-- index's lock and wait for the semaphore, and this would wait for the index.
-- guard
SELECT JSON_ARRAYAGG(CASE WHEN n.several IS NULL
		THEN JSON_OBJECT('key', n.name, 'priority', n.priority, 'job_id', n.job_id) END),
	COUNT(n.several)
INTO @dray_next, @dray_again FROM (
	WITH RECURSIVE next (name, room, held, place, id, job_id, priority) AS (
		SELECT k.name, LEAST(s.value, 500), (
				SELECT COUNT(*) FROM dray_slots h
				LEFT JOIN solid_queue_claimed_executions c
					FORCE INDEX (index_solid_queue_claimed_executions_on_job_id)
					ON c.job_id = h.job_id
				LEFT JOIN solid_queue_ready_executions r
					FORCE INDEX (index_solid_queue_ready_executions_on_job_id)
					ON r.job_id = h.job_id
				WHERE h.concurrency_key = k.name
					AND (c.id IS NOT NULL OR r.id IS NOT NULL)), 1,
			b.id, b.job_id, b.priority
		FROM (SELECT DISTINCT x.name FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
			name varchar(255) {as_jobs} PATH '$.key')) x) k
		STRAIGHT_JOIN solid_queue_semaphores s
			FORCE INDEX (index_solid_queue_semaphores_on_key) ON s.`key` = k.name
		STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = (
			SELECT f.id FROM solid_queue_blocked_executions f
				FORCE INDEX (index_solid_queue_blocked_executions_for_release)
			WHERE f.concurrency_key = k.name
			ORDER BY f.concurrency_key, f.priority, f.job_id LIMIT 1)
		WHERE s.value > 0
		UNION ALL
		SELECT n.name, n.room, n.held, n.place + 1, b.id, b.job_id, b.priority
		FROM next n
		STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = (
			SELECT f.id FROM solid_queue_blocked_executions f
				FORCE INDEX (index_solid_queue_blocked_executions_for_release)
			WHERE f.concurrency_key = n.name AND f.priority >= n.priority
				AND (f.priority > n.priority OR f.job_id > n.job_id)
			ORDER BY f.concurrency_key, f.priority, f.job_id LIMIT 1)
		WHERE n.place < n.room
	)
	SELECT next.name, next.priority, next.job_id, (SELECT k.job_id FROM dray_keys k FORCE INDEX (PRIMARY)
		WHERE k.job_id = next.job_id LIMIT 1) AS several
	FROM next
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = next.job_id
	LEFT JOIN dray_limits l FORCE INDEX (PRIMARY)
		ON l.class_name = j.class_name AND l.position = 0
	WHERE l.slots IS NULL OR next.held + next.place <= l.slots) n
HAVING COUNT(*) > 0;
SELECT JSON_ARRAYAGG(b.id) INTO @dray_admitted FROM (
	SELECT b.id
	FROM (SELECT DISTINCT x.name, x.priority, x.job_id FROM JSON_TABLE(@dray_next, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$.key',
		priority int PATH '$.priority',
		job_id bigint PATH '$.job_id')) x) d
	STRAIGHT_JOIN solid_queue_blocked_executions b
		FORCE INDEX (index_solid_queue_blocked_executions_for_release)
		ON b.concurrency_key = d.name AND b.priority = d.priority AND b.job_id = d.job_id
	{skip_locked}) b;
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT b.concurrency_key, j.id, j.class_name, 0, :now
FROM JSON_TABLE(@dray_admitted, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = b.job_id
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM JSON_TABLE(@dray_admitted, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = b.job_id
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
UPDATE (
	SELECT b.concurrency_key AS name, COUNT(*) AS count,
		MAX(COALESCE(l.duration_ms, 180000)) AS duration_ms
	FROM JSON_TABLE(@dray_admitted, '$[*]' COLUMNS (id bigint PATH '$')) x
	STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = x.id
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = b.job_id
	LEFT JOIN dray_limits l FORCE INDEX (PRIMARY)
		ON l.class_name = j.class_name AND l.position = 0
	GROUP BY b.concurrency_key) t
STRAIGHT_JOIN solid_queue_semaphores s FORCE INDEX (index_solid_queue_semaphores_on_key)
	ON s.`key` = t.name
SET s.value = s.value - t.count,
	s.expires_at = DATE_ADD(:now, INTERVAL t.duration_ms * 1000 MICROSECOND);
DELETE b
FROM JSON_TABLE(@dray_admitted, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = x.id;
-- rows
SELECT COALESCE(JSON_LENGTH(@dray_admitted), 0), @dray_again;
