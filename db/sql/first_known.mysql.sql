-- first_known(process_id, queue, classes, others, max_losses, bounds, from_priority, from_job) -> last, priority, job_id, paused
-- Where the first ready job of these classes (a JSON array; null = all), of none of the others (another;
-- null = none) and of no paused class
-- stands in a queue, at or behind a place in its order, if there is one; and where the queue's last
-- job stands (last = 1). Unless max_losses is null, jobs are passed that have been lost so often (bounds:
-- [{"class_name", "max_losses"}] for classes that differ).
-- paused: is any class? Nothing of a queue that is paused, nor for a paused
-- process.
-- read
-- rows
SELECT 0, k.priority, k.job_id, EXISTS (SELECT 1 FROM dray_pauses c WHERE c.kind = 'class') FROM (
	SELECT r.priority, r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE r.queue_name = :queue AND (r.priority > :from_priority
			OR (r.priority = :from_priority AND r.job_id >= :from_job))
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
		AND NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = :queue)
		AND (SELECT COUNT(*) FROM dray_pauses t FORCE INDEX (PRIMARY)
			WHERE t.kind = 'pattern'
				AND LEFT(CONVERT(:queue USING utf8mb4), CHAR_LENGTH(t.name) - 1) COLLATE utf8mb4_bin =
					LEFT(t.name, CHAR_LENGTH(t.name) - 1)
				AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue'
					AND e.name = CONVERT(:queue USING utf8mb4) COLLATE utf8mb4_bin)) = 0
		AND NOT EXISTS (SELECT 1 FROM dray_pauses o WHERE o.process_id = :process_id)
	ORDER BY r.priority, r.job_id LIMIT 1) k
UNION ALL
SELECT 1, l.priority, l.job_id, EXISTS (SELECT 1 FROM dray_pauses c WHERE c.kind = 'class') FROM (
	SELECT r.priority, r.job_id
	FROM solid_queue_ready_executions r FORCE INDEX (index_solid_queue_poll_by_queue)
	WHERE r.queue_name = :queue
		AND NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = :queue)
		AND (SELECT COUNT(*) FROM dray_pauses t FORCE INDEX (PRIMARY)
			WHERE t.kind = 'pattern'
				AND LEFT(CONVERT(:queue USING utf8mb4), CHAR_LENGTH(t.name) - 1) COLLATE utf8mb4_bin =
					LEFT(t.name, CHAR_LENGTH(t.name) - 1)
				AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue'
					AND e.name = CONVERT(:queue USING utf8mb4) COLLATE utf8mb4_bin)) = 0
		AND NOT EXISTS (SELECT 1 FROM dray_pauses o WHERE o.process_id = :process_id)
	ORDER BY r.queue_name DESC, r.priority DESC, r.job_id DESC LIMIT 1) l;
