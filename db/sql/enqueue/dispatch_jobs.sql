-- dispatch_jobs(jobs, now) ->
-- Moves these jobs, which have no concurrency key, from scheduled to ready if they are due.

-- @mysql
SELECT JSON_ARRAYAGG(s.id) INTO @dray_due FROM (
	SELECT s.id
	FROM {include:distinct_ids :jobs} d
	STRAIGHT_JOIN solid_queue_scheduled_executions s
		FORCE INDEX (index_solid_queue_scheduled_executions_on_job_id) ON s.job_id = d.id
	WHERE s.scheduled_at <= :now
	FOR UPDATE) s;
{include:insert_ready}
FROM {include:due_jobs}
{include:unless_there solid_queue_ready_executions};
DELETE s
FROM {include:ids @dray_due} x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id;

-- @postgresql
WITH due AS (
	DELETE FROM solid_queue_scheduled_executions
	WHERE job_id = ANY (:jobs::bigint[]) AND scheduled_at <= :now
	RETURNING job_id
)
{include:insert_ready}
FROM due {include:job_of due.job_id}
{include:unless_there};

-- @sqlite
{include:insert_ready}
FROM solid_queue_scheduled_executions s
CROSS JOIN solid_queue_jobs j ON j.id = s.job_id
WHERE s.job_id {in:jobs} AND {include:is_due s.scheduled_at} AND j.concurrency_key IS NULL
{include:unless_there};
DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs} AND {include:is_due scheduled_at}
	AND EXISTS (SELECT 1 FROM solid_queue_ready_executions r
		WHERE r.job_id = solid_queue_scheduled_executions.job_id);
