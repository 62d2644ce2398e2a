-- What several operations of limits/ share (db/scripts/dialect.h).
-- columns slot_key(concurrency_key, class_name, position)
-- list slot_row(key, class_name, position, exact, sure, back)

-- @fragment admitted_jobs
-- The jobs j that are admitted now, each with its blocked row b.

-- @mysql
{include:ids @dray_admitted} x
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = b.job_id

-- @fragment blocked_exists
-- The blocked row {it} has its job. One without (deleted by hand) must not hold up its key.
(SELECT own.id FROM solid_queue_jobs own WHERE own.id = {it}.job_id) IS NOT NULL

-- @fragment candidates
-- The jobs in @dray_candidates as a table: id is that of the blocked row.

-- @mysql
JSON_TABLE(@dray_candidates, '$[*]' COLUMNS (
	id bigint PATH '$.id', job_id bigint PATH '$.job_id', priority int PATH '$.priority'))

-- @fragment claim_and_ready_row
-- Joins the claim c of the job {it}, if it runs, and its ready row r, if it is ready.

-- @mysql
LEFT JOIN solid_queue_claimed_executions c
	FORCE INDEX (index_solid_queue_claimed_executions_on_job_id) ON c.job_id = {it}
LEFT JOIN solid_queue_ready_executions r
	FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = {it}

-- @fragment class_cancels
-- Does the class of the job j have a limit with on_conflict "cancel_running"?
CASE WHEN EXISTS (SELECT 1 FROM dray_classes l
	WHERE l.class_name = j.class_name AND l.on_conflict = 'cancel_running') THEN 1 ELSE 0 END

-- @fragment conflicting
-- The blocked jobs of those of these keys for which on_conflict says more than to block, each with what its
-- own class says.

-- @mysql
SELECT b.id, b.job_id, b.created_at, l.on_conflict, j.class_name, b.concurrency_key
FROM (SELECT DISTINCT k.name FROM JSON_TABLE(:keys, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key',
	class_name varchar(255) {as_jobs} PATH '$.class_name',
	position int PATH '$.position')) k
	STRAIGHT_JOIN dray_classes l FORCE INDEX (PRIMARY)
		ON l.class_name = k.class_name AND l.position = k.position
	WHERE l.on_conflict <> 'block') x
STRAIGHT_JOIN solid_queue_blocked_executions b
	FORCE INDEX (index_solid_queue_blocked_executions_for_release)
	ON b.concurrency_key = x.name
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = b.job_id
STRAIGHT_JOIN dray_classes l FORCE INDEX (PRIMARY)
	ON l.class_name = j.class_name AND l.position = COALESCE((
		SELECT n.position FROM dray_keys n FORCE INDEX (PRIMARY)
		WHERE n.job_id = b.job_id
			AND n.concurrency_key = b.concurrency_key), 0)

-- @postgresql
SELECT b.id, b.job_id, b.created_at, l.on_conflict, j.class_name, b.concurrency_key
FROM (SELECT DISTINCT k.key FROM json_to_recordset(:keys::json)
		AS k(key text, class_name text, position integer)
	JOIN dray_classes l ON l.class_name = k.class_name AND l.position = k.position
	WHERE l.on_conflict <> 'block') x
CROSS JOIN LATERAL (
	SELECT id, job_id, created_at, concurrency_key FROM solid_queue_blocked_executions
	WHERE concurrency_key = x.key ORDER BY priority, job_id OFFSET 0) b
{include:job_of b.job_id}
JOIN dray_classes l ON l.class_name = j.class_name AND l.position = COALESCE((
		SELECT n.position FROM dray_keys n
		WHERE n.job_id = b.job_id AND n.concurrency_key = b.concurrency_key), 0)

-- @sqlite
SELECT b.id, b.job_id, b.created_at, l.on_conflict, j.class_name, b.concurrency_key
FROM (SELECT DISTINCT k.value ->> 'key' AS key FROM json_each(:keys) k
	CROSS JOIN dray_classes l ON l.class_name = (k.value ->> 'class_name')
		AND l.position = (k.value ->> 'position')
	WHERE l.on_conflict <> 'block') x
CROSS JOIN solid_queue_blocked_executions b ON b.concurrency_key = x.key
CROSS JOIN solid_queue_jobs j ON j.id = b.job_id
CROSS JOIN dray_classes l ON l.class_name = j.class_name AND l.position = COALESCE((
		SELECT n.position FROM dray_keys n
		WHERE n.job_id = b.job_id AND n.concurrency_key = b.concurrency_key), 0)

