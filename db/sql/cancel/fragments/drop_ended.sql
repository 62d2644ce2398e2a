-- Drops the notes for the process of runs that have ended. One of a claim that is still there stays: who
-- finds that claim without its process ends its job.
DELETE FROM dray_cancellations
WHERE process_id = :process_id AND CASE WHEN EXISTS (
	SELECT 1 FROM solid_queue_claimed_executions c
	WHERE c.id = dray_cancellations.claim_id AND c.job_id = dray_cancellations.job_id)
	THEN false ELSE true END
