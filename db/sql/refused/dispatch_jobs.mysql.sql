-- dispatch_jobs(jobs, now) ->
-- Moves these jobs, which have no concurrency key, from scheduled to ready if they are due.
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
