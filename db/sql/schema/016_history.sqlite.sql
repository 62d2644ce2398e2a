-- 016 history: what the process of a run used.

ALTER TABLE dray_attempts ADD COLUMN cpu_us bigint;
ALTER TABLE dray_attempts ADD COLUMN peak_memory bigint;

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (16, 'history', strftime('%Y-%m-%d %H:%M:%f', 'now'));
