-- What this process has claimed now is ready no longer.
DELETE r
FROM solid_queue_claimed_executions c
	FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
STRAIGHT_JOIN solid_queue_ready_executions r
	FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = c.job_id
WHERE c.process_id = :process_id AND c.created_at = :now
