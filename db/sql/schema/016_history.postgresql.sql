-- 016 history: what the process of a run used, and what a class declares of losses that end a job.

ALTER TABLE dray_attempts ADD COLUMN IF NOT EXISTS cpu_us bigint;
ALTER TABLE dray_attempts ADD COLUMN IF NOT EXISTS peak_memory bigint;
ALTER TABLE dray_classes ADD COLUMN IF NOT EXISTS lost_end text;

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (16, 'history', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
