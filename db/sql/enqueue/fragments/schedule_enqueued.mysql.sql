-- Makes those of the jobs enqueued now that are due later scheduled.
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT j.id, j.queue_name, j.priority, j.scheduled_at, :now
FROM {include:enqueued_jobs}
WHERE j.scheduled_at > :now
{include:unless_there solid_queue_scheduled_executions}
