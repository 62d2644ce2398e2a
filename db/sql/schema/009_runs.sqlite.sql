-- 009 runs: how many runs a job has behind it that its losses do not count, since a retry forgot them.

ALTER TABLE dray_losses ADD COLUMN runs_before integer NOT NULL DEFAULT 0;

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (9, 'runs', strftime('%Y-%m-%d %H:%M:%f', 'now'));
