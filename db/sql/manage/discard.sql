-- discard(jobs, audit) -> job_id
-- Deletes these jobs, unless they are in progress or finished. The execution rows go first:
-- whichever deletes a ready row, this script or a worker's claim, decides what happens to the
-- job. `audit` is the line of the audit trail that counts them.

-- @mysql
{include:delete_executions ready};
{include:delete_executions scheduled};
{include:delete_executions blocked};
{include:delete_executions failed};
-- rows
SELECT j.id
FROM {include:jobs_named}
WHERE {include:may_be_discarded}
FOR UPDATE;
UPDATE dray_audit SET count = count + (
	SELECT COUNT(*)
	FROM {include:jobs_named}
	WHERE {include:may_be_discarded})
WHERE id = :audit;
DELETE j
FROM {include:ids :jobs} x
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = x.id
WHERE {include:may_be_discarded};

-- @postgresql
DELETE FROM solid_queue_ready_executions WHERE job_id {in:jobs};
DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs};
DELETE FROM solid_queue_blocked_executions WHERE job_id {in:jobs};
DELETE FROM solid_queue_failed_executions WHERE job_id {in:jobs};
-- rows
WITH gone AS (
	DELETE FROM solid_queue_jobs WHERE id {in:jobs} AND finished_at IS NULL
		AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c
			WHERE c.job_id = solid_queue_jobs.id)
	RETURNING id
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM gone) WHERE id = :audit
)
SELECT id FROM gone;

-- @sqlite
{include:delete_executions ready};
{include:delete_executions scheduled};
{include:delete_executions blocked};
{include:delete_executions failed};
-- rows
DELETE FROM solid_queue_jobs WHERE id {in:jobs} AND finished_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = solid_queue_jobs.id)
RETURNING id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
