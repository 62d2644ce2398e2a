-- What this process has claimed now is ready no longer.
DELETE FROM solid_queue_ready_executions WHERE job_id IN (
	SELECT job_id FROM solid_queue_claimed_executions
	WHERE process_id = :process_id AND created_at = :now)
