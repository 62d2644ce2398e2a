-- slots_admit_several(keys, now, more) -> admitted, undecided

-- @mysql
-- Does what slots_admit does where jobs may need several keys: a job gets a slot of each of its
-- keys, and then is ready, or none. One that finds a key full waits under that key from now on,
-- so that whatever frees it will look at the job again. Of each key, the jobs that are looked at
-- are as many as it has free slots and `more`, 200 at most. A job that is next for one of its
-- keys and not for another stays where it is. undecided: how many jobs of several keys still stand
-- under a key that has a free slot.
--
-- Parts 1 to 7 decide and change nothing, but that 2 locks rows; 8 to 12 do what was decided; 13
-- answers. Each part leaves its result as JSON in a variable for those that follow, because
-- neither MySQL nor MariaDB can change several tables in one statement.

-- 1. @dray_next: the jobs that are next under each key that has a free slot. The recursion walks
-- from one blocked row to the next in the index, because a LIMIT for each key cannot be said
-- otherwise. When there are none, the script ends here.
-- guard
SELECT JSON_ARRAYAGG(JSON_OBJECT('key', n.name, 'priority', n.priority, 'job_id', n.job_id))
	INTO @dray_next FROM (
	WITH RECURSIVE next (name, most, place, id, job_id, priority) AS (
		SELECT k.name, LEAST(s.value + :more, 200), 1, b.id, b.job_id, b.priority
		FROM {include:distinct_keys :keys} k
		STRAIGHT_JOIN {include:semaphore k.name}
		{include:first_blocked k.name}
		WHERE s.value > 0
		UNION ALL
		SELECT n.name, n.most, n.place + 1, b.id, b.job_id, b.priority
		FROM next n
		{include:next_blocked}
		WHERE n.place < n.most
	)
	SELECT next.name, next.priority, next.job_id FROM next) n
HAVING COUNT(*) > 0;

-- 2. @dray_candidates: those of them whose blocked rows no other transaction has locked. This locks
-- them.
SELECT JSON_ARRAYAGG(JSON_OBJECT('id', b.id, 'job_id', b.job_id, 'priority', b.priority))
	INTO @dray_candidates FROM (
	SELECT b.id, b.job_id, b.priority
	FROM {include:lock_next}) b;

-- 3. @dray_needs: a row for each key that each candidate needs: position 0 is the key in the
-- job's own row, the further ones are in dray_keys.
SELECT JSON_ARRAYAGG(JSON_OBJECT('id', n.id, 'job_id', n.job_id, 'priority', n.priority,
	'class_name', n.class_name, 'key', n.name, 'position', n.position)) INTO @dray_needs
FROM (
	SELECT c.id, c.job_id, c.priority, j.class_name, j.concurrency_key AS name, 0 AS position
	FROM {include:candidates} c
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
	UNION ALL
	SELECT c.id, c.job_id, c.priority, j.class_name, k.concurrency_key, k.position
	FROM {include:candidates} c
	STRAIGHT_JOIN dray_keys k FORCE INDEX (PRIMARY) ON k.job_id = c.job_id
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id) n;

-- 4. @dray_known: what is known of each key that we have locked: how many slots its semaphore
-- still has (value), and how many are held by jobs that are ready or run (held).
SELECT JSON_ARRAYAGG(JSON_OBJECT('key', k.name, 'value', s.value,
	'held', (SELECT {include:slots_in_use k.name}))) INTO @dray_known
FROM {include:distinct_keys :keys} k
STRAIGHT_JOIN {include:semaphore k.name};

-- 5. @dray_room: the needs, each with the room under its key: the free slots, but not more than
-- the class may have beside those that are held. Under a key that we have not locked the room is
-- not known (NULL): it is not full, and no job is admitted by it.
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
LEFT JOIN dray_classes l FORCE INDEX (PRIMARY)
	ON l.class_name = n.class_name AND l.position = n.position;

-- 6. @dray_full: the candidates that need a key without room, each with the first such key.
SELECT JSON_ARRAYAGG(JSON_OBJECT('id', f.id, 'key', f.name)) INTO @dray_full FROM (
	SELECT n.id, n.name, ROW_NUMBER() OVER (PARTITION BY n.id ORDER BY n.position) AS place
	FROM JSON_TABLE(@dray_room, '$[*]' COLUMNS (
		id bigint PATH '$.id',
		name varchar(255) {as_jobs} PATH '$.key',
		position int PATH '$.position',
		room int PATH '$.room')) n
	WHERE n.room <= 0) f
