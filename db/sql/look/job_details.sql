-- job_details(id) -> last_lost_at, blocked_until, process_id, kind, name, pid, hostname, metadata, last_heartbeat_at, waits_for, interruptions, cancelled_at, cancelled_by, cancel_reason, runs_before
-- Returns what is known of a job beside its execution: its last loss, the end of its block, the
-- process that has claimed it, the key that it waits for, how often it was interrupted; when, by
-- whom and why the run of that claim was cancelled; how many runs it had before a person retried it.
-- read
-- rows
SELECT l.last_lost_at, b.expires_at, p.id, p.kind, p.name, p.pid, p.hostname, p.metadata,
	p.last_heartbeat_at, b.concurrency_key, COALESCE(l.interruptions, 0),
	k.requested_at, k.requested_by, k.reason, COALESCE(l.runs_before, 0)
FROM solid_queue_jobs j
LEFT JOIN dray_losses l ON l.job_id = j.id
LEFT JOIN solid_queue_blocked_executions b ON b.job_id = j.id
LEFT JOIN solid_queue_claimed_executions c ON c.job_id = j.id
LEFT JOIN solid_queue_processes p ON p.id = c.process_id
LEFT JOIN dray_cancellations k ON k.job_id = j.id AND k.claim_id = c.id
WHERE j.id = :id;
