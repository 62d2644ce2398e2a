-- 018 cancellations: which running jobs people have cancelled; until their workers have stopped them.
-- Interrupted after any statement, it can be run again.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (18, 'cancellations');

CREATE TABLE IF NOT EXISTS dray_cancellations (
	job_id bigint NOT NULL PRIMARY KEY,
	claim_id bigint NOT NULL,
	process_id bigint,
	requested_at datetime(6) NOT NULL,
	requested_by text NOT NULL,
	reason text,
	KEY index_dray_cancellations_on_process_id (process_id),
	CONSTRAINT fk_dray_cancellations_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 18 AND applied_at IS NULL;
