-- Drops the notes for the process of runs that have ended. One of a claim that is still there stays: who
-- finds that claim without its process ends its job.
DELETE k
FROM dray_cancellations k FORCE INDEX (index_dray_cancellations_on_process_id)
LEFT JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY)
	ON c.id = k.claim_id AND c.job_id = k.job_id
WHERE k.process_id = :process_id AND c.id IS NULL
