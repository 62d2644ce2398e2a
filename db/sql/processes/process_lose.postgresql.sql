-- process_lose(process_id, heartbeat_before, error, max_losses, alike, now, audit, kind, name, hostname, pid, last_heartbeat_at, how) -> released, failed
-- Deletes a dead process's row, if its last heartbeat is older than heartbeat_before (null: in
-- any case). Counts a loss for each job that it was running, and makes those jobs ready again;
-- one with more losses than its class declares (unless alike = 1: all classes are), or else
-- max_losses, fails with the error instead. A claim of a finished job just goes. `audit` is the
-- line of the audit trail that counts the process, if any. The other parameters are what the
-- process's row said, and how the process ended: dray_gone keeps them. NONE when there was no
-- such row.
-- guard
DELETE FROM solid_queue_processes
WHERE id = :process_id AND (last_heartbeat_at <= :heartbeat_before OR :heartbeat_before IS NULL);
-- rows
WITH done AS (
	DELETE FROM solid_queue_claimed_executions WHERE process_id = :process_id
	RETURNING job_id
), {include:judge_lost}, gone AS (
	{include:keep_gone judged}
)
SELECT {include:lost_counts};
UPDATE dray_audit SET count = count + 1 WHERE id = :audit;
