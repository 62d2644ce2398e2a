-- Schedules the jobs of the runs {it} again for when they are `due`.
INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, x.due, :now
FROM {it}
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
{include:unless_there solid_queue_scheduled_executions}
