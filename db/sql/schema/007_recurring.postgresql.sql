-- 007 recurring: what Solid Queue's tables of recurring tasks have no column for, and each moment
-- that was decided on, for longer than its job may exist.

CREATE TABLE dray_recurring_tasks (
	task_key character varying NOT NULL PRIMARY KEY,
	schedule character varying NOT NULL,
	settings text NOT NULL,
	since timestamp(6) NOT NULL,
	created_at timestamp(6) NOT NULL,
	paused_at timestamp(6),
	resumed_at timestamp(6),
	paused_by character varying,
	paused_host character varying,
	pause_reason text
);
CREATE TABLE dray_recurring_runs (
	task_key character varying NOT NULL,
	run_at timestamp(6) NOT NULL,
	job_id bigint,
	outcome character varying NOT NULL,
	first_at timestamp(6),
	moments integer,
	created_at timestamp(6) NOT NULL,
	PRIMARY KEY (task_key, run_at)
);
CREATE INDEX index_dray_recurring_runs_on_created_at ON dray_recurring_runs (created_at);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (7, 'recurring', CURRENT_TIMESTAMP AT TIME ZONE 'UTC');
