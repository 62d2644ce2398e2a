-- claim_known(process_id, queue, from_priority, from_job, priority, classes, others, max_losses, bounds, limit, now) -> claim_id, job
-- What claim_queue does for a worker of some classes (a JSON array; null = of all) or not of others
-- (another; null = none), or while a class is paused: takes the next ready jobs of them that are not
-- paused, from a place in the queue's order (first_known tells it) down to a priority. Unless max_losses
-- is null, jobs are passed that have been lost so often (bounds: [{"class_name", "max_losses"}] for classes that differ).
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT next.job_id, :process_id, :now
FROM (SELECT r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE r.queue_name = :queue AND r.priority <= :priority AND (r.priority > :from_priority
			OR (r.priority = :from_priority AND r.job_id >= :from_job))
		AND NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = :queue)
		AND (SELECT COUNT(*) FROM dray_pauses t FORCE INDEX (PRIMARY)
			WHERE t.kind = 'pattern'
				AND LEFT(CONVERT(:queue USING utf8mb4), CHAR_LENGTH(t.name) - 1) COLLATE utf8mb4_bin =
					LEFT(t.name, CHAR_LENGTH(t.name) - 1)
				AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue'
					AND e.name = CONVERT(:queue USING utf8mb4) COLLATE utf8mb4_bin)) = 0
		AND (SELECT COUNT(*) FROM dray_pauses d WHERE d.process_id = :process_id) = 0
		AND (SELECT o.id FROM solid_queue_processes o WHERE o.id = :process_id) IS NOT NULL
		AND (:classes IS NULL OR JSON_CONTAINS(:classes, JSON_QUOTE((
			SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id))))
		AND (:others IS NULL OR NOT JSON_CONTAINS(:others, JSON_QUOTE((
			SELECT j.class_name FROM solid_queue_jobs j WHERE j.id = r.job_id))))
		AND (NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
			OR (SELECT COUNT(*) FROM solid_queue_jobs j FORCE INDEX (PRIMARY)
				STRAIGHT_JOIN dray_pauses k FORCE INDEX (PRIMARY) ON k.kind = 'class'
					AND k.name COLLATE utf8mb4_bin =
						CONVERT(j.class_name USING utf8mb4) COLLATE utf8mb4_bin
				WHERE j.id = r.job_id) = 0)
		AND (:max_losses IS NULL OR (SELECT lost.job_id FROM dray_losses lost FORCE INDEX (PRIMARY)
			WHERE lost.job_id = r.job_id AND lost.losses >= GREATEST(1, COALESCE((
				SELECT x.max_losses
				FROM JSON_TABLE(:bounds, '$[*]' COLUMNS (
					class_name varchar(255) {as_jobs} PATH '$.class_name',
					max_losses int PATH '$.max_losses')) x
				WHERE CAST(x.class_name AS BINARY) = CAST((SELECT j.class_name FROM solid_queue_jobs j
					WHERE j.id = lost.job_id) AS BINARY)), :max_losses))) IS NULL)
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
