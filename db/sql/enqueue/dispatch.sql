-- dispatch(limit, now) -> moved, job_id

-- @mysql
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

-- @postgresql
-- Moves the next due jobs from scheduled to ready, into the queue and priority that each job has
-- by now. Limited jobs stay where they are and are returned, a row each, beside how many moved;
-- there is always at least one row.
-- rows
WITH due AS (
	SELECT id, job_id FROM solid_queue_scheduled_executions WHERE scheduled_at <= :now
	ORDER BY scheduled_at, priority, job_id LIMIT :limit {skip_locked}
), job AS (
	SELECT due.id AS execution_id, j.id, j.queue_name, j.priority, j.concurrency_key
	FROM due {include:job_of due.job_id}
), moved AS (
	DELETE FROM solid_queue_scheduled_executions WHERE id = ANY (ARRAY(
		SELECT execution_id FROM job WHERE concurrency_key IS NULL))
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT id, queue_name, priority, :now FROM job WHERE concurrency_key IS NULL
	{include:unless_there}
)
SELECT m.moved, job.id
FROM (SELECT count(*) AS moved FROM job WHERE concurrency_key IS NULL) m
LEFT JOIN job ON job.concurrency_key IS NOT NULL;

-- @sqlite
-- Moves the next due jobs from scheduled to ready, into the queue and priority that each job has
-- by now. Limited jobs stay where they are and are returned, a row each, beside how many moved;
-- there is always at least one row. After some of a batch have moved, those of it that stayed
-- are the first that are due. A time in another form (a number, one with a zone) sorts elsewhere, so it
-- is read first.
UPDATE solid_queue_scheduled_executions SET scheduled_at = {include:time_read scheduled_at}
WHERE id IN (SELECT id FROM solid_queue_scheduled_executions WHERE scheduled_at <= :now
	ORDER BY scheduled_at, priority, job_id LIMIT :limit) AND {include:time_is_odd scheduled_at};
{include:insert_ready}
FROM (SELECT job_id FROM solid_queue_scheduled_executions WHERE {include:is_due scheduled_at}
	ORDER BY scheduled_at, priority, job_id LIMIT :limit) due
CROSS JOIN solid_queue_jobs j ON j.id = due.job_id
WHERE j.concurrency_key IS NULL
{include:unless_there};
DELETE FROM solid_queue_scheduled_executions WHERE id IN (
	SELECT due.id
	FROM (SELECT id, job_id FROM solid_queue_scheduled_executions WHERE {include:is_due scheduled_at}
		ORDER BY scheduled_at, priority, job_id LIMIT :limit) due
	WHERE EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.job_id = due.job_id));
-- rows
SELECT changes(), NULL
UNION ALL
SELECT 0, job_id FROM (SELECT job_id FROM solid_queue_scheduled_executions
	WHERE {include:is_due scheduled_at}
	ORDER BY scheduled_at, priority, job_id LIMIT :limit - changes());
