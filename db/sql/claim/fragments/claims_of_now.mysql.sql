-- What this process has claimed now.
SELECT c.id AS claim_id, {include:claimed_job}
FROM solid_queue_claimed_executions c
	FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
WHERE c.process_id = :process_id AND c.created_at = :now
