-- 014 attempts: the runs of a job that did not succeed, and what became of it then. Interrupted after any
-- statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (14, 'attempts');

CREATE TABLE IF NOT EXISTS dray_attempts (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	job_id bigint NOT NULL,
	attempt int NOT NULL,
	claim_id bigint NOT NULL,
	process_name varchar(255),
	hostname varchar(255),
	began_at datetime(6) NOT NULL,
	ended_at datetime(6) NOT NULL,
	outcome varchar(255) NOT NULL,
	error text,
	KEY index_dray_attempts_on_job_id_and_id (job_id, id),
	CONSTRAINT fk_dray_attempts_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 14 AND applied_at IS NULL;
