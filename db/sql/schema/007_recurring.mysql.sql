-- 007 recurring: what Solid Queue's tables of recurring tasks have no column for, and each moment
-- that was decided on, for longer than its job may exist. Keys are compared with those of Solid
-- Queue's tables, so the tables are made with the collation that these have. Interrupted after any
-- statement, it can be run again: nobody has used them then.

INSERT IGNORE INTO dray_migrations (version, name) VALUES (7, 'recurring');

DROP TABLE IF EXISTS dray_recurring_tasks;

CREATE TABLE dray_recurring_tasks (
	schedule varchar(255) COLLATE utf8mb4_bin NOT NULL,
	settings text NOT NULL,
	since datetime(6) NOT NULL,
	created_at datetime(6) NOT NULL,
	paused_at datetime(6),
	resumed_at datetime(6),
	paused_by varchar(255),
	paused_host varchar(255),
	pause_reason text,
	PRIMARY KEY (task_key)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4
SELECT s.`key` AS task_key, '' AS schedule, '' AS settings, s.created_at AS since, s.created_at
FROM solid_queue_recurring_tasks s WHERE false;

DROP TABLE IF EXISTS dray_recurring_runs;

CREATE TABLE dray_recurring_runs (
	run_at datetime(6) NOT NULL,
	job_id bigint,
	outcome varchar(255) NOT NULL,
	first_at datetime(6),
	moments int,
	created_at datetime(6) NOT NULL,
	PRIMARY KEY (task_key, run_at),
	KEY index_dray_recurring_runs_on_created_at (created_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4
SELECT s.`key` AS task_key, s.created_at AS run_at, s.id AS job_id, '' AS outcome, s.created_at
FROM solid_queue_recurring_tasks s WHERE false;

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 7 AND applied_at IS NULL;
