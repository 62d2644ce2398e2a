-- lose(claims, error, max_losses, classes, now) -> released, failed
-- As process_lose, for claims whose process row is gone. One that is gone, whose number stands
-- for another claim now, or whose job is finished already, is not counted.
-- rows
WITH named AS MATERIALIZED (
	SELECT x.* FROM json_to_recordset(:claims::json) AS x(
		id bigint, job_id bigint, process_id bigint, created_at timestamp)
), done AS (
	DELETE FROM solid_queue_claimed_executions c WHERE c.id = ANY (ARRAY(SELECT id FROM named))
		AND CASE WHEN (c.id, c.job_id, COALESCE(c.process_id, 0), c.created_at)
			IN (SELECT id, job_id, process_id, created_at FROM named)
			THEN true ELSE false END
	RETURNING id, job_id, process_id, created_at
), lost AS (
	SELECT j.id, j.queue_name, j.class_name, j.priority
	FROM done CROSS JOIN LATERAL (
		SELECT id, queue_name, class_name, priority FROM solid_queue_jobs
		WHERE solid_queue_jobs.id = done.job_id AND finished_at IS NULL OFFSET 0) j
), counted AS (
	INSERT INTO dray_losses AS known (job_id, losses, last_lost_at)
	SELECT id, 1, :now FROM lost
	ON CONFLICT (job_id) DO UPDATE
	SET losses = known.losses + 1, last_lost_at = excluded.last_lost_at
	RETURNING job_id, losses
), judged AS (
	SELECT lost.*, counted.losses > COALESCE(x.max_losses, :max_losses) AS fails
	FROM lost JOIN counted ON counted.job_id = lost.id
	LEFT JOIN json_to_recordset(:classes::json) AS x(class_name text, max_losses integer)
		ON x.class_name = lost.class_name
), failed AS (
	INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
	SELECT id, :error, :now FROM judged WHERE fails
	ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT id, queue_name, priority, :now FROM judged WHERE NOT fails
	ON CONFLICT (job_id) DO NOTHING
)
SELECT count(*) FILTER (WHERE NOT fails), count(*) FILTER (WHERE fails) FROM judged;
