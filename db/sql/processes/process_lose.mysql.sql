-- process_lose(process_id, heartbeat_before, error, max_losses, classes, now, audit, kind, name, hostname, pid, last_heartbeat_at, how) -> released, failed
-- Deletes a dead process's row, if its last heartbeat is older than heartbeat_before (null: in any
-- case), counts a loss for each job that it was running, and gives those jobs back to ready; one
-- with more than max_losses losses fails with the error instead. classes: [{"class_name",
-- "max_losses"}] for those that differ. A claim of a finished job just goes. `audit` is the
-- line of the audit trail that counts the process, if any. The rest is what its row said, and how
-- it ended: dray_gone keeps that. NONE when there was no such row.
-- guard
DELETE FROM solid_queue_processes
WHERE id = :process_id AND (last_heartbeat_at <= :heartbeat_before OR :heartbeat_before IS NULL);
SELECT JSON_ARRAYAGG(held.id) INTO @dray_claims FROM (
	SELECT c.id FROM solid_queue_claimed_executions c
		FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
	WHERE c.process_id = :process_id FOR UPDATE) held;
INSERT INTO dray_losses (job_id, losses, last_lost_at)
SELECT j.id, 1, :now
FROM JSON_TABLE(@dray_claims, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
ON DUPLICATE KEY UPDATE losses = dray_losses.losses + 1, last_lost_at = VALUES(last_lost_at);
SELECT JSON_ARRAYAGG(JSON_OBJECT('job_id', j.id,
	'fails', IF(l.losses > COALESCE(p.max_losses, :max_losses), 1, 0))) INTO @dray_lost
FROM JSON_TABLE(@dray_claims, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id AND j.finished_at IS NULL
STRAIGHT_JOIN dray_losses l FORCE INDEX (PRIMARY) ON l.job_id = j.id
{include:losses_allowed};
{include:fail_lost};
{include:ready_lost};
DELETE c
FROM JSON_TABLE(@dray_claims, '$[*]' COLUMNS (id bigint PATH '$')) x
STRAIGHT_JOIN solid_queue_claimed_executions c FORCE INDEX (PRIMARY) ON c.id = x.id;
INSERT INTO dray_gone (process_id, kind, name, hostname, pid, last_heartbeat_at, how,
	released, failed, gone_at)
SELECT :process_id, :kind, :name, :hostname, :pid, :last_heartbeat_at, :how,
	COUNT(*) - COALESCE(SUM(x.fails), 0), COALESCE(SUM(x.fails), 0), :now
FROM JSON_TABLE(@dray_lost, '$[*]' COLUMNS (fails int PATH '$.fails')) x;
-- rows
SELECT COUNT(*) - COALESCE(SUM(x.fails), 0), COALESCE(SUM(x.fails), 0)
FROM JSON_TABLE(@dray_lost, '$[*]' COLUMNS (fails int PATH '$.fails')) x;
UPDATE dray_audit SET count = count + 1 WHERE id = :audit;
