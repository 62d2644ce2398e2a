-- process_deregister(process_id, heartbeat_before, now) -> released
-- Deletes the process's row, if its last heartbeat is older than heartbeat_before (null: in any
-- case), and gives its claims back to ready. NONE when there was no such row.
-- guard
DELETE FROM solid_queue_processes
WHERE id = :process_id AND (last_heartbeat_at <= :heartbeat_before OR :heartbeat_before IS NULL);
-- rows
WITH done AS (
	DELETE FROM solid_queue_claimed_executions WHERE process_id = :process_id
	RETURNING id, job_id
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT j.id, j.queue_name, j.priority, :now
	FROM done CROSS JOIN LATERAL (
		SELECT id, queue_name, priority FROM solid_queue_jobs
		WHERE solid_queue_jobs.id = done.job_id OFFSET 0) j
	ON CONFLICT (job_id) DO NOTHING
)
SELECT count(*) FROM done;
