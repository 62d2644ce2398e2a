-- 002 losses: how often a job's process was lost while it ran; a row only for jobs that were lost.
-- Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (2, 'losses');

CREATE TABLE IF NOT EXISTS dray_losses (
	job_id bigint NOT NULL PRIMARY KEY,
	losses int NOT NULL,
	last_lost_at datetime(6) NOT NULL,
	CONSTRAINT fk_dray_losses_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 2 AND applied_at IS NULL;
