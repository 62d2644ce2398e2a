-- The foreign key of dray_losses again, where its table's parent was dropped with its keys and made
-- anew. Numbers of jobs then begin anew too: what was lost before its job was made is another's.

DELETE FROM dray_losses WHERE NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = dray_losses.job_id AND j.created_at <= dray_losses.last_lost_at
);

ALTER TABLE dray_losses ADD CONSTRAINT fk_dray_losses_job_id FOREIGN KEY (job_id)
	REFERENCES solid_queue_jobs (id) ON DELETE CASCADE;