WHERE f.place = 1;

-- 7. @dray_admitted: of the others, those that are among the first under each of their keys, as
-- many as have room there. The most urgent come first, and of these the lowest ids.
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

-- 8. Those of @dray_full wait under the key that is full.
UPDATE JSON_TABLE(@dray_full, '$[*]' COLUMNS (
	id bigint PATH '$.id',
	name varchar(255) CHARACTER SET utf8mb4 PATH '$.key')) f
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = f.id
SET b.concurrency_key = f.name;

-- 9. Those of @dray_admitted hold a slot of each of their keys.
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT n.name, n.job_id, n.class_name, n.position, :now
FROM {include:ids @dray_admitted} x
STRAIGHT_JOIN JSON_TABLE(@dray_room, '$[*]' COLUMNS (
	id bigint PATH '$.id',
	job_id bigint PATH '$.job_id',
	class_name varchar(255) CHARACTER SET utf8mb4 PATH '$.class_name',
	name varchar(255) CHARACTER SET utf8mb4 PATH '$.key',
	position int PATH '$.position')) n ON n.id = x.id
{include:unless_there dray_slots};

-- 10. They are ready,
{include:ready_admitted};

-- 11. their slots are taken from the semaphores,
UPDATE (
	SELECT n.name, COUNT(*) AS count, MAX(n.duration_ms) AS duration_ms
	FROM {include:ids @dray_admitted} x
	STRAIGHT_JOIN JSON_TABLE(@dray_room, '$[*]' COLUMNS (
		id bigint PATH '$.id',
		name varchar(255) {as_jobs} PATH '$.key',
		duration_ms bigint PATH '$.duration_ms')) n ON n.id = x.id
	GROUP BY n.name) t
{include:take_from_semaphores};

-- 12. and they are blocked no longer.
{include:unblock_admitted};

-- 13. How many were admitted, and whether to come again.
-- rows
SELECT COALESCE(JSON_LENGTH(@dray_admitted), 0), COUNT(k.job_id)
FROM {include:distinct_keys :keys} n
STRAIGHT_JOIN {include:semaphore n.name}
STRAIGHT_JOIN solid_queue_blocked_executions b
	FORCE INDEX (index_solid_queue_blocked_executions_for_release) ON b.concurrency_key = s.`key`
STRAIGHT_JOIN dray_keys k FORCE INDEX (PRIMARY) ON k.job_id = b.job_id
WHERE s.value > 0;

