-- Schedules the jobs of these runs again for when they are `due`.
INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, f.value ->> 'due', :now
FROM {include:run_ends}
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
WHERE true
{include:unless_there}
