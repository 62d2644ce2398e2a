-- retry(jobs, now, audit) -> job_id
-- Failed jobs ([{"job_id", "arguments" or null}]) back to ready, or blocked when they are limited,
-- until slots_admit; arguments replace the payload, losses are forgotten. `audit` is the line of the
-- audit trail that counts them.
-- rows
WITH wanted AS (
	SELECT * FROM json_to_recordset(:jobs::json) AS x(job_id bigint, arguments text)
), gone AS (
	DELETE FROM solid_queue_failed_executions
	WHERE job_id = ANY (ARRAY(SELECT job_id FROM wanted))
	RETURNING job_id
), reset AS (
	UPDATE solid_queue_jobs j SET arguments = wanted.arguments, updated_at = :now
	FROM wanted
	WHERE j.id = ANY (ARRAY(SELECT job_id FROM gone))
		AND wanted.job_id = j.id AND wanted.arguments IS NOT NULL
), forgotten AS (
	DELETE FROM dray_losses WHERE job_id = ANY (ARRAY(SELECT job_id FROM gone))
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT j.id, j.queue_name, j.priority, :now
	FROM gone CROSS JOIN LATERAL (
		SELECT id, queue_name, priority, concurrency_key FROM solid_queue_jobs
		WHERE solid_queue_jobs.id = gone.job_id OFFSET 0) j
	WHERE j.concurrency_key IS NULL
	ON CONFLICT (job_id) DO NOTHING
), blocked AS (
	INSERT INTO solid_queue_blocked_executions
		(job_id, queue_name, priority, concurrency_key, expires_at, created_at)
	SELECT j.id, j.queue_name, j.priority, j.concurrency_key,
		:now::timestamp + COALESCE(l.duration_ms, 180000) * interval '1 millisecond', :now
	FROM gone CROSS JOIN LATERAL (
		SELECT id, queue_name, class_name, priority, concurrency_key FROM solid_queue_jobs
		WHERE solid_queue_jobs.id = gone.job_id OFFSET 0) j
	LEFT JOIN dray_limits l ON l.class_name = j.class_name AND l.position = 0
	WHERE j.concurrency_key IS NOT NULL
	ORDER BY j.id
	ON CONFLICT (job_id) DO NOTHING
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM gone) WHERE id = :audit
)
SELECT job_id FROM gone;
