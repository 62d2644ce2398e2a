-- cancel_running(jobs, audit, requested_by, reason, now) -> job_id, pid, hostname
-- Notes for those of these jobs that a process of ours runs that they are cancelled, by whom and
-- why, and tells where they run. The claims are locked: a run that ends at the same time has ended
-- before, or its worker's transaction sees the note. Nobody but ours looks at it, so a run of other
-- software is left. `audit` is the line of the audit trail that counts them.
-- rows
WITH held AS MATERIALIZED (
	SELECT c.id, c.job_id, c.process_id, p.pid, p.hostname
	FROM solid_queue_claimed_executions c LEFT JOIN solid_queue_processes p ON p.id = c.process_id
	WHERE c.job_id {in:jobs} AND {include:runs_ours}
	ORDER BY c.id
	FOR UPDATE OF c
), noted AS (
	INSERT INTO dray_cancellations AS known
		(job_id, claim_id, process_id, requested_at, requested_by, reason)
	SELECT job_id, id, process_id, :now, :requested_by, :reason FROM held
	ON CONFLICT (job_id) DO UPDATE SET claim_id = excluded.claim_id,
		process_id = excluded.process_id, requested_at = excluded.requested_at,
		requested_by = excluded.requested_by, reason = excluded.reason
	WHERE known.claim_id <> excluded.claim_id
), counted AS (
	UPDATE dray_audit SET count = count + (SELECT count(*) FROM held) WHERE id = :audit
)
SELECT job_id, pid, hostname FROM held;