-- @fragment count_several
-- Counts how many jobs were admitted, and how many that need several keys stand under a key that
-- has a free slot.

-- @sqlite
SELECT changes(), count(*)
FROM solid_queue_semaphores s
CROSS JOIN solid_queue_blocked_executions b ON b.concurrency_key = s.key
WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys)) AND s.value > 0
	AND EXISTS (SELECT 1 FROM dray_keys k WHERE k.job_id = b.job_id)

-- @fragment first_blocked
-- Joins b, the first of the blocked rows f for which f.concurrency_key is {it}.

-- @mysql
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = (
	SELECT f.id FROM solid_queue_blocked_executions f
		FORCE INDEX (index_solid_queue_blocked_executions_for_release)
	WHERE f.concurrency_key = {it} AND {include:blocked_exists f}
	ORDER BY f.concurrency_key, f.priority, f.job_id LIMIT 1)

-- @fragment first_limit
-- What the class of job j declares of its first limit, if anything.
LEFT JOIN dray_classes l {index:PRIMARY} ON l.class_name = j.class_name AND l.position = 0

-- @fragment holds_no_slot
-- The job {it} holds no slot of ours.
(SELECT s.job_id FROM dray_slots s {index:index_dray_slots_on_job_id}
	WHERE s.job_id = {it} LIMIT 1) IS NULL

-- @fragment insert_blocked
-- Makes the jobs j blocked, until slots_admit gives them their slots; the script says which
-- these are, and joins first_limit as l.
INSERT INTO solid_queue_blocked_executions
	(job_id, queue_name, priority, concurrency_key, expires_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.concurrency_key,
	{include:after_now COALESCE(l.duration_ms, 180000)}, :now

-- @fragment is_retried
-- The job {it} failed before, and is tried again. Where the history does not have that (it failed under
-- Rails), a person retried it, who leaves runs_before.
((SELECT h.job_id FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_id}
		WHERE h.job_id = {it} AND h.outcome IN ('failed', 'retried') LIMIT 1) IS NOT NULL
	OR (SELECT lost.job_id FROM dray_losses lost {index:PRIMARY}
		WHERE lost.job_id = {it} AND lost.runs_before <> 0) IS NOT NULL)

-- @fragment lock_next
-- The blocked rows b that @dray_next names, locked; one that somebody else has locked is left
-- out, and is for them to release. They are locked as Solid Queue does, by the index and then
-- the row: if only the row were locked, a releaser of Solid Queue's would pass it by, keep the
-- index's lock and wait for the semaphore, and this would wait for the index.

-- @mysql
(SELECT DISTINCT x.name, x.priority, x.job_id FROM JSON_TABLE(@dray_next, '$[*]' COLUMNS (
	name varchar(255) {as_jobs} PATH '$.key',
	priority int PATH '$.priority',
	job_id bigint PATH '$.job_id')) x) d
STRAIGHT_JOIN solid_queue_blocked_executions b
	FORCE INDEX (index_solid_queue_blocked_executions_for_release)
	ON b.concurrency_key = d.name AND b.priority = d.priority AND b.job_id = d.job_id
{skip_locked}

-- @fragment neither_runs_nor_is_ready
-- The job {it} neither runs nor is ready.
NOT EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.job_id = {it})
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = {it})

-- @fragment next_blocked
-- Joins b, the blocked row that comes after n under n's key.

-- @mysql
{include:first_blocked n.name AND f.priority >= n.priority AND (f.priority > n.priority OR f.job_id > n.job_id)}

-- @fragment pay_for_admitted
-- Takes the slots that were given at this time from the semaphores.

-- @sqlite
UPDATE solid_queue_semaphores SET value = value - t.count,
	expires_at = {include:after_now t.duration_ms}
FROM (
	SELECT s.concurrency_key AS key, count(*) AS count,
		max(COALESCE(l.duration_ms, 180000)) AS duration_ms
	FROM dray_slots s
	CROSS JOIN solid_queue_blocked_executions b ON b.job_id = s.job_id
	LEFT JOIN dray_classes l ON l.class_name = s.class_name AND l.position = s.position
	WHERE s.concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys))
		AND s.created_at = :now
	GROUP BY s.concurrency_key) t
WHERE solid_queue_semaphores.key = t.key

