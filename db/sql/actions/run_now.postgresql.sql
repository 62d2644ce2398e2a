-- run_now(jobs, now, audit) -> job_id
-- Scheduled jobs are due now: they go to ready, or to blocked when they are limited, until
-- slots_admit. `audit` is the line of the audit trail that counts them.
-- rows
WITH gone AS (
	DELETE FROM solid_queue_scheduled_executions WHERE job_id = ANY (:jobs::bigint[])
	RETURNING job_id
), due AS (
	UPDATE solid_queue_jobs SET scheduled_at = :now, updated_at = :now
	WHERE id = ANY (ARRAY(SELECT job_id FROM gone))
	RETURNING id, queue_name, class_name, priority, concurrency_key
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT id, queue_name, priority, :now FROM due WHERE concurrency_key IS NULL
	ON CONFLICT (job_id) DO NOTHING
), blocked AS (
	INSERT INTO solid_queue_blocked_executions
		(job_id, queue_name, priority, concurrency_key, expires_at, created_at)
	SELECT due.id, due.queue_name, due.priority, due.concurrency_key,
		:now::timestamp + COALESCE(l.duration_ms, 180000) * interval '1 millisecond', :now
	FROM due
	LEFT JOIN dray_limits l ON l.class_name = due.class_name AND l.position = 0
	WHERE due.concurrency_key IS NOT NULL
	ORDER BY due.id
	ON CONFLICT (job_id) DO NOTHING
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM gone) WHERE id = :audit
)
SELECT job_id FROM gone;
