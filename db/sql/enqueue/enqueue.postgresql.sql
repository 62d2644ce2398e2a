-- enqueue(jobs, now) -> job_id
-- Inserts jobs (a JSON array) in order; due ones become ready, later ones scheduled.
-- rows
WITH job AS (
	{include:insert_jobs}
	RETURNING id, queue_name, priority, scheduled_at
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT id, queue_name, priority, :now FROM job WHERE scheduled_at <= :now
), scheduled AS (
	{include:schedule_enqueued}
)
SELECT id FROM job ORDER BY id;
