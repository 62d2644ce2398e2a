-- run_now(jobs, now, audit) -> job_id
-- Makes scheduled jobs due at once: they become ready, or blocked, until slots_admit, where they
-- are limited. `audit` is the line of the audit trail that counts them.
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
