-- claim_beside(process_id, limit, newest, now) -> paused, claim_id, job
-- What claim does, while queues are paused by name and nothing else is: takes the next ready jobs of
-- the others. It walks past the paused ones, so paused_end has said before that they are few, and
-- nothing is taken when another queue was paused since. Always one row at least, for its first
-- column.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT next.job_id, :process_id, :now
FROM (SELECT r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_all)
	WHERE (SELECT p.id FROM solid_queue_pauses p WHERE p.queue_name = r.queue_name) IS NULL
		AND (SELECT COALESCE(MAX(n.id), 0) FROM solid_queue_pauses n) <= :newest
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