-- @fragment ready_admitted
-- @mysql
-- Makes the jobs that are admitted now ready.
{include:insert_ready}
FROM {include:admitted_jobs}
{include:unless_there solid_queue_ready_executions}

-- @sqlite
-- Makes the jobs that got a slot at this time ready.
{include:insert_ready}
FROM dray_slots s
CROSS JOIN solid_queue_blocked_executions b ON b.job_id = s.job_id
CROSS JOIN solid_queue_jobs j ON j.id = s.job_id
WHERE s.concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys))
		AND s.created_at = :now
{include:unless_there}

-- @fragment room_of_candidates
-- The jobs that are next under each of :keys, each with every key that it needs and the room
-- under that key.

-- @sqlite
candidate AS MATERIALIZED (
	SELECT b.job_id, b.priority AS rank, j.class_name, j.concurrency_key
	FROM solid_queue_semaphores s
	CROSS JOIN solid_queue_blocked_executions b ON b.job_id IN (
		SELECT f.job_id FROM solid_queue_blocked_executions f
		WHERE f.concurrency_key = s.key AND {include:blocked_exists f}
		ORDER BY f.priority, f.job_id LIMIT min(100 + :more, 200))
	CROSS JOIN solid_queue_jobs j ON j.id = b.job_id
	WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys)) AND s.value > 0
), need AS (
	SELECT job_id, rank, class_name, concurrency_key AS key, 0 AS position FROM candidate
	UNION ALL
	SELECT w.job_id, w.rank, w.class_name, k.concurrency_key, k.position
	FROM candidate w CROSS JOIN dray_keys k ON k.job_id = w.job_id
), known AS MATERIALIZED (
	SELECT s.key, s.value, (
		SELECT {include:slots_in_use s.key}) AS held
	FROM solid_queue_semaphores s
	WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys))
), room AS (
	SELECT need.*, min(known.value, COALESCE(l.slots - known.held, known.value)) AS room
	FROM need
	LEFT JOIN known ON known.key = need.key
	LEFT JOIN dray_classes l
		ON l.class_name = need.class_name AND l.position = need.position
)

-- @fragment runs_or_is_ready
-- The job {it} runs or is ready.
(EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.job_id = {it})
	OR EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = {it}))

-- @fragment semaphore
-- The semaphore s of the key {it}.

-- @mysql
solid_queue_semaphores s FORCE INDEX (index_solid_queue_semaphores_on_key) ON s.`key` = {it}

-- @fragment slots_in_use
-- Counts the slots of the key {it} that ready or running jobs hold.

-- @mysql
COUNT(*) FROM dray_slots h FORCE INDEX (PRIMARY)
{include:claim_and_ready_row h.job_id}
WHERE h.concurrency_key = {it} AND (c.id IS NOT NULL OR r.id IS NOT NULL)

-- @postgresql @sqlite
count(*) FROM dray_slots h WHERE h.concurrency_key = {it} AND {include:runs_or_is_ready h.job_id}

-- @fragment take_from_semaphores
-- Takes from the semaphores of the keys t.name the t.count slots that are given away now, and
-- puts off when they expire.

-- @mysql
STRAIGHT_JOIN {include:semaphore t.name}
SET s.value = s.value - t.count, s.expires_at = {include:after_now t.duration_ms}

-- @fragment unblock_admitted
-- @mysql
-- Deletes the blocked rows of the jobs that are admitted now.
DELETE b
FROM {include:ids @dray_admitted} x
STRAIGHT_JOIN solid_queue_blocked_executions b FORCE INDEX (PRIMARY) ON b.id = x.id

-- @sqlite
-- Deletes the blocked rows of the jobs that got a slot at this time.
DELETE FROM solid_queue_blocked_executions WHERE job_id IN (
	SELECT s.job_id FROM dray_slots s
	WHERE s.concurrency_key IN (SELECT value ->> 'key' FROM json_each(:keys))
		AND s.created_at = :now)

-- @fragment was_tried
-- The job {it} has run before, however that ended: what its class says of conflicts is about new jobs.
((SELECT h.job_id FROM dray_attempts h {index:index_dray_attempts_on_job_id_and_id}
		WHERE h.job_id = {it} LIMIT 1) IS NOT NULL
	OR (SELECT lost.job_id FROM dray_losses lost {index:PRIMARY} WHERE lost.job_id = {it}) IS NOT NULL)
