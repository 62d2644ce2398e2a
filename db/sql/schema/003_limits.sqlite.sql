-- 003 limits: what classes declare about concurrency, and which job holds which slot. A slot has
-- no foreign key: that a job vanished with its slot must be seen, or the slot would be lost.

CREATE TABLE dray_limits (
	class_name varchar NOT NULL,
	position integer NOT NULL,
	slots integer NOT NULL,
	duration_ms bigint NOT NULL,
	on_conflict varchar NOT NULL,
	key_template text,
	group_name varchar,
	updated_at datetime(6) NOT NULL,
	PRIMARY KEY (class_name, position)
) WITHOUT ROWID;

CREATE TABLE dray_slots (
	concurrency_key varchar NOT NULL,
	job_id bigint NOT NULL,
	class_name varchar NOT NULL,
	position integer NOT NULL,
	created_at datetime(6) NOT NULL,
	PRIMARY KEY (concurrency_key, job_id)
) WITHOUT ROWID;
CREATE INDEX index_dray_slots_on_job_id ON dray_slots (job_id);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (3, 'limits', strftime('%Y-%m-%d %H:%M:%f', 'now'));
