-- claim(process_id, limit, now) -> paused, claim_id, job
-- Takes the next ready jobs of all queues, by priority and age; nothing while anything is paused
-- (claim_beside and claim_unpaused then do it), nor for a process that is paused or has no row: one that
-- was presumed dead, or died with this on its way.
-- paused: 0 = nothing, 1 = queues by name, 2 = patterns, 3 = classes, whatever else is, too. Always
-- one row at least, for its first column. LIMIT is
-- inside: MariaDB would read and lock all ready jobs before it obeyed one outside.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT next.job_id, :process_id, :now
FROM (SELECT r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_all)
	WHERE NOT EXISTS (SELECT 1 FROM solid_queue_pauses)
		AND NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
		AND NOT EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern')
		AND (SELECT COUNT(*) FROM dray_pauses d WHERE d.process_id = :process_id) = 0
		AND (SELECT o.id FROM solid_queue_processes o WHERE o.id = :process_id) IS NOT NULL
		AND (SELECT c.id FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id) IS NULL
	ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}) next;
DELETE r
FROM solid_queue_claimed_executions c
	FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
STRAIGHT_JOIN solid_queue_ready_executions r
	FORCE INDEX (index_solid_queue_ready_executions_on_job_id) ON r.job_id = c.job_id
WHERE c.process_id = :process_id AND c.created_at = :now;
-- rows
SELECT p.paused, c.id AS claim_id, j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key, j.scheduled_at, j.created_at,
	(SELECT l.losses FROM dray_losses l WHERE l.job_id = j.id) AS losses,
	(SELECT l.runs_before FROM dray_losses l WHERE l.job_id = j.id) AS runs_before
FROM (SELECT CASE WHEN EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class') THEN 3
	WHEN EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern') THEN 2
	WHEN EXISTS (SELECT 1 FROM solid_queue_pauses) THEN 1 ELSE 0 END AS paused) p
LEFT JOIN (solid_queue_claimed_executions c
		FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
	JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id)
	ON c.process_id = :process_id AND c.created_at = :now;
