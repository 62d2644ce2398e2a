-- slots_admit_several(keys, now, more) -> admitted, again
-- As slots_admit, where jobs may need several keys: one runs when it gets a slot of each, and it
-- takes all of them or none. One of whose keys another is full waits under that one from now on, so
-- that whatever frees it will look again. Of each key the next `more` than 100 are looked at (LIMIT
-- cannot know here how many slots it has), 200 at most; who is next for one of his keys and not for
-- another stays where he is: again counts those who stand under a key that has a slot.
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
