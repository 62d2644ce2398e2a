-- claim_unpaused(process_id, limit, from_priority, from_job, to_priority, to_job, now) -> paused, claim_id, job
-- Takes the next ready jobs that are in no way paused, of a part of the order by priority and age.
-- The part is bounded, because any number of paused jobs may stand there; paused_end or walk_end says
-- where. Always one row at least, for its first column.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT r.job_id, :process_id, :now FROM solid_queue_ready_executions r
WHERE (r.priority, r.job_id) >= (:from_priority, :from_job)
	AND (r.priority, r.job_id) < (:to_priority, :to_job)
	AND r.queue_name NOT IN (SELECT queue_name FROM solid_queue_pauses)
	AND NOT EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern'
		AND substr(r.queue_name, 1, length(t.name) - 1) = substr(t.name, 1, length(t.name) - 1)
		AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue' AND e.name = r.queue_name))
	AND (NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
		OR (SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id)
			NOT IN (SELECT k.name FROM dray_pauses k WHERE k.kind = 'class'))
	AND NOT EXISTS (SELECT 1 FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id)
ORDER BY r.priority, r.job_id
LIMIT CASE WHEN EXISTS (SELECT 1 FROM dray_pauses d WHERE d.process_id = :process_id)
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
