-- batches() -> there
-- Tells whether the database has the table in which Solid Queue 1.7 keeps the unfinished jobs of
-- a batch.
-- read

-- @mysql
-- rows
SELECT EXISTS (SELECT 1 FROM information_schema.tables
	WHERE table_schema = DATABASE() AND table_name = 'solid_queue_batch_executions');

-- @postgresql
-- rows
SELECT CASE WHEN EXISTS (
	SELECT 1 FROM pg_class c JOIN pg_class ours ON ours.relnamespace = c.relnamespace
	WHERE c.relname = 'solid_queue_batch_executions'
	AND ours.oid = (SELECT tableoid FROM dray_migrations LIMIT 1)) THEN 1 ELSE 0 END;

-- @sqlite
-- rows
SELECT EXISTS (SELECT 1 FROM sqlite_master
	WHERE type = 'table' AND name = 'solid_queue_batch_executions');
