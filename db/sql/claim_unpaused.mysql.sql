-- claim_unpaused(process_id, limit, from_priority, from_job, to_priority, to_job, now) -> paused, claim_id, job
-- Takes the next ready jobs that are in no way paused, of a part of the order by priority and age.
-- The part is bounded, because any number of paused jobs may stand there; paused_end or walk_end says
-- where. Always one row at least, for its first column.
-- What stands behind the end fills the LIMIT and is left: an upper bound of the index would make
-- ranges of it, and each of them is a walk through what was deleted and is not purged yet.
INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at)
SELECT next.job_id, :process_id, :now
FROM (SELECT r.job_id, r.priority
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_all)
	WHERE (:from_priority = -2147483648 OR r.priority > :from_priority
			OR (r.priority = :from_priority AND r.job_id >= :from_job))
		AND ((r.priority, r.job_id) >= (:to_priority, :to_job)
			OR ((SELECT p.id FROM solid_queue_pauses p WHERE p.queue_name = r.queue_name) IS NULL
			AND (NOT EXISTS (SELECT 1 FROM dray_pauses t WHERE t.kind = 'pattern')
				OR (SELECT COUNT(*) FROM dray_pauses t FORCE INDEX (PRIMARY)
					WHERE t.kind = 'pattern'
						AND LEFT(CONVERT(r.queue_name USING utf8mb4), CHAR_LENGTH(t.name) - 1) COLLATE utf8mb4_bin =
							LEFT(t.name, CHAR_LENGTH(t.name) - 1)
						AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue'
							AND e.name = CONVERT(r.queue_name USING utf8mb4) COLLATE utf8mb4_bin)) = 0)
			AND (NOT EXISTS (SELECT 1 FROM dray_pauses k WHERE k.kind = 'class')
				OR (SELECT COUNT(*) FROM solid_queue_jobs j FORCE INDEX (PRIMARY)
					STRAIGHT_JOIN dray_pauses k FORCE INDEX (PRIMARY) ON k.kind = 'class'
						AND k.name COLLATE utf8mb4_bin =
							CONVERT(j.class_name USING utf8mb4) COLLATE utf8mb4_bin
					WHERE j.id = r.job_id) = 0)))
		AND (SELECT COUNT(*) FROM dray_pauses d WHERE d.process_id = :process_id) = 0
		AND (SELECT o.id FROM solid_queue_processes o WHERE o.id = :process_id) IS NOT NULL
		AND (SELECT c.id FROM solid_queue_claimed_executions c WHERE c.job_id = r.job_id) IS NULL
	ORDER BY r.priority, r.job_id LIMIT :limit {skip_locked}) next
WHERE (next.priority, next.job_id) < (:to_priority, :to_job);
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
