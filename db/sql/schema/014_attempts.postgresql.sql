-- 014 attempts: the runs of a job that did not succeed, and what became of it then.

CREATE TABLE dray_attempts (
	id bigserial PRIMARY KEY,
	job_id bigint NOT NULL,
	attempt integer NOT NULL,
	claim_id bigint NOT NULL,
	process_name character varying,
	hostname character varying,
	began_at timestamp(6) NOT NULL,
	ended_at timestamp(6) NOT NULL,
	outcome character varying NOT NULL,
	error text,
	CONSTRAINT fk_dray_attempts_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE INDEX index_dray_attempts_on_job_id_and_id ON dray_attempts (job_id, id);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (14, 'attempts', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
