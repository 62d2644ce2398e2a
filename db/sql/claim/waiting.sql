-- waiting(process_id) -> any
-- Is any job ready, and the process not paused? What an idle worker asks: it reads one index entry
-- of each and locks nothing.
-- read
-- rows
SELECT EXISTS (SELECT 1 FROM solid_queue_ready_executions)
	AND NOT EXISTS (SELECT 1 FROM dray_pauses d WHERE d.process_id = :process_id);
