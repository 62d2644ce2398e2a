-- 015 interruptions: how many of a job's runs were cut short, or put themselves off.

ALTER TABLE dray_losses ADD COLUMN interruptions integer NOT NULL DEFAULT 0;

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (15, 'interruptions', strftime('%Y-%m-%d %H:%M:%f', 'now'));
