-- cancel(jobs, audit, error, now) -> job_id
-- Ends those of these jobs that wait (ready, scheduled, blocked) as finished, and the history says
-- that they were cancelled, by whom and why (error). `audit` is the line of the audit trail that
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
