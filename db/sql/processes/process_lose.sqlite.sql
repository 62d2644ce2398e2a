-- process_lose(process_id, heartbeat_before, error, max_losses, classes, now, audit, kind, name, hostname, pid, last_heartbeat_at, how) -> released, failed
-- Deletes a dead process's row, if its last heartbeat is older than heartbeat_before (null: in any
-- case), counts a loss for each job that it was running, and gives those jobs back to ready; one
-- with more than max_losses losses fails with the error instead. classes: [{"class_name",
-- "max_losses"}] for those that differ. A claim of a finished job just goes. `audit` is the
-- line of the audit trail that counts the process, if any. The rest is what its row said, and how
-- it ended: dray_gone keeps that. NONE when there was no such row.
-- The + keeps SQLite from starting at the index on finished_at.
-- guard
DELETE FROM solid_queue_processes
WHERE id = :process_id AND (last_heartbeat_at <= :heartbeat_before OR :heartbeat_before IS NULL);
INSERT INTO dray_losses (job_id, losses, last_lost_at)
SELECT j.id, 1, :now
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
WHERE c.process_id = :process_id
ON CONFLICT (job_id) DO UPDATE SET losses = losses + 1, last_lost_at = excluded.last_lost_at;
INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
SELECT j.id, :error, :now
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
JOIN dray_losses l ON l.job_id = j.id
WHERE c.process_id = :process_id AND l.losses > {include:losses_survived}
ON CONFLICT (job_id) DO UPDATE SET error = excluded.error;
INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
SELECT j.id, j.queue_name, j.priority, :now
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
JOIN dray_losses l ON l.job_id = j.id
WHERE c.process_id = :process_id AND l.losses <= {include:losses_survived}
ON CONFLICT (job_id) DO NOTHING;
INSERT INTO dray_gone (process_id, kind, name, hostname, pid, last_heartbeat_at, how,
	released, failed, gone_at)
SELECT :process_id, :kind, :name, :hostname, :pid, :last_heartbeat_at, :how,
	count(r.id), count(*) - count(r.id), :now
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
LEFT JOIN solid_queue_ready_executions r ON r.job_id = c.job_id
WHERE c.process_id = :process_id;
-- rows
SELECT count(r.id), count(*) - count(r.id)
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id AND +j.finished_at IS NULL
LEFT JOIN solid_queue_ready_executions r ON r.job_id = c.job_id
WHERE c.process_id = :process_id;
DELETE FROM solid_queue_claimed_executions WHERE process_id = :process_id;
UPDATE dray_audit SET count = count + 1 WHERE id = :audit;
