-- blocked_aside(job_id, scheduled_at, now) ->
-- Makes a blocked job scheduled, so that it does not hold up those that wait behind it.
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT b.job_id, b.queue_name, b.priority, :scheduled_at, :now
FROM solid_queue_blocked_executions b WHERE b.job_id = :job_id
{include:unless_there solid_queue_scheduled_executions};
DELETE FROM solid_queue_blocked_executions WHERE job_id = :job_id;
