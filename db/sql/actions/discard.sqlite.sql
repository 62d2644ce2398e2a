-- discard(jobs, audit) -> job_id
-- Deletes these jobs, unless they are in progress or finished. The execution rows go first:
-- whichever deletes a ready row, this script or a worker's claim, decides what happens to the
-- job. `audit` is the line of the audit trail that counts them.
{include:delete_executions ready};
{include:delete_executions scheduled};
{include:delete_executions blocked};
{include:delete_executions failed};
-- rows
DELETE FROM solid_queue_jobs WHERE id {in:jobs} AND finished_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = solid_queue_jobs.id)
RETURNING id;
UPDATE dray_audit SET count = count + changes() WHERE id = :audit;
