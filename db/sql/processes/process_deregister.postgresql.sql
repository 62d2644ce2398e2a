-- process_deregister(process_id, now) -> released
-- Deletes the process's row and gives its claims back to ready. A claim of a
-- finished job just goes. NONE when there was no such row.
-- guard
DELETE FROM solid_queue_processes WHERE id = :process_id;
-- rows
WITH done AS (
	DELETE FROM solid_queue_claimed_executions WHERE process_id = :process_id
	RETURNING id, job_id
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT j.id, j.queue_name, j.priority, :now
	FROM done CROSS JOIN LATERAL (
		SELECT id, queue_name, priority FROM solid_queue_jobs
		WHERE solid_queue_jobs.id = done.job_id AND finished_at IS NULL OFFSET 0) j
	ON CONFLICT (job_id) DO NOTHING
)
SELECT count(*) FROM done;
