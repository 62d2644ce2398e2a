-- 007 recurring: what Solid Queue's tables of recurring tasks have no column for, and each moment
-- that was decided on, for longer than its job may exist.

CREATE TABLE dray_recurring_tasks (
	task_key varchar NOT NULL PRIMARY KEY,
	schedule varchar NOT NULL,
	settings text NOT NULL,
	since datetime(6) NOT NULL,
	created_at datetime(6) NOT NULL,
	paused_at datetime(6),
	resumed_at datetime(6),
	paused_by varchar,
	paused_host varchar,
	pause_reason text
) WITHOUT ROWID;
CREATE TABLE dray_recurring_runs (
	task_key varchar NOT NULL,
	run_at datetime(6) NOT NULL,
	job_id bigint,
	outcome varchar NOT NULL,
	first_at datetime(6),
	moments integer,
	created_at datetime(6) NOT NULL,
	PRIMARY KEY (task_key, run_at)
) WITHOUT ROWID;
CREATE INDEX index_dray_recurring_runs_on_created_at ON dray_recurring_runs (created_at);

INSERT INTO dray_migrations (version, name, applied_at)
VALUES (7, 'recurring', strftime('%Y-%m-%d %H:%M:%f', 'now'));
