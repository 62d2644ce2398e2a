-- 006 keys: the further keys of jobs whose class has several limits; the first one is the job's own.
-- Keys are compared with those of Solid Queue's tables, so the table is made with the collation
-- that these have. Interrupted after any statement, it can be run again: nobody has used it then.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (6, 'keys');

DROP TABLE IF EXISTS dray_keys;

CREATE TABLE dray_keys (
	job_id bigint NOT NULL,
	position int NOT NULL,
	PRIMARY KEY (job_id, position),
	KEY index_dray_keys_on_concurrency_key (concurrency_key)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4
SELECT 0 AS job_id, 0 AS position, s.`key` AS concurrency_key
FROM solid_queue_semaphores s WHERE false;

ALTER TABLE dray_keys ADD CONSTRAINT fk_dray_keys_job_id FOREIGN KEY (job_id)
	REFERENCES solid_queue_jobs (id) ON DELETE CASCADE;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 6 AND applied_at IS NULL;
