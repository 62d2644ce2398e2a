-- What is paused, and what this process has claimed now; one row at least, for its first column.
SELECT p.paused, c.id AS claim_id, {include:claimed_job}
FROM (SELECT {include:paused_kind} AS paused) p
LEFT JOIN (solid_queue_claimed_executions c
		FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
	JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id)
	ON c.process_id = :process_id AND c.created_at = :now
