-- discard(jobs, audit) -> job_id
-- Deletes these jobs, unless they are in progress or finished. The execution rows go first:
-- whichever deletes a ready row, this script or a worker's claim, decides what happens to the
-- job. `audit` is the line of the audit trail that counts them.
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
