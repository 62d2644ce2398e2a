-- 017 errors: which failures have the same cause.

ALTER TABLE dray_attempts ADD COLUMN error_group varchar(8);
CREATE INDEX index_dray_attempts_on_ended_at_and_error_group ON dray_attempts (ended_at, error_group);
CREATE INDEX index_dray_attempts_on_error_group_and_ended_at ON dray_attempts (error_group, ended_at);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (17, 'errors', strftime('%Y-%m-%d %H:%M:%f', 'now'));
