-- dispatch_jobs(jobs, now) ->
-- Moves these jobs, which have no concurrency key, from scheduled to ready if they are due.
WITH due AS (
	DELETE FROM solid_queue_scheduled_executions
	WHERE job_id = ANY (:jobs::bigint[]) AND scheduled_at <= :now
	RETURNING job_id
)
{include:insert_ready}
FROM due {include:job_of due.job_id}
{include:unless_there};
