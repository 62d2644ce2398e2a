-- slots_admit(keys, now) -> admitted, undecided
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
