-- batches() -> there
-- Tells whether the database has the table in which Solid Queue 1.7 keeps the unfinished jobs of
-- a batch.
-- read
-- rows
SELECT EXISTS (SELECT 1 FROM information_schema.tables
	WHERE table_schema = DATABASE() AND table_name = 'solid_queue_batch_executions');
