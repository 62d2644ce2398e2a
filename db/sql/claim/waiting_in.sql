-- waiting_in(process_id, queue) -> any, classes
-- Has this queue a ready job that this process may take? What an idle worker of one queue asks.
-- classes: is any class paused?
-- read
-- rows
SELECT EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.queue_name = :queue)
	AND {include:queue_is_not_paused :queue}
	AND NOT EXISTS (SELECT 1 FROM dray_pauses o WHERE o.process_id = :process_id),
	EXISTS (SELECT 1 FROM dray_pauses c WHERE c.kind IN ('class', 'refused'));
