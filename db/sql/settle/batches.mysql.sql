-- batches() -> there
-- Has the database what Solid Queue 1.7 keeps of the jobs of a batch that have not ended?
-- read
-- rows
SELECT EXISTS (SELECT 1 FROM information_schema.tables
	WHERE table_schema = DATABASE() AND table_name = 'solid_queue_batch_executions');
