-- dispatch_jobs(jobs, now) ->
-- Moves these jobs, which have no concurrency key, from scheduled to ready if they are due.
{include:insert_ready}
FROM solid_queue_scheduled_executions s
CROSS JOIN solid_queue_jobs j ON j.id = s.job_id
WHERE s.job_id {in:jobs} AND s.scheduled_at <= :now AND j.concurrency_key IS NULL
{include:unless_there};
DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs} AND scheduled_at <= :now
	AND EXISTS (SELECT 1 FROM solid_queue_ready_executions r
		WHERE r.job_id = solid_queue_scheduled_executions.job_id);