-- @postgresql
-- Does what slots_admit does where jobs may need several keys: a job gets a slot of each of its
-- keys, and then is ready, or none. One that finds a key full waits under that key from now on,
-- so that whatever frees it will look at the job again. Of each key, the jobs that are looked at
-- are as many as it has free slots and `more`, 200 at most. A job that is next for one of its
-- keys and not for another stays where it is. undecided: how many jobs of several keys still stand
-- under a key that has a free slot.
WITH locked AS (
	SELECT DISTINCT k.key FROM json_to_recordset(:keys::json) AS k(key text)
), candidate AS (
	SELECT b.id, b.job_id, b.priority AS rank, j.queue_name, j.class_name, j.priority,
		j.concurrency_key
	FROM locked JOIN solid_queue_semaphores s ON s.key = locked.key AND s.value > 0
	CROSS JOIN LATERAL (
		SELECT id, job_id, priority FROM solid_queue_blocked_executions e
		WHERE concurrency_key = s.key AND {include:blocked_exists e} ORDER BY priority, job_id
		LIMIT LEAST(s.value + :more, 200) {skip_locked}) b
	{include:job_of b.job_id}
), need AS (
	SELECT id, job_id, rank, class_name, concurrency_key AS key, 0 AS position FROM candidate
	UNION ALL
	SELECT c.id, c.job_id, c.rank, c.class_name, k.concurrency_key, k.position
	FROM candidate c CROSS JOIN LATERAL (
		SELECT concurrency_key, position FROM dray_keys WHERE job_id = c.job_id OFFSET 0) k
), known AS (
	SELECT s.key, s.value, (SELECT {include:slots_in_use s.key}) AS held
	FROM locked JOIN solid_queue_semaphores s ON s.key = locked.key
	WHERE s.key IN (SELECT key FROM need)
), room AS (
	SELECT need.*, LEAST(known.value, l.slots - known.held) AS room,
		COALESCE(l.duration_ms, 180000) AS duration_ms
	FROM need
	LEFT JOIN known ON known.key = need.key
	LEFT JOIN dray_classes l ON l.class_name = need.class_name AND l.position = need.position
), blocking AS (
	SELECT DISTINCT ON (id) id, key FROM room WHERE room <= 0 ORDER BY id, position
), ranked AS (
	SELECT *, row_number() OVER (PARTITION BY key ORDER BY rank, job_id) AS place
	FROM room WHERE id NOT IN (SELECT id FROM blocking)
), admitted AS (
	SELECT id FROM ranked GROUP BY id HAVING bool_and(COALESCE(place <= room, false))
), moved AS (
	UPDATE solid_queue_blocked_executions b SET concurrency_key = blocking.key
	FROM blocking
	WHERE b.id = ANY (ARRAY(SELECT id FROM blocking)) AND b.id = blocking.id
		AND b.concurrency_key <> blocking.key
), gone AS (
	DELETE FROM solid_queue_blocked_executions WHERE id = ANY (ARRAY(SELECT id FROM admitted))
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT job_id, queue_name, priority, :now::timestamp FROM candidate
	WHERE id IN (SELECT id FROM admitted)
	{include:unless_there}
), held AS (
	INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
	SELECT key, job_id, class_name, position, :now FROM ranked
	WHERE id IN (SELECT id FROM admitted)
	ON CONFLICT (concurrency_key, job_id) DO UPDATE SET created_at = excluded.created_at
)
UPDATE solid_queue_semaphores s SET value = s.value - t.count,
	expires_at = {include:after_now t.duration_ms}
FROM (SELECT key, count(*) AS count, max(duration_ms) AS duration_ms FROM ranked
	WHERE id IN (SELECT id FROM admitted) GROUP BY key) t
WHERE s.key = t.key;
-- rows
SELECT (SELECT count(DISTINCT h.job_id) FROM dray_slots h
		WHERE h.concurrency_key = ANY (ARRAY(SELECT k.key
				FROM json_to_recordset(:keys::json) AS k(key text)))
			AND h.created_at = :now),
	(SELECT count(*) FROM solid_queue_semaphores s
		CROSS JOIN LATERAL (
			SELECT job_id FROM solid_queue_blocked_executions
			WHERE concurrency_key = s.key ORDER BY priority, job_id LIMIT 200) b
		WHERE s.key = ANY (ARRAY(SELECT k.key
				FROM json_to_recordset(:keys::json) AS k(key text)))
			AND s.value > 0 AND (SELECT k.job_id FROM dray_keys k
				WHERE k.job_id = b.job_id LIMIT 1) IS NOT NULL);

-- @sqlite
-- Does what slots_admit does where jobs may need several keys: a job gets a slot of each of its
-- keys, and then is ready, or none. One that finds a key full waits under that key from now on,
-- so that whatever frees it will look at the job again. Of each key `more` than 100 jobs are
-- looked at, 200 at most: LIMIT cannot know here how many free slots there are. A job that is
-- next for one of its keys and not for another stays where it is. undecided: how many jobs of
-- several keys still stand under a key that has a free slot.
UPDATE solid_queue_blocked_executions SET concurrency_key = blocking.key
FROM (
	WITH
	{include:room_of_candidates}
	SELECT job_id, key, min(position) FROM room WHERE room <= 0 GROUP BY job_id) blocking
WHERE solid_queue_blocked_executions.job_id = blocking.job_id;
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT key, job_id, class_name, position, :now
FROM (
	WITH
	{include:room_of_candidates}
	, ranked AS MATERIALIZED (
		SELECT *, row_number() OVER (PARTITION BY key ORDER BY rank, job_id) AS place FROM room
	)
	SELECT key, job_id, class_name, position FROM ranked WHERE job_id IN (
		SELECT job_id FROM ranked GROUP BY job_id
		HAVING min(COALESCE(place <= room, 0)) = 1))
WHERE true
ON CONFLICT (concurrency_key, job_id) DO UPDATE SET created_at = excluded.created_at;
{include:pay_for_admitted};
{include:ready_admitted};
{include:unblock_admitted};
-- rows
{include:count_several};
