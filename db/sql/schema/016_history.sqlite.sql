-- 016 history: what the process of a run used, and what a class declares of losses that end a job.

ALTER TABLE dray_attempts ADD COLUMN cpu_us bigint;
ALTER TABLE dray_attempts ADD COLUMN peak_memory bigint;
ALTER TABLE dray_classes ADD COLUMN lost_end text;

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (16, 'history', strftime('%Y-%m-%d %H:%M:%f', 'now'));
