-- 018 cancellations: which running jobs people have cancelled; until their workers have stopped them.

CREATE TABLE dray_cancellations (
	job_id bigint NOT NULL PRIMARY KEY,
	claim_id bigint NOT NULL,
	process_id bigint,
	requested_at datetime(6) NOT NULL,
	requested_by text NOT NULL,
	reason text,
	CONSTRAINT fk_dray_cancellations_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE INDEX index_dray_cancellations_on_process_id ON dray_cancellations (process_id);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (18, 'cancellations', strftime('%Y-%m-%d %H:%M:%f', 'now'));
