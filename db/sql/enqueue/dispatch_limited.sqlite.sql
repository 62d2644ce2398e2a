-- dispatch_limited(jobs, now) ->
-- Moves these jobs, if they are due, from scheduled to blocked, until slots_admit.
{include:insert_blocked}
FROM solid_queue_scheduled_executions s
JOIN solid_queue_jobs j ON j.id = s.job_id
{include:first_limit}
WHERE s.job_id {in:jobs} AND s.scheduled_at <= :now
ORDER BY j.id
{include:unless_there};
DELETE FROM solid_queue_scheduled_executions WHERE job_id {in:jobs} AND scheduled_at <= :now;
