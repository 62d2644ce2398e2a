-- claim_known(process_id, queue, from_priority, from_job, priority, classes, others, max_losses, bounds, limit, now) -> claim_id, job
-- What claim_queue does for a worker of some classes (a JSON array; null = of all) or not of others
-- (another; null = none), or while a class is paused: takes the next ready jobs of them that are not
-- paused, from a place in the queue's order (first_known tells it) down to a priority. Unless max_losses
-- is null, jobs are passed that have been lost so often (bounds: [{"class_name", "max_losses"}] for classes that differ).
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE queue_name = :queue AND priority <= :priority
	AND (priority, job_id) >= (:from_priority, :from_job)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id)
	AND (:classes IS NULL OR EXISTS (SELECT 1 FROM solid_queue_jobs j WHERE j.id = r.job_id
		AND j.class_name IN (SELECT value FROM json_each(:classes))))
	AND (:others IS NULL OR NOT EXISTS (SELECT 1 FROM solid_queue_jobs j WHERE j.id = r.job_id
		AND j.class_name IN (SELECT value FROM json_each(:others))))
	AND (NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
		OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id)
			NOT IN (SELECT k.name FROM dray_pauses k WHERE k.kind = 'class'))
	AND (:max_losses IS NULL OR (SELECT lost.job_id FROM dray_losses lost WHERE lost.job_id = r.job_id
		AND lost.losses >= max(1, COALESCE((SELECT value ->> 'max_losses' FROM json_each(:bounds)
			WHERE value ->> 'class_name' = (
				SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = lost.job_id)),
			:max_losses))) IS NULL)
ORDER BY priority, job_id
LIMIT CASE WHEN EXISTS (SELECT 1 FROM solid_queue_pauses WHERE queue_name = :queue)
	OR EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern'
		AND substr(:queue, 1, length(t.name) - 1) = substr(t.name, 1, length(t.name) - 1)
		AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = :queue))
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
