-- claim_queue(process_id, queue, priority, limit, now) -> claim_id, job
-- Takes the next ready jobs of one queue that is not paused, down to a priority; nothing for a
-- process that is paused or has no row, nor while a class is paused (claim_known then does it).
-- LIMIT stands inside: MariaDB would read and lock all ready jobs of the queue before it obeyed one
-- outside.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT next.job_id, :process_id, :now
FROM (SELECT r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE r.queue_name = :queue AND r.priority <= :priority
		AND NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = :queue)
		AND (SELECT COUNT(*) FROM dray_pauses t FORCE INDEX (PRIMARY)
			WHERE t.kind = 'pattern'
				AND LEFT(CONVERT(:queue USING utf8mb4), CHAR_LENGTH(t.name) - 1) COLLATE utf8mb4_bin =
					LEFT(t.name, CHAR_LENGTH(t.name) - 1)
				AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue'
					AND e.name = CONVERT(:queue USING utf8mb4) COLLATE utf8mb4_bin)) = 0
		AND NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
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
SELECT c.id AS claim_id, j.id, j.queue_name, j.class_name, j.arguments, j.priority, j.active_job_id, j.concurrency_key, j.scheduled_at, j.created_at,
	(SELECT l.losses FROM dray_losses l WHERE l.job_id = j.id) AS losses,
	(SELECT l.runs_before FROM dray_losses l WHERE l.job_id = j.id) AS runs_before
FROM solid_queue_claimed_executions c
	FORCE INDEX (index_solid_queue_claimed_executions_on_process_id_and_job_id)
STRAIGHT_JOIN solid_queue_jobs j FORCE INDEX (PRIMARY) ON j.id = c.job_id
WHERE c.process_id = :process_id AND c.created_at = :now;
