-- enqueue_limited(jobs, now) -> job_id
-- Inserts jobs (a JSON array) in order; due ones become ready, or blocked when
-- they are limited, until slots_admit; later ones scheduled.
-- rows
WITH job AS (
	{include:insert_jobs}
	RETURNING id, queue_name, class_name, priority, scheduled_at, concurrency_key
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT id, queue_name, priority, :now FROM job
	WHERE scheduled_at <= :now AND concurrency_key IS NULL
), blocked AS (
	INSERT INTO solid_queue_blocked_executions
		(job_id, queue_name, priority, concurrency_key, expires_at, created_at)
	SELECT job.id, job.queue_name, job.priority, job.concurrency_key,
		:now::timestamp + COALESCE(l.duration_ms, 180000) * interval '1 millisecond', :now
	FROM job LEFT JOIN dray_limits l ON l.class_name = job.class_name AND l.position = 0
	WHERE job.scheduled_at <= :now AND job.concurrency_key IS NOT NULL
	ORDER BY job.id
), scheduled AS (
	{include:schedule_enqueued}
)
SELECT id FROM job ORDER BY id;
