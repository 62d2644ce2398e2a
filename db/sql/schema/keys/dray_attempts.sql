-- The foreign key of dray_attempts again, where its table's parent was dropped with its keys and made
-- anew. Numbers of jobs then begin anew too: a run that began before its job was made is another's.

DELETE FROM dray_attempts WHERE NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = dray_attempts.job_id AND j.created_at <= dray_attempts.ended_at
);

ALTER TABLE dray_attempts ADD CONSTRAINT fk_dray_attempts_job_id FOREIGN KEY (job_id)
	REFERENCES solid_queue_jobs (id) ON DELETE CASCADE;
