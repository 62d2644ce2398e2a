-- dispatch_limited(jobs, now) ->
-- Moves these jobs, if they are due, from scheduled to blocked, until slots_admit. Their
-- semaphores are locked already, while Solid Queue locks the scheduled row first: a row that it
-- has locked is left to it.
WITH due AS (
	DELETE FROM solid_queue_scheduled_executions
	WHERE job_id = ANY (ARRAY(
		SELECT job_id FROM solid_queue_scheduled_executions
		WHERE job_id = ANY (:jobs::bigint[]) AND scheduled_at <= :now
		{skip_locked}))
	RETURNING job_id
)
{include:insert_blocked}
FROM due {include:job_of due.job_id}
{include:first_limit}
ORDER BY j.id
{include:unless_there};
