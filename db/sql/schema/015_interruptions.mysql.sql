-- 015 interruptions: how many of a job's runs were cut short, or put themselves off.
-- Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (15, 'interruptions');

SET @dray_interrupted = IF((SELECT COUNT(*) FROM information_schema.columns
	WHERE table_schema = DATABASE() AND table_name = 'dray_losses' AND column_name = 'interruptions') = 0,
	'ALTER TABLE dray_losses ADD COLUMN interruptions int NOT NULL DEFAULT 0', 'DO 0');
PREPARE dray_interrupted FROM @dray_interrupted;
EXECUTE dray_interrupted;
DEALLOCATE PREPARE dray_interrupted;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 15 AND applied_at IS NULL;
