-- 016 history: what the process of a run used, and what a class declares of losses that end a job.
-- Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (16, 'history');

SET @dray_history = IF((SELECT COUNT(*) FROM information_schema.columns
	WHERE table_schema = DATABASE() AND table_name = 'dray_attempts' AND column_name = 'cpu_us') = 0,
	'ALTER TABLE dray_attempts ADD COLUMN cpu_us bigint, ADD COLUMN peak_memory bigint', 'DO 0');
PREPARE dray_history FROM @dray_history;
EXECUTE dray_history;
DEALLOCATE PREPARE dray_history;

SET @dray_history = IF((SELECT COUNT(*) FROM information_schema.columns
	WHERE table_schema = DATABASE() AND table_name = 'dray_classes' AND column_name = 'lost_end') = 0,
	'ALTER TABLE dray_classes ADD COLUMN lost_end text', 'DO 0');
PREPARE dray_history FROM @dray_history;
EXECUTE dray_history;
DEALLOCATE PREPARE dray_history;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 16 AND applied_at IS NULL;
