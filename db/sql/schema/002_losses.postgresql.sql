-- 002 losses: how often a job's process was lost while it ran; a row only for jobs that were lost.

CREATE TABLE dray_losses (
	job_id bigint PRIMARY KEY,
	losses integer NOT NULL,
	last_lost_at timestamp(6) NOT NULL,
	CONSTRAINT fk_dray_losses_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (2, 'losses', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
