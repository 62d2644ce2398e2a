-- waiting_in(process_id, queue) -> any, classes
-- Has this queue a ready job that this process may take? What an idle worker of one queue asks.
-- classes: is any class paused?
-- read
-- rows
SELECT EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.queue_name = :queue)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = :queue)
	AND (SELECT COUNT(*) FROM dray_pauses t FORCE INDEX (PRIMARY)
		WHERE t.kind = 'pattern'
			AND LEFT(CONVERT(:queue USING utf8mb4), CHAR_LENGTH(t.name) - 1) COLLATE utf8mb4_bin =
				LEFT(t.name, CHAR_LENGTH(t.name) - 1)
			AND NOT EXISTS (SELECT 1 FROM dray_pauses e WHERE e.kind = 'queue'
				AND e.name = CONVERT(:queue USING utf8mb4) COLLATE utf8mb4_bin)) = 0
	AND NOT EXISTS (SELECT 1 FROM dray_pauses o WHERE o.process_id = :process_id),
	EXISTS (SELECT 1 FROM dray_pauses c WHERE c.kind = 'class');
