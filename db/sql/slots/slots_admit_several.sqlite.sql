-- slots_admit_several(keys, now, more) -> admitted, undecided
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
