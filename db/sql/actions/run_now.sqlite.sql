-- run_now(jobs, now, audit) -> job_id
-- Makes scheduled jobs due at once: they become ready, or blocked, until slots_admit, where they
-- are limited. `audit` is the line of the audit trail that counts them.
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
