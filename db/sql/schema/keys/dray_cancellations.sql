-- The foreign key of dray_cancellations again, where its table's parent was dropped with its keys and
-- made anew. Numbers of jobs then begin anew too: what was cancelled before its job was made is another's.

DELETE FROM dray_cancellations WHERE NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = dray_cancellations.job_id AND j.created_at <= dray_cancellations.requested_at
);

ALTER TABLE dray_cancellations ADD CONSTRAINT fk_dray_cancellations_job_id FOREIGN KEY (job_id)
	REFERENCES solid_queue_jobs (id) ON DELETE CASCADE;
