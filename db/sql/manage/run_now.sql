-- run_now(jobs, now, audit) -> job_id
-- Makes scheduled jobs due at once: they become ready, or blocked, until slots_admit, where they
-- are limited. `audit` is the line of the audit trail that counts them.

-- @mysql
SELECT JSON_ARRAYAGG(s.id) INTO @dray_due FROM (
	SELECT s.id
	FROM {include:distinct_ids :jobs} d
	STRAIGHT_JOIN solid_queue_scheduled_executions s
		FORCE INDEX (index_solid_queue_scheduled_executions_on_job_id) ON s.job_id = d.id
	FOR UPDATE) s;
UPDATE {include:due_jobs}
SET j.scheduled_at = :now, j.updated_at = :now;
{include:insert_ready}
FROM {include:due_jobs}
WHERE j.concurrency_key IS NULL
{include:unless_there solid_queue_ready_executions};
{include:insert_blocked}
FROM {include:due_jobs}
{include:first_limit}
WHERE j.concurrency_key IS NOT NULL
ORDER BY j.id
{include:unless_there solid_queue_blocked_executions};
-- rows
SELECT s.job_id
FROM {include:ids @dray_due} x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id;
DELETE s
FROM {include:ids @dray_due} x
STRAIGHT_JOIN solid_queue_scheduled_executions s FORCE INDEX (PRIMARY) ON s.id = x.id;
UPDATE dray_audit SET count = count + COALESCE(JSON_LENGTH(@dray_due), 0) WHERE id = :audit;

-- @postgresql
-- rows
WITH gone AS (
	DELETE FROM solid_queue_scheduled_executions WHERE job_id = ANY (:jobs::bigint[])
	RETURNING job_id
), due AS (
	UPDATE solid_queue_jobs SET scheduled_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM gone))
	RETURNING id, queue_name, class_name, priority, concurrency_key
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT id, queue_name, priority, :now FROM due WHERE concurrency_key IS NULL
	{include:unless_there}
), blocked AS (
	{include:insert_blocked}
	FROM due j
	{include:first_limit}
	WHERE j.concurrency_key IS NOT NULL
	ORDER BY j.id
	{include:unless_there}
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM gone) WHERE id = :audit
)
SELECT job_id FROM gone;

-- @sqlite
UPDATE solid_queue_jobs SET scheduled_at = :now, updated_at = :now
WHERE id IN (SELECT job_id FROM solid_queue_scheduled_executions WHERE job_id {in:jobs});
{include:insert_ready}
FROM solid_queue_scheduled_executions s
CROSS JOIN solid_queue_jobs j ON j.id = s.job_id
WHERE s.job_id {in:jobs} AND j.concurrency_key IS NULL
{include:unless_there};
{include:insert_blocked}
FROM solid_queue_scheduled_executions s
CROSS JOIN solid_queue_jobs j ON j.id = s.job_id
{include:first_limit}
WHERE s.job_id {in:jobs} AND j.concurrency_key IS NOT NULL
ORDER BY j.id
{include:unless_there};
-- rows
DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs} RETURNING job_id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
