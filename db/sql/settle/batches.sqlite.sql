-- batches() -> there
-- Has the database what Solid Queue 1.7 keeps of the jobs of a batch that have not ended?
-- read
-- rows
SELECT EXISTS (SELECT 1 FROM sqlite_master
	WHERE type = 'table' AND name = 'solid_queue_batch_executions');
