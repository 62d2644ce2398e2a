-- process_lose(process_id, heartbeat_before, claims, failures, keep, now, audit, kind, name, hostname, pid, last_heartbeat_at, how) -> released, failed
-- Deletes a dead process's row, if its last heartbeat is older than heartbeat_before (null: in
-- any case). Finishes its cancelled jobs (cancel_told). Counts a loss for each other job that it was running, and does with it what failures says beside
-- what it says for fail: "outcome" is "lost" (it is ready again), "failed", "retried" (when it is due) or
-- "discarded" (it is finished). claims and failures are those of all its runs; a claim that it made
-- since becomes an orphan. A claim of a finished job just goes. `audit` is the line of the audit trail that
-- counts the process, if any. The other parameters are what the process's row said, and how the process
-- ended: dray_gone keeps them. NONE when there was no such row.
-- guard
DELETE FROM solid_queue_processes
WHERE id = :process_id AND (last_heartbeat_at <= :heartbeat_before OR :heartbeat_before IS NULL);

-- @mysql
{include:lock_held};
{include:end_told};
{include:lose_all :name, :hostname};
{include:keep_gone};
{include:end_lost};
{include:drop_ended};
UPDATE dray_audit SET count = count + 1 WHERE id = :audit;

-- @postgresql
{include:lock_named};
{include:end_told};
-- rows
WITH {include:drop_claims}, {include:run_ends}, {include:lose_all :name, :hostname}, gone AS (
	{include:keep_gone}
)
SELECT {include:lost_counts};
{include:drop_ended};
UPDATE dray_audit SET count = count + 1 WHERE id = :audit;

-- @sqlite
{include:end_told};
{include:lose_all :name, :hostname};
{include:keep_gone};
{include:end_lost};
{include:drop_ended};
UPDATE dray_audit SET count = count + 1 WHERE id = :audit;
