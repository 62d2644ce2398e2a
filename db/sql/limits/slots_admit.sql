-- slots_admit(keys, now) -> admitted, undecided

-- @mysql
-- Gives the free slots of these keys, whose semaphores are locked, to the jobs that are blocked
-- by them, the most urgent first: at most 500 for a key at once. A blocked row that somebody
-- else has locked is for them to release. A job that needs other keys, too, is not let in, but
-- counted (undecided), and stands before the others: slots_admit_several decides.

-- 1. @dray_next: the jobs that are next under each key that has a free slot, as many as it has
-- and the class may have beside those that run or are ready; @dray_undecided: how many of them need
-- several keys. The recursion walks from one blocked row to the next in the index, because a
-- LIMIT for each key cannot be said otherwise. When there are none, the script ends here.
-- guard
SELECT JSON_ARRAYAGG(CASE WHEN n.several IS NULL
		THEN JSON_OBJECT('key', n.name, 'priority', n.priority, 'job_id', n.job_id) END),
	COUNT(n.several)
INTO @dray_next, @dray_undecided FROM (
	WITH RECURSIVE next (name, room, held, place, id, job_id, priority) AS (
		SELECT k.name, LEAST(s.value, 500), (SELECT {include:slots_in_use k.name}), 1,
			b.id, b.job_id, b.priority
		FROM {include:distinct_keys :keys} k
		STRAIGHT_JOIN {include:semaphore k.name}
		{include:first_blocked k.name}
		WHERE s.value > 0
		UNION ALL
		SELECT n.name, n.room, n.held, n.place + 1, b.id, b.job_id, b.priority
		FROM next n
		{include:next_blocked}
		WHERE n.place < n.room
	)
	SELECT next.name, next.priority, next.job_id, (SELECT k.job_id FROM dray_keys k FORCE INDEX (PRIMARY)
		WHERE k.job_id = next.job_id LIMIT 1) AS several
	FROM next
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = next.job_id
	{include:first_limit}
	WHERE l.slots IS NULL OR next.held + next.place <= l.slots) n
HAVING COUNT(*) > 0;

-- 2. @dray_admitted: those of them whose blocked rows no other transaction has locked. This locks
-- them.
SELECT JSON_ARRAYAGG(b.id) INTO @dray_admitted FROM (
	SELECT b.id
	FROM {include:lock_next}) b;

-- 3. They hold a slot,
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT b.concurrency_key, j.id, j.class_name, 0, :now
FROM {include:admitted_jobs}
{include:unless_there dray_slots};

-- 4. they are ready,
{include:ready_admitted};

-- 5. their slots are taken from the semaphores,
UPDATE (
	SELECT b.concurrency_key AS name, COUNT(*) AS count,
		MAX(COALESCE(l.duration_ms, 180000)) AS duration_ms
	FROM {include:admitted_jobs}
	{include:first_limit}
	GROUP BY b.concurrency_key) t
{include:take_from_semaphores};

-- 6. and they are blocked no longer.
{include:unblock_admitted};
-- rows
SELECT COALESCE(JSON_LENGTH(@dray_admitted), 0), @dray_undecided;

-- @postgresql
-- Gives the free slots of these keys, whose semaphores are locked, to the jobs that are blocked
-- by them, the most urgent first: at most 500 for a key at once. A blocked row that somebody
-- else has locked is for them to release. A job that needs other keys, too, is not let in, but
-- counted (undecided), and stands before the others: slots_admit_several decides.
-- rows
WITH free AS (
	SELECT s.key, s.value, (SELECT {include:slots_in_use s.key}) AS held
	FROM (SELECT DISTINCT k.key FROM json_to_recordset(:keys::json) AS k(key text)) x
	JOIN solid_queue_semaphores s ON s.key = x.key
	WHERE s.value > 0
), next AS (
	SELECT b.id, b.job_id, free.key,
		free.held + row_number() OVER (PARTITION BY free.key ORDER BY b.priority, b.job_id)
			AS place
	FROM free CROSS JOIN LATERAL (
		SELECT id, job_id, priority FROM solid_queue_blocked_executions e
		WHERE concurrency_key = free.key AND {include:blocked_exists e}
		ORDER BY priority, job_id LIMIT LEAST(free.value, 500) {skip_locked}) b
), admitted AS (
	SELECT next.id, next.key, j.id AS job_id, j.queue_name, j.class_name, j.priority,
		COALESCE(l.duration_ms, 180000) AS duration_ms
	FROM next {include:job_of next.job_id}
	{include:first_limit}
	WHERE (l.slots IS NULL OR next.place <= l.slots)
		AND (SELECT k.job_id FROM dray_keys k WHERE k.job_id = next.job_id LIMIT 1) IS NULL
), gone AS (
	DELETE FROM solid_queue_blocked_executions WHERE id = ANY (ARRAY(SELECT id FROM admitted))
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT job_id, queue_name, priority, :now::timestamp FROM admitted
	{include:unless_there}
), held AS (
	INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
	SELECT key, job_id, class_name, 0, :now FROM admitted
	ON CONFLICT (concurrency_key, job_id) DO NOTHING
), taken AS (
	UPDATE solid_queue_semaphores s SET value = s.value - t.count,
		expires_at = {include:after_now t.duration_ms}
	FROM (SELECT key, count(*) AS count, max(duration_ms) AS duration_ms FROM admitted
		GROUP BY key) t
	WHERE s.key = t.key
)
SELECT count(*), (SELECT count(*) FROM next
	WHERE (SELECT k.job_id FROM dray_keys k WHERE k.job_id = next.job_id LIMIT 1) IS NOT NULL)
FROM admitted;

-- @sqlite
-- Gives the free slots of these keys, whose semaphores are locked, to the jobs that are blocked
-- by them, the most urgent first: at most 500 for a key at once. What has been admitted is
-- blocked, and holds a slot of this time, until the last statement. A job that needs other keys,
-- too, is not let in, but counted (undecided), and stands before the others: slots_admit_several
-- decides.
INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, created_at)
SELECT free.key, j.id, j.class_name, 0, :now
FROM (
	SELECT s.key, s.value, (SELECT {include:slots_in_use s.key}) AS held, (
			SELECT json_group_array(next.job_id) FROM (
				SELECT b.job_id FROM solid_queue_blocked_executions b
				WHERE b.concurrency_key = s.key AND {include:blocked_exists b}
				ORDER BY b.priority, b.job_id
				LIMIT (SELECT min(500, max(m.value)) FROM solid_queue_semaphores m
					WHERE m.key IN (SELECT value ->> 'key' FROM json_each(:keys)))
			) next) AS jobs
	FROM solid_queue_semaphores s
	WHERE s.key IN (SELECT value ->> 'key' FROM json_each(:keys)) AND s.value > 0) free
CROSS JOIN json_each(free.jobs) next
CROSS JOIN solid_queue_jobs j ON j.id = next.value
{include:first_limit}
WHERE next.key < free.value AND (l.slots IS NULL OR free.held + next.key < l.slots)
	AND NOT EXISTS (SELECT 1 FROM dray_keys k WHERE k.job_id = next.value)
ON CONFLICT (concurrency_key, job_id) DO UPDATE SET created_at = excluded.created_at;
{include:pay_for_admitted};
{include:ready_admitted};
{include:unblock_admitted};
-- rows
{include:count_several};
