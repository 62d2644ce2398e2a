-- dispatch(limit, now) -> moved, job_id
-- Moves the next due jobs from scheduled to ready, into the queue and priority that each job has
-- by now. Limited jobs stay where they are and are returned, a row each, beside how many moved;
-- there is always at least one row.
-- rows
WITH due AS (
	SELECT id, job_id FROM solid_queue_scheduled_executions WHERE scheduled_at <= :now
	ORDER BY scheduled_at, priority, job_id LIMIT :limit {skip_locked}
), job AS (
	SELECT due.id AS execution_id, j.id, j.queue_name, j.priority, j.concurrency_key
	FROM due {include:job_of due.job_id}
), moved AS (
	DELETE FROM solid_queue_scheduled_executions WHERE id = ANY (ARRAY(
		SELECT execution_id FROM job WHERE concurrency_key IS NULL))
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT id, queue_name, priority, :now FROM job WHERE concurrency_key IS NULL
	{include:unless_there}
)
SELECT m.moved, job.id
FROM (SELECT count(*) AS moved FROM job WHERE concurrency_key IS NULL) m
LEFT JOIN job ON job.concurrency_key IS NOT NULL;
