-- process_lose(process_id, heartbeat_before, claims, failures, keep, max_losses, alike, now, audit, kind, name, hostname, pid, last_heartbeat_at, how) -> released, failed
-- Deletes a dead process's row, if its last heartbeat is older than heartbeat_before (null: in
-- any case). Counts a loss for each job that it was running, and makes those jobs ready again;
-- one with more losses than its class declares (unless alike = 1: all classes are), or else
-- max_losses, ends as `failures` says: {..., "fate": "retried" or "discarded"}, or fails with the error
-- there, if that says nothing. claims and failures are those of all its runs; a claim that it made
-- meanwhile becomes an orphan. A claim of a finished job just goes. `audit` is the line of the audit
-- trail that counts the process, if any. The other parameters are what the process's row said, and how
-- the process ended: dray_gone keeps them. NONE when there was no such row.
-- guard
DELETE FROM solid_queue_processes
WHERE id = :process_id AND (last_heartbeat_at <= :heartbeat_before OR :heartbeat_before IS NULL);
{include:count_losses};
{include:fail_lost};
{include:ready_lost};
{include:later_row {include:lost_runs 'retried'}};
{include:later_job {include:lost_runs 'retried'}};
{include:count_once};
{include:forget_attempts};
{include:add_lost :name, :hostname};
{include:keep_gone};
-- rows
SELECT {include:lost_counts};
{include:finish_lost};
{include:drop_claims};
UPDATE dray_audit SET count = count + 1 WHERE id = :audit;
