-- Drops the notes of those of the claims that :claims names that are gone.
DELETE FROM dray_cancellations
WHERE job_id IN (SELECT value ->> 'job_id' FROM json_each(:claims))
	AND claim_id IN (SELECT value ->> 'id' FROM json_each(:claims)) AND NOT EXISTS (
		SELECT 1 FROM solid_queue_claimed_executions c
		WHERE c.id = dray_cancellations.claim_id AND c.job_id = dray_cancellations.job_id)
