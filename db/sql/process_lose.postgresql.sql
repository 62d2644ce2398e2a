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
-- rows
WITH done AS (
	DELETE FROM solid_queue_claimed_executions WHERE process_id = :process_id
	RETURNING job_id
), lost AS (
	SELECT j.id, j.queue_name, j.class_name, j.priority
	FROM done CROSS JOIN LATERAL (
		SELECT id, queue_name, class_name, priority FROM solid_queue_jobs
		WHERE solid_queue_jobs.id = done.job_id AND finished_at IS NULL OFFSET 0) j
), counted AS (
	INSERT INTO dray_losses AS known (job_id, losses, last_lost_at)
	SELECT id, 1, :now FROM lost
	ON CONFLICT (job_id) DO UPDATE
	SET losses = known.losses + 1, last_lost_at = excluded.last_lost_at
	RETURNING job_id, losses
), judged AS (
	SELECT lost.*, counted.losses > COALESCE(x.max_losses, :max_losses) AS fails
	FROM lost JOIN counted ON counted.job_id = lost.id
	LEFT JOIN json_to_recordset(:classes::json) AS x(class_name text, max_losses integer)
		ON x.class_name = lost.class_name
), failed AS (
	INSERT INTO solid_queue_failed_executions (job_id, error, created_at)
	SELECT id, :error, :now FROM judged WHERE fails
	ON CONFLICT (job_id) DO UPDATE SET error = excluded.error
), ready AS (
	INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, created_at)
	SELECT id, queue_name, priority, :now FROM judged WHERE NOT fails
	ON CONFLICT (job_id) DO NOTHING
), gone AS (
	INSERT INTO dray_gone (process_id, kind, name, hostname, pid, last_heartbeat_at, how,
		released, failed, gone_at)
	SELECT :process_id, :kind, :name, :hostname, :pid, :last_heartbeat_at, :how,
		count(*) FILTER (WHERE NOT fails), count(*) FILTER (WHERE fails), :now
	FROM judged
)
SELECT count(*) FILTER (WHERE NOT fails), count(*) FILTER (WHERE fails) FROM judged;
UPDATE dray_audit SET count = count + 1 WHERE id = :audit;
