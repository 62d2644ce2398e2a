-- The foreign key of dray_keys again, where its table's parent was dropped with its keys and made
-- anew. Only a job with a key of its own has further ones.

DELETE FROM dray_keys WHERE NOT EXISTS (
	SELECT 1 FROM solid_queue_jobs j
	WHERE j.id = dray_keys.job_id AND j.concurrency_key IS NOT NULL
);

ALTER TABLE dray_keys ADD CONSTRAINT fk_dray_keys_job_id FOREIGN KEY (job_id)
	REFERENCES solid_queue_jobs (id) ON DELETE CASCADE;
