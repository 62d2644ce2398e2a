-- dispatch_limited(jobs, now) ->

-- @mysql
-- Moves these jobs, if they are due, from scheduled to blocked, until slots_admit. Their
-- semaphores are locked already, while Solid Queue locks the scheduled row first: a row that it
-- has locked is left to it. Rows are locked by the index that Solid Queue uses, and then the
-- row: if only the row were locked, its dispatcher would pass it by, keep the index's lock and
-- wait for a semaphore, and this would wait for the index.
SELECT JSON_ARRAYAGG(due.id) INTO @dray_due FROM (
	SELECT s.id
	FROM (SELECT DISTINCT w.scheduled_at, w.priority, w.job_id
		FROM {include:ids :jobs} x
		STRAIGHT_JOIN solid_queue_scheduled_executions w
			FORCE INDEX (index_solid_queue_scheduled_executions_on_job_id) ON w.job_id = x.id
		WHERE w.scheduled_at <= :now) d
	STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (index_solid_queue_dispatch_all)
		ON s.scheduled_at = d.scheduled_at AND s.priority = d.priority AND s.job_id = d.job_id
	{skip_locked}) due;
{include:insert_blocked}
FROM {include:due_jobs}
{include:first_limit}
ORDER BY j.id
{include:unless_there solid_queue_blocked_executions};
DELETE s
FROM {include:ids @dray_due} x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id;

-- @postgresql
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

-- @sqlite
-- Moves these jobs, if they are due, from scheduled to blocked, until slots_admit.
{include:insert_blocked}
FROM solid_queue_scheduled_executions s
JOIN solid_queue_jobs j ON j.id = s.job_id
{include:first_limit}
WHERE s.job_id {in:jobs} AND {include:is_due s.scheduled_at}
ORDER BY j.id
{include:unless_there};
DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs} AND {include:is_due scheduled_at};
