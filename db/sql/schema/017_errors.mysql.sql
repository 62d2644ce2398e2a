-- 017 errors: which failures have the same cause. Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (17, 'errors');

SET @dray_errors = IF((SELECT COUNT(*) FROM information_schema.columns
	WHERE table_schema = DATABASE() AND table_name = 'dray_attempts' AND column_name = 'error_group') = 0,
	'ALTER TABLE dray_attempts ADD COLUMN error_group varchar(8) COLLATE utf8mb4_bin,
	ADD KEY index_dray_attempts_on_ended_at_and_error_group (ended_at, error_group),
	ADD KEY index_dray_attempts_on_error_group_and_ended_at (error_group, ended_at)', 'DO 0');
PREPARE dray_errors FROM @dray_errors;
EXECUTE dray_errors;
DEALLOCATE PREPARE dray_errors;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 17 AND applied_at IS NULL;
