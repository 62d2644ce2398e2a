-- Schedules the jobs of the runs {it} again for when they are `due`.
INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, x.due, :now
FROM {it}
{include:unless_there solid_queue_scheduled_executions}
