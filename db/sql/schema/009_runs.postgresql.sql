-- 009 runs: how many runs a job has behind it that its losses do not count, since a retry forgot them.

ALTER TABLE dray_losses ADD COLUMN IF NOT EXISTS runs_before integer NOT NULL DEFAULT 0;

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (9, 'runs', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
