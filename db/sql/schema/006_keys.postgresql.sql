-- 006 keys: the further keys of jobs whose class has several limits; the first one is the job's own.

CREATE TABLE dray_keys (
	job_id bigint NOT NULL,
	position integer NOT NULL,
	concurrency_key character varying NOT NULL,
	PRIMARY KEY (job_id, position),
	CONSTRAINT fk_dray_keys_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE INDEX index_dray_keys_on_concurrency_key ON dray_keys (concurrency_key);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (6, 'keys', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
