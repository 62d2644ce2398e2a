-- batches() -> there
-- Tells whether the database has the table in which Solid Queue 1.7 keeps the unfinished jobs of
-- a batch.
-- read
-- rows
SELECT EXISTS (SELECT 1 FROM sqlite_master
	WHERE type = 'table' AND name = 'solid_queue_batch_executions');
