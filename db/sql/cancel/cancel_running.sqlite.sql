-- cancel_running(jobs, audit, requested_by, reason, now) -> job_id, pid, hostname
-- Notes for those of these jobs that a process of ours runs that they are cancelled, by whom and
-- why, and tells where they run. Nobody but ours looks at it, so a run of other software is left.
-- `audit` is the line of the audit trail that counts them.
INSERT INTO dray_cancellations (job_id, claim_id, process_id, requested_at, requested_by, reason)
SELECT c.job_id, c.id, c.process_id, :now, :requested_by, :reason
FROM solid_queue_claimed_executions c LEFT JOIN solid_queue_processes p ON p.id = c.process_id
WHERE c.job_id {in:jobs} AND {include:runs_ours}
ON CONFLICT (job_id) DO UPDATE SET claim_id = excluded.claim_id,
	process_id = excluded.process_id, requested_at = excluded.requested_at,
	requested_by = excluded.requested_by, reason = excluded.reason
WHERE claim_id <> excluded.claim_id;
-- rows
SELECT c.job_id, p.pid, p.hostname
FROM solid_queue_claimed_executions c LEFT JOIN solid_queue_processes p ON p.id = c.process_id
WHERE c.job_id {in:jobs} AND {include:runs_ours};
UPDATE dray_audit SET count = count + (
	SELECT count(*) FROM solid_queue_claimed_executions c
	LEFT JOIN solid_queue_processes p ON p.id = c.process_id
	WHERE c.job_id {in:jobs} AND {include:runs_ours})
WHERE id = :audit;
