-- 003 limits: which job holds which slot. A slot has no foreign key: that a job vanished with its slot
-- must be seen, or the slot would be lost.
-- Names are compared with those of Solid Queue's tables, so they are made with the collation that
-- these have. Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (3, 'limits');

CREATE TABLE IF NOT EXISTS dray_slots (
	job_id bigint NOT NULL,
	position int NOT NULL,
	created_at datetime(6) NOT NULL,
	PRIMARY KEY (concurrency_key, job_id),
	KEY index_dray_slots_on_job_id (job_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4
SELECT s.`key` AS concurrency_key, 0 AS job_id, j.class_name, 0 AS position, j.created_at
FROM solid_queue_semaphores s, solid_queue_jobs j WHERE false;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 3 AND applied_at IS NULL;
