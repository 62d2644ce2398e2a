-- dispatch(limit, now) -> moved, job_id
-- Moves the next due jobs from scheduled to ready, into the queue and priority that each job has
-- by now. Limited jobs stay where they are and are returned, a row each, beside how many moved;
-- there is always at least one row.
SELECT JSON_ARRAYAGG(due.id) INTO @dray_due FROM (
	SELECT s.id FROM solid_queue_scheduled_executions s FORCE INDEX (index_solid_queue_dispatch_all)
	WHERE s.scheduled_at <= :now
	ORDER BY s.scheduled_at, s.priority, s.job_id LIMIT :limit {skip_locked}) due;
{include:insert_ready}
FROM {include:due_jobs}
WHERE j.concurrency_key IS NULL
{include:unless_there solid_queue_ready_executions};
DELETE s
FROM {include:ids @dray_due} x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id
STRAIGHT_JOIN solid_queue_ready_executions r
	FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = s.job_id;
SELECT JSON_ARRAYAGG(s.job_id) INTO @dray_limited
FROM {include:ids @dray_due} x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id;
-- rows
SELECT m.moved, l.id
FROM (SELECT COALESCE(JSON_LENGTH(@dray_due), 0) - COALESCE(JSON_LENGTH(@dray_limited), 0)
	AS moved) m
LEFT JOIN {include:ids @dray_limited} l ON l.id IS NOT NULL;
