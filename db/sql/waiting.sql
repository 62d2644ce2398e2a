-- waiting() -> any
-- Is any job ready? What an idle worker asks: it reads one index entry and locks nothing.
-- read
-- rows
SELECT EXISTS (SELECT 1 FROM solid_queue_ready_executions);
