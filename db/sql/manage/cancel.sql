-- cancel(jobs, audit, error, now) -> job_id
-- Ends those of these jobs that wait (ready, scheduled, blocked) as finished, and the history says
-- that they were cancelled, by whom and why (error).

-- @mysql
-- The execution rows are locked first:
-- whichever has a ready row first, this script or a claim, decides what happens to the job. Only
-- what was locked is deleted: a job that was dispatched, or given back, while its rows were looked
-- for has a new one. `audit` is the line of the audit trail that counts them.
SELECT JSON_ARRAYAGG(e.id) INTO @dray_jobs FROM (
	SELECT d.id
	FROM {include:distinct_ids :jobs} d
	LEFT JOIN solid_queue_ready_executions r
		FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = d.id
	LEFT JOIN solid_queue_scheduled_executions s
		FORCE INDEX (index_solid_queue_scheduled_executions_on_job_id) ON s.job_id = d.id
	LEFT JOIN solid_queue_blocked_executions b
		FORCE INDEX (index_solid_queue_blocked_executions_on_job_id) ON b.job_id = d.id
	STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = d.id
	WHERE COALESCE(r.id, s.id, b.id) IS NOT NULL AND {include:may_be_discarded}
	FOR UPDATE) e;
DELETE e FROM {include:ids @dray_jobs} x STRAIGHT_JOIN {include:executions ready};
DELETE e FROM {include:ids @dray_jobs} x STRAIGHT_JOIN {include:executions scheduled};
DELETE e FROM {include:ids @dray_jobs} x STRAIGHT_JOIN {include:executions blocked};
UPDATE {include:ids @dray_jobs} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
SET j.finished_at = :now, j.updated_at = :now;
INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, outcome, error)
SELECT x.id, 0, 0, :now, :now, 'cancelled', :error
FROM {include:ids @dray_jobs} x;
-- rows
SELECT x.id FROM {include:ids @dray_jobs} x;
UPDATE dray_audit SET count = count + COALESCE(JSON_LENGTH(@dray_jobs), 0) WHERE id = :audit;

-- @postgresql
-- The execution rows go first: whichever deletes
-- a ready row, this script or a worker's claim, decides what happens to the job. `audit` is the
-- line of the audit trail that counts them.
-- rows
WITH ready AS (
	DELETE FROM solid_queue_ready_executions WHERE job_id {in:jobs} RETURNING job_id
), scheduled AS (
	DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs} RETURNING job_id
), blocked AS (
	DELETE FROM solid_queue_blocked_executions WHERE job_id {in:jobs} RETURNING job_id
), ended AS (
	UPDATE solid_queue_jobs SET finished_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM ready UNION ALL SELECT job_id FROM scheduled
			UNION ALL SELECT job_id FROM blocked)) AND finished_at IS NULL
		AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c
			WHERE c.job_id = solid_queue_jobs.id)
	RETURNING id
), told AS (
	INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, outcome, error)
	SELECT id, 0, 0, :now, :now, 'cancelled', :error FROM ended
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM ended) WHERE id = :audit
)
SELECT id FROM ended;

-- @sqlite
-- `audit` is the line of the audit trail that
-- counts them.
INSERT INTO dray_attempts (job_id, attempt, claim_id, began_at, ended_at, outcome, error)
SELECT j.id, 0, 0, :now, :now, 'cancelled', :error
FROM solid_queue_jobs j WHERE {include:waits};
-- rows
UPDATE solid_queue_jobs AS j SET finished_at = :now, updated_at = :now WHERE {include:waits}
RETURNING id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
{include:delete_executions ready};
{include:delete_executions scheduled};
{include:delete_executions blocked};
