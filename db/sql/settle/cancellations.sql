-- cancellations(process_id) -> claim_id, job_id, requested_by, reason, held
-- Lists the claims of this process whose jobs were cancelled; those that have ended are not held.
-- read
-- rows
SELECT x.claim_id, x.job_id, x.requested_by, x.reason,
	(SELECT c.id FROM solid_queue_claimed_executions c WHERE c.id = x.claim_id AND c.job_id = x.job_id)
FROM dray_cancellations x WHERE x.process_id = :process_id;
