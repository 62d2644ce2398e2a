-- cancel_running(jobs, audit, requested_by, reason, now) -> job_id, pid, hostname
-- Notes for those of these jobs that a process of ours runs that they are cancelled, by whom and
-- why, and tells where they run. The claims are locked: a run that ends at the same time has ended
-- before, or its worker's transaction sees the note. Nobody but ours looks at it, so a run of other
-- software is left. `audit` is the line of the audit trail that counts them.
SELECT JSON_ARRAYAGG(e.id) INTO @dray_claims FROM (
	SELECT c.id
	FROM {include:distinct_ids :jobs} d
	STRAIGHT_JOIN solid_queue_claimed_executions c
		FORCE INDEX (index_solid_queue_claimed_executions_on_job_id) ON c.job_id = d.id
	FOR UPDATE) e;
INSERT INTO dray_cancellations (job_id, claim_id, process_id, requested_at, requested_by, reason)
SELECT c.job_id, c.id, c.process_id, :now, :requested_by, :reason
FROM {include:running_ours}
ON DUPLICATE KEY UPDATE
	requested_at = IF(dray_cancellations.claim_id = VALUES(claim_id),
		dray_cancellations.requested_at, VALUES(requested_at)),
	requested_by = IF(dray_cancellations.claim_id = VALUES(claim_id),
		dray_cancellations.requested_by, VALUES(requested_by)),
	reason = IF(dray_cancellations.claim_id = VALUES(claim_id),
		dray_cancellations.reason, VALUES(reason)),
	process_id = VALUES(process_id), claim_id = VALUES(claim_id);
-- rows
SELECT c.job_id, p.pid, p.hostname FROM {include:running_ours};
UPDATE dray_audit SET count = count + (SELECT COUNT(*) FROM {include:running_ours})
WHERE id = :audit;
