-- 003 limits: which job holds which slot. A slot has no foreign key: that a job vanished with its slot
-- must be seen, or the slot would be lost.

CREATE TABLE dray_slots (
	concurrency_key character varying NOT NULL,
	job_id bigint NOT NULL,
	class_name character varying NOT NULL,
	position integer NOT NULL,
	created_at timestamp(6) NOT NULL,
	PRIMARY KEY (concurrency_key, job_id)
);
CREATE INDEX index_dray_slots_on_job_id ON dray_slots (job_id);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (3, 'limits', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
