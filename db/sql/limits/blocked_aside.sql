-- blocked_aside(job_id, scheduled_at, now) -> aside
-- Makes a blocked job scheduled, so that it does not hold up those that wait behind it, and returns it. The
-- blocked row is locked before another is made: who admits the job meanwhile has not locked it for
-- nothing, and the job does not come to stand in both tables.

-- @mysql
-- guard
-- rows
SELECT b.job_id FROM solid_queue_blocked_executions b WHERE b.job_id = :job_id FOR UPDATE;
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT b.job_id, b.queue_name, b.priority, :scheduled_at, :now
FROM solid_queue_blocked_executions b WHERE b.job_id = :job_id
{include:unless_there solid_queue_scheduled_executions};
DELETE FROM solid_queue_blocked_executions WHERE job_id = :job_id;

-- @postgresql
-- rows
WITH gone AS (
	DELETE FROM solid_queue_blocked_executions WHERE job_id = :job_id
	RETURNING job_id, queue_name, priority
), put AS (
	INSERT INTO solid_queue_scheduled_executions
		(job_id, queue_name, priority, scheduled_at, created_at)
	SELECT job_id, queue_name, priority, :scheduled_at, :now FROM gone
	{include:unless_there}
)
SELECT job_id FROM gone;

-- @sqlite
INSERT INTO solid_queue_scheduled_executions
	(job_id, queue_name, priority, scheduled_at, created_at)
SELECT b.job_id, b.queue_name, b.priority, :scheduled_at, :now
FROM solid_queue_blocked_executions b WHERE b.job_id = :job_id
{include:unless_there};
-- rows
DELETE FROM solid_queue_blocked_executions WHERE job_id = :job_id RETURNING job_id;
