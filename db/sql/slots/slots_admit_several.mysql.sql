-- slots_admit_several(keys, now, more) -> admitted, again
-- As slots_admit, where jobs may need several keys: one runs when it gets a slot of each, and it
-- takes all of them or none. One of whose keys another is full waits under that one from now on, so
-- that whatever frees it will look again. Of each key the next `more` than it has slots are looked
-- at, 200 at most; who is next for one of his keys and not for another stays where he is: again
-- counts those who stand under a key that has a slot. Blocked rows are locked as in slots_admit.
-- guard
SELECT JSON_ARRAYAGG(JSON_OBJECT('key', n.name, 'priority', n.priority, 'job_id', n.job_id))
	INTO @dray_next FROM (
	WITH RECURSIVE next (name, most, place, id, job_id, priority) AS (
		SELECT k.name, LEAST(s.value + :more, 200), 1, b.id, b.job_id, b.priority
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
		SELECT n.name, n.most, n.place + 1, b.id, b.job_id, b.priority
		FROM next n
		STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = (
			SELECT f.id FROM solid_queue_blocked_executions f
				FORCE INDEX (index_solid_queue_blocked_executions_for_release)
			WHERE f.concurrency_key = n.name AND f.priority >= n.priority
				AND (f.priority > n.priority OR f.job_id > n.job_id)
			ORDER BY f.concurrency_key, f.priority, f.job_id LIMIT 1)
		WHERE n.place < n.most
	)
	SELECT next.name, next.priority, next.job_id FROM next) n
HAVING COUNT(*) > 0;
SELECT JSON_ARRAYAGG(JSON_OBJECT('id', b.id, 'job_id', b.job_id, 'priority', b.priority))
	INTO @dray_candidates FROM (
	SELECT b.id, b.job_id, b.priority
	FROM (SELECT DISTINCT x.name, x.priority, x.job_id FROM JSON_TABLE(@dray_next, '$[*]' COLUMNS (
		name varchar(255) {as_jobs} PATH '$.key',
		priority int PATH '$.priority',
		job_id bigint PATH '$.job_id')) x) d
	STRAIGHT_JOIN solid_queue_blocked_executions b
		FORCE INDEX (index_solid_queue_blocked_executions_for_release)
		ON b.concurrency_key = d.name AND b.priority = d.priority AND b.job_id = d.job_id
	{skip_locked}) b;
SELECT JSON_ARRAYAGG(JSON_OBJECT('id', n.id, 'job_id', n.job_id, 'priority', n.priority,
	'class_name', n.class_name, 'key', n.name, 'position', n.position)) INTO @dray_needs
FROM (
	SELECT c.id, c.job_id, c.priority, j.class_name, j.concurrency_key AS name, 0 AS position
	FROM JSON_TABLE(@dray_candidates, '$[*]' COLUMNS (
		id bigint PATH '$.id', job_id bigint PATH '$.job_id',
		priority int PATH '$.priority')) c
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
	UNION ALL
	SELECT c.id, c.job_id, c.priority, j.class_name, k.concurrency_key, k.position
	FROM JSON_TABLE(@dray_candidates, '$[*]' COLUMNS (
		id bigint PATH '$.id', job_id bigint PATH '$.job_id',
		priority int PATH '$.priority')) c
	STRAIGHT_JOIN dray_keys k FORCE INDEX (PRIMARY) ON k.job_id = c.job_id
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id) n;
SELECT JSON_ARRAYAGG(JSON_OBJECT('key', k.name, 'value', s.value, 'held', (
		SELECT COUNT(*) FROM dray_slots h FORCE INDEX (PRIMARY)
		LEFT JOIN solid_queue_claimed_executions c
			FORCE INDEX (index_solid_queue_claimed_executions_on_job_id)
			ON c.job_id = h.job_id
		LEFT JOIN solid_queue_ready_executions r
			FORCE INDEX (index_solid_queue_ready_executions_on_job_id)
			ON r.job_id = h.job_id
		WHERE h.concurrency_key = k.name AND (c.id IS NOT NULL OR r.id IS NOT NULL))))
	INTO @dray_known
FROM (SELECT DISTINCT x.name FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key')) x) k
STRAIGHT_JOIN solid_queue_semaphores s FORCE INDEX (index_solid_queue_semaphores_on_key)
	ON s.`key` = k.name;
SELECT JSON_ARRAYAGG(JSON_OBJECT('id', n.id, 'job_id', n.job_id, 'priority', n.priority,
	'class_name', n.class_name, 'key', n.name, 'position', n.position,
	'room', LEAST(k.value, COALESCE(l.slots - k.held, k.value)),
	'duration_ms', COALESCE(l.duration_ms, 180000))) INTO @dray_room
FROM JSON_TABLE(@dray_needs, '$[*]' COLUMNS (
	id bigint PATH '$.id',
	job_id bigint PATH '$.job_id',
	priority int PATH '$.priority',
	class_name varchar(255) {as_jobs} PATH '$.class_name',
	name varchar(255) {as_jobs} PATH '$.key',
	position int PATH '$.position')) n
LEFT JOIN JSON_TABLE(@dray_known, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key',
	value int PATH '$.value',
	held int PATH '$.held')) k ON k.name = n.name
