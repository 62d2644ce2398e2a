-- 009 runs: how many runs a job has behind it that its losses do not count, since a retry forgot them.
-- Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (9, 'runs');

SET @dray_runs = IF((SELECT COUNT(*) FROM information_schema.columns
	WHERE table_schema = DATABASE() AND table_name = 'dray_losses' AND column_name = 'runs_before') = 0,
	'ALTER TABLE dray_losses ADD COLUMN runs_before int NOT NULL DEFAULT 0', 'DO 0');
PREPARE dray_runs FROM @dray_runs;
EXECUTE dray_runs;
DEALLOCATE PREPARE dray_runs;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 9 AND applied_at IS NULL;
