-- claim(process_id, limit, now) -> paused, claim_id, job
-- Takes the next ready jobs of all queues, by priority and age; nothing while anything is paused
-- (claim_beside and claim_unpaused then do it), nor for a process that is paused or has no row: one that
-- was presumed dead.
-- paused: 0 = nothing, 1 = queues by name, 2 = patterns, 3 = classes, whatever else is, too. Always
-- one row at least, for its first column. A pause
-- stands in LIMIT because a WHERE that is false would be asked for every row.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id)
ORDER BY priority, job_id
LIMIT CASE WHEN EXISTS (SELECT 1 FROM solid_queue_pauses)
	OR EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind IN ('class', 'pattern'))
	OR EXISTS (SELECT 1 FROM dray_pauses d WHERE d.process_id = :process_id)
	OR NOT EXISTS (SELECT 1 FROM solid_queue_processes o WHERE o.id = :process_id)
	THEN 0 ELSE :limit END;
DELETE FROM solid_queue_ready_executions WHERE job_id IN (
	SELECT job_id FROM solid_queue_claimed_executions
	WHERE process_id = :process_id AND created_at = :now);
-- rows
SELECT p.paused, c.id AS claim_id, j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key, j.scheduled_at, j.created_at,
	(SELECT l.losses FROM dray_losses l WHERE l.job_id = j.id) AS losses,
	(SELECT l.runs_before FROM dray_losses l WHERE l.job_id = j.id) AS runs_before
FROM (SELECT CASE WHEN EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class') THEN 3
	WHEN EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern') THEN 2
	WHEN EXISTS (SELECT 1 FROM solid_queue_pauses) THEN 1 ELSE 0 END AS paused) p
LEFT JOIN solid_queue_claimed_executions c ON c.process_id = :process_id AND c.created_at = :now
LEFT JOIN solid_queue_jobs j ON j.id = c.job_id
ORDER BY j.priority, j.id;
