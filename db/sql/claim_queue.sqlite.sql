-- claim_queue(process_id, queue, priority, limit, now) -> claim_id, job
-- Takes the next ready jobs of one queue that is not paused, down to a priority; nothing for a
-- process that is paused or has no row, nor while a class is paused (claim_known then does it).
-- Pauses stand in LIMIT because a WHERE that is false would be asked for every row.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE queue_name = :queue AND priority <= :priority
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id)
ORDER BY priority, job_id
LIMIT CASE WHEN EXISTS (SELECT 1 FROM solid_queue_pauses WHERE queue_name = :queue)
	OR EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern'
		AND substr(:queue, 1, length(t.name) - 1) = substr(t.name, 1, length(t.name) - 1)
		AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = :queue))
	OR EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
	OR EXISTS (SELECT 1 FROM dray_pauses d WHERE d.process_id = :process_id)
	OR NOT EXISTS (SELECT 1 FROM solid_queue_processes o WHERE o.id = :process_id)
	THEN 0 ELSE :limit END;
DELETE FROM solid_queue_ready_executions WHERE job_id IN (
	SELECT job_id FROM solid_queue_claimed_executions
	WHERE process_id = :process_id AND created_at = :now);
-- rows
SELECT c.id AS claim_id, j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key, j.scheduled_at, j.created_at,
	(SELECT l.losses FROM dray_losses l WHERE l.job_id = j.id) AS losses,
	(SELECT l.runs_before FROM dray_losses l WHERE l.job_id = j.id) AS runs_before
FROM solid_queue_claimed_executions c
JOIN solid_queue_jobs j ON j.id = c.job_id
WHERE c.process_id = :process_id AND c.created_at = :now
ORDER BY j.priority, j.id;
