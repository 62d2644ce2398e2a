-- mend_beyond(jobs, now) ->

-- @mysql
-- Makes jobs that are ready without a slot of ours scheduled and due: dispatching asks for a
-- slot. A job that has been claimed meanwhile is left to the worker, which asks for a slot, too.
-- So this waits for whatever has locked the row: the doctor says that all have been mended.
SELECT JSON_ARRAYAGG(chosen.id) INTO @dray_strays FROM (
	SELECT r.id
	FROM {include:distinct_ids :jobs} d
	STRAIGHT_JOIN solid_queue_ready_executions r
		FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = d.id
	WHERE {include:holds_no_slot r.job_id}
	FOR UPDATE) chosen;
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT r.job_id, r.queue_name, r.priority, :now, :now
FROM {include:ids @dray_strays} x
STRAIGHT_JOIN solid_queue_ready_executions r FORCE INDEX (PRIMARY) ON r.id = x.id
{include:unless_there solid_queue_scheduled_executions};
DELETE r
FROM {include:ids @dray_strays} x
STRAIGHT_JOIN solid_queue_ready_executions r FORCE INDEX (PRIMARY) ON r.id = x.id;

-- @postgresql
-- Makes jobs that are ready without a slot of ours scheduled and due: dispatching asks for a
-- slot. A job that has been claimed meanwhile is left to the worker, which asks for a slot, too.
-- So this waits for whatever has locked the row: the doctor says that all have been mended.
WITH chosen AS MATERIALIZED (
	SELECT r.id FROM solid_queue_ready_executions r
	WHERE r.job_id = ANY (:jobs::bigint[])
		AND {include:holds_no_slot r.job_id}
	ORDER BY r.id FOR UPDATE
), gone AS (
	DELETE FROM solid_queue_ready_executions r WHERE r.id IN (SELECT chosen.id FROM chosen)
	RETURNING r.job_id, r.queue_name, r.priority
)
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT job_id, queue_name, priority, :now, :now FROM gone
{include:unless_there};

-- @sqlite
-- Makes jobs that are ready without a slot of ours scheduled and due: dispatching asks for a
-- slot.
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT r.job_id, r.queue_name, r.priority, :now, :now
FROM solid_queue_ready_executions r
WHERE r.job_id {in:jobs}
	AND {include:holds_no_slot r.job_id}
{include:unless_there};
DELETE FROM solid_queue_ready_executions
WHERE job_id {in:jobs}
	AND {include:holds_no_slot solid_queue_ready_executions.job_id};
