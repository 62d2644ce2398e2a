-- waiting_in(queue) -> any
-- Has this queue a ready job that may be taken? What an idle worker of one queue asks.
-- read
-- rows
SELECT EXISTS (SELECT 1 FROM solid_queue_ready_executions r WHERE r.queue_name = :queue)
	AND NOT EXISTS (SELECT 1 FROM solid_queue_pauses p WHERE p.queue_name = :queue);
