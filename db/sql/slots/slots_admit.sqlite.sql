-- slots_admit(keys, now) -> admitted, undecided
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