LEFT JOIN dray_limits l FORCE INDEX (PRIMARY)
	ON l.class_name = n.class_name AND l.position = n.position;
SELECT JSON_ARRAYAGG(JSON_OBJECT('id', f.id, 'key', f.name)) INTO @dray_full FROM (
	SELECT n.id, n.name, ROW_NUMBER() OVER (PARTITION BY n.id ORDER BY n.position) AS place
	FROM JSON_TABLE(@dray_room, '$[*]' COLUMNS (
		id bigint PATH '$.id',
		name varchar(255) {as_jobs} PATH '$.key',
		position int PATH '$.position',
		room int PATH '$.room')) n
	WHERE n.room <= 0) f
WHERE f.place = 1;
SELECT JSON_ARRAYAGG(a.id) INTO @dray_admitted FROM (
	SELECT p.id FROM (
		SELECT n.id, n.room, ROW_NUMBER()
			OVER (PARTITION BY n.name ORDER BY n.priority, n.job_id) AS place
		FROM JSON_TABLE(@dray_room, '$[*]' COLUMNS (
			id bigint PATH '$.id',
			job_id bigint PATH '$.job_id',
			priority int PATH '$.priority',
			name varchar(255) {as_jobs} PATH '$.key',
			room int PATH '$.room')) n
		LEFT JOIN JSON_TABLE(@dray_full, '$[*]' COLUMNS (id bigint PATH '$.id')) f
			ON f.id = n.id
		WHERE f.id IS NULL) p
	GROUP BY p.id HAVING MIN(CASE WHEN p.place <= p.room THEN 1 ELSE 0 END) = 1) a;
UPDATE JSON_TABLE(@dray_full, '$[*]' COLUMNS (
	id bigint PATH '$.id',
	name varchar(255) CHARACTER SET utf8mb4 PATH '$.key')) f
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = f.id
SET b.concurrency_key = f.name;
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT n.name, n.job_id, n.class_name, n.position, :now
FROM JSON_TABLE(@dray_admitted, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN JSON_TABLE(@dray_room, '$[*]' COLUMNS (
	id bigint PATH '$.id',
	job_id bigint PATH '$.job_id',
	class_name varchar(255) CHARACTER SET utf8mb4 PATH '$.class_name',
	name varchar(255) CHARACTER SET utf8mb4 PATH '$.key',
	position int PATH '$.position')) n ON n.id = x.id
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM JSON_TABLE(@dray_admitted, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = b.job_id
ON DUPLICATE KEY UPDATE job_id = VALUES(job_id);
UPDATE (
	SELECT n.name, COUNT(*) AS count, MAX(n.duration_ms) AS duration_ms
	FROM JSON_TABLE(@dray_admitted, '$[*]' COLUMNS (id bigint PATH '$')) x
	STRAIGHT_JOIN JSON_TABLE(@dray_room, '$[*]' COLUMNS (
		id bigint PATH '$.id',
		name varchar(255) {as_jobs} PATH '$.key',
		duration_ms bigint PATH '$.duration_ms')) n ON n.id = x.id
	GROUP BY n.name) t
STRAIGHT_JOIN solid_queue_semaphores s FORCE INDEX (index_solid_queue_semaphores_on_key)
	ON s.`key` = t.name
SET s.value = s.value - t.count,
	s.expires_at = DATE_ADD(:now, INTERVAL t.duration_ms * 1000 MICROSECOND);
DELETE b
FROM JSON_TABLE(@dray_admitted, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = x.id;
-- rows
SELECT COALESCE(JSON_LENGTH(@dray_admitted), 0), COUNT(k.job_id)
FROM (SELECT DISTINCT x.name FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key')) x) n
STRAIGHT_JOIN solid_queue_semaphores s FORCE INDEX (index_solid_queue_semaphores_on_key)
	ON s.`key` = n.name
STRAIGHT_JOIN solid_queue_blocked_executions b
	FORCE INDEX (index_solid_queue_blocked_executions_for_release) ON b.concurrency_key = s.`key`
STRAIGHT_JOIN dray_keys k FORCE INDEX (PRIMARY) ON k.job_id = b.job_id
WHERE s.value > 0;
