-- 019 tables: all of dray's own, and before them those of Solid Queue, unless Rails has made these. Some
-- of dray's may be there, with rows: a dump had them. The numbers below 019 were never released.

-- @mysql
--
-- DDL commits by itself here, so every statement can be repeated: a row without applied_at says that the
-- tables were begun by this file, and running it again goes on where it stopped.
--
-- Names that are compared with those of Solid Queue's tables are selected from there, with the collation
-- that these have.

-- What has been applied to this database; each file records itself. applied_at: NULL while a migration is
-- under way. adopted: the tables of Solid Queue were there before, made by Rails.
CREATE TABLE IF NOT EXISTS dray_migrations (
	version int NOT NULL PRIMARY KEY,
	name varchar(255) NOT NULL,
	applied_at datetime(6),
	adopted tinyint(1) NOT NULL DEFAULT 0
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

INSERT IGNORE INTO dray_migrations (version, name, adopted) VALUES (19, 'tables', {adopted});

{solid_queue}
-- How often a job's process was lost while it ran. runs_before: how many runs the job has behind it that
-- this does not count, since a retry forgot them. interruptions: how many of its runs were cut short, or
-- put themselves off.
CREATE TABLE IF NOT EXISTS dray_losses (
	job_id bigint NOT NULL PRIMARY KEY,
	losses int NOT NULL,
	last_lost_at datetime(6) NOT NULL,
	runs_before int NOT NULL DEFAULT 0,
	interruptions int NOT NULL DEFAULT 0,
	CONSTRAINT fk_dray_losses_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

-- Which job holds which slot. A slot has no foreign key: that a job vanished with its slot must be seen,
-- or the slot would be lost.
CREATE TABLE IF NOT EXISTS dray_slots (
	job_id bigint NOT NULL,
	position int NOT NULL,
	created_at datetime(6) NOT NULL,
	PRIMARY KEY (concurrency_key, job_id),
	KEY index_dray_slots_on_job_id (job_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4
SELECT s.`key` AS concurrency_key, 0 AS job_id, j.class_name, 0 AS position, j.created_at
FROM solid_queue_semaphores s, solid_queue_jobs j WHERE false;

-- The further keys of jobs whose class has several limits; the first one is the job's own.
CREATE TABLE IF NOT EXISTS dray_keys (
	job_id bigint NOT NULL,
	position int NOT NULL,
	PRIMARY KEY (job_id, position),
	KEY index_dray_keys_on_concurrency_key (concurrency_key)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4
SELECT 0 AS job_id, 0 AS position, s.`key` AS concurrency_key
FROM solid_queue_semaphores s WHERE false;

-- A table that is selected cannot be made with a foreign key. Where there are rows already `dray db
-- migrate` makes it, and removes those that are in its way.
SET @dray_key = IF(EXISTS (SELECT 1 FROM dray_keys) OR EXISTS (SELECT 1 FROM information_schema.table_constraints
	WHERE table_schema = DATABASE() AND table_name = 'dray_keys' AND constraint_type = 'FOREIGN KEY'), 'DO 0',
	'ALTER TABLE dray_keys ADD CONSTRAINT fk_dray_keys_job_id FOREIGN KEY (job_id)
	REFERENCES solid_queue_jobs (id) ON DELETE CASCADE');
PREPARE dray_key FROM @dray_key;
EXECUTE dray_key;
DEALLOCATE PREPARE dray_key;

-- Who has paused what, why and until when. A paused queue is one of solid_queue_pauses; its row here
-- tells about it as long as both were made at the same time.
CREATE TABLE IF NOT EXISTS dray_pauses (
	kind varchar(255) NOT NULL,
	name varchar(255) COLLATE utf8mb4_bin NOT NULL,
	process_id bigint,
	reason text,
	who varchar(255),
	host varchar(255),
	created_at datetime(6) NOT NULL,
	ends_at datetime(6),
	PRIMARY KEY (kind, name),
	KEY index_dray_pauses_on_process_id (process_id),
	CONSTRAINT fk_dray_pauses_process_id FOREIGN KEY (process_id)
		REFERENCES solid_queue_processes (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

-- What people have done to queues and jobs: who, where, when, why, and to how many.
CREATE TABLE IF NOT EXISTS dray_audit (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	action varchar(255) NOT NULL,
	target text NOT NULL,
	reason text,
	who varchar(255),
	host varchar(255),
	count bigint NOT NULL,
	state varchar(255) NOT NULL,
	created_at datetime(6) NOT NULL,
	KEY index_dray_audit_on_created_at (created_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

-- What Solid Queue's tables of recurring tasks have no column for, and each moment that was decided on,
-- for longer than its job may exist.
CREATE TABLE IF NOT EXISTS dray_recurring_tasks (
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

CREATE TABLE IF NOT EXISTS dray_recurring_runs (
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

-- Recurring tasks whose schedule no expression says that Rails' parser reads. Rails does not know of
-- them; in place of a row in solid_queue_recurring_tasks they have one here, of the same types.
CREATE TABLE IF NOT EXISTS dray_recurring_own (
	PRIMARY KEY (task_key)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4
SELECT s.`key` AS task_key, s.command, s.class_name, s.arguments, s.queue_name, s.priority, s.static,
	s.description, s.created_at, s.updated_at
FROM solid_queue_recurring_tasks s WHERE false;

-- Processes that ended without leaving in good order: who, when and how. Kept for an hour.
CREATE TABLE IF NOT EXISTS dray_gone (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	process_id bigint NOT NULL,
	kind varchar(255) NOT NULL,
	name varchar(255) NOT NULL,
	hostname varchar(255),
	pid int NOT NULL,
	last_heartbeat_at datetime(6) NOT NULL,
	how text NOT NULL,
	released bigint NOT NULL,
	failed bigint NOT NULL,
	gone_at datetime(6) NOT NULL,
	KEY index_dray_gone_on_gone_at (gone_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

-- Processes of other software that were seen at these tables, one of each kind. They are remembered
-- after they are gone: they may come back, and their jobs are theirs.
CREATE TABLE IF NOT EXISTS dray_others (
	kind varchar(255) NOT NULL PRIMARY KEY,
	name varchar(255) NOT NULL,
	seen_at datetime(6) NOT NULL
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

-- What classes declare, published once for all: their policies in the row with position 0, beside the
-- first of their limits, and further limits in rows of their own. Classes that differ only in case are two.
CREATE TABLE IF NOT EXISTS dray_classes (
	class_name varchar(255) COLLATE utf8mb4_bin NOT NULL,
	position int NOT NULL,
	max_losses int,
	slots int,
	duration_ms bigint,
	on_conflict varchar(255),
	key_template text,
	group_name varchar(255),
	updated_at datetime(6) NOT NULL,
	lost_end text,
	PRIMARY KEY (class_name, position)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

-- The runs of a job that did not succeed, what became of it then, what the run's process used, and
-- which failures have the same cause.
CREATE TABLE IF NOT EXISTS dray_attempts (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	job_id bigint NOT NULL,
	attempt int NOT NULL,
	claim_id bigint NOT NULL,
	process_name varchar(255),
	hostname varchar(255),
	began_at datetime(6) NOT NULL,
	ended_at datetime(6) NOT NULL,
	outcome varchar(255) NOT NULL,
	error text,
	cpu_us bigint,
	peak_memory bigint,
	error_group varchar(8) COLLATE utf8mb4_bin,
	KEY index_dray_attempts_on_job_id_and_id (job_id, id),
	KEY index_dray_attempts_on_ended_at_and_error_group (ended_at, error_group),
	KEY index_dray_attempts_on_error_group_and_ended_at (error_group, ended_at),
	CONSTRAINT fk_dray_attempts_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

-- Which running jobs people have cancelled; until their workers have stopped them.
CREATE TABLE IF NOT EXISTS dray_cancellations (
	job_id bigint NOT NULL PRIMARY KEY,
	claim_id bigint NOT NULL,
	process_id bigint,
	requested_at datetime(6) NOT NULL,
	requested_by text NOT NULL,
	reason text,
	KEY index_dray_cancellations_on_process_id (process_id),
	CONSTRAINT fk_dray_cancellations_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

-- The table by which Rails knows that somebody has made the tables: without it `bin/rails db:prepare`
-- loads its schema file, which drops them with every job. 1 is the version of Solid Queue's schema file.
-- A table with rows is left as it is.
CREATE TABLE IF NOT EXISTS schema_migrations (
	version varchar(255) NOT NULL PRIMARY KEY
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

INSERT INTO schema_migrations (version)
SELECT '1' FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM schema_migrations);

UPDATE dray_migrations SET applied_at = UTC_TIMESTAMP(6) WHERE version = 19 AND applied_at IS NULL;

-- @postgresql

-- What has been applied to this database; each file records itself. adopted: the tables of Solid Queue
-- were there before, made by Rails.
CREATE TABLE IF NOT EXISTS dray_migrations (
	version integer PRIMARY KEY,
	name varchar NOT NULL,
	applied_at timestamp(6),
	adopted boolean NOT NULL DEFAULT false
);

{solid_queue}
-- How often a job's process was lost while it ran. runs_before: how many runs the job has behind it that
-- this does not count, since a retry forgot them. interruptions: how many of its runs were cut short, or
-- put themselves off.
CREATE TABLE IF NOT EXISTS dray_losses (
	job_id bigint PRIMARY KEY,
	losses integer NOT NULL,
	last_lost_at timestamp(6) NOT NULL,
	runs_before integer NOT NULL DEFAULT 0,
	interruptions integer NOT NULL DEFAULT 0,
	CONSTRAINT fk_dray_losses_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);

-- Which job holds which slot. A slot has no foreign key: that a job vanished with its slot must be seen,
-- or the slot would be lost.
CREATE TABLE IF NOT EXISTS dray_slots (
	concurrency_key varchar NOT NULL,
	job_id bigint NOT NULL,
	class_name varchar NOT NULL,
	position integer NOT NULL,
	created_at timestamp(6) NOT NULL,
	PRIMARY KEY (concurrency_key, job_id)
);
CREATE INDEX IF NOT EXISTS index_dray_slots_on_job_id ON dray_slots (job_id);

-- The further keys of jobs whose class has several limits; the first one is the job's own.
CREATE TABLE IF NOT EXISTS dray_keys (
	job_id bigint NOT NULL,
	position integer NOT NULL,
	concurrency_key varchar NOT NULL,
	PRIMARY KEY (job_id, position),
	CONSTRAINT fk_dray_keys_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS index_dray_keys_on_concurrency_key ON dray_keys (concurrency_key);

-- Who has paused what, why and until when. A paused queue is one of solid_queue_pauses; its row here
-- tells about it as long as both were made at the same time.
CREATE TABLE IF NOT EXISTS dray_pauses (
	kind varchar NOT NULL,
	name varchar NOT NULL,
	process_id bigint,
	reason text,
	who varchar,
	host varchar,
	created_at timestamp(6) NOT NULL,
	ends_at timestamp(6),
	PRIMARY KEY (kind, name),
	CONSTRAINT fk_dray_pauses_process_id FOREIGN KEY (process_id)
		REFERENCES solid_queue_processes (id) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS index_dray_pauses_on_process_id ON dray_pauses (process_id);

-- What people have done to queues and jobs: who, where, when, why, and to how many.
CREATE TABLE IF NOT EXISTS dray_audit (
	id bigserial PRIMARY KEY,
	action varchar NOT NULL,
	target text NOT NULL,
	reason text,
	who varchar,
	host varchar,
	count bigint NOT NULL,
	state varchar NOT NULL,
	created_at timestamp(6) NOT NULL
);
CREATE INDEX IF NOT EXISTS index_dray_audit_on_created_at ON dray_audit (created_at);

-- What Solid Queue's tables of recurring tasks have no column for, and each moment that was decided on,
-- for longer than its job may exist.
CREATE TABLE IF NOT EXISTS dray_recurring_tasks (
	task_key varchar NOT NULL PRIMARY KEY,
	schedule varchar NOT NULL,
	settings text NOT NULL,
	since timestamp(6) NOT NULL,
	created_at timestamp(6) NOT NULL,
	paused_at timestamp(6),
	resumed_at timestamp(6),
	paused_by varchar,
	paused_host varchar,
	pause_reason text
);
CREATE TABLE IF NOT EXISTS dray_recurring_runs (
	task_key varchar NOT NULL,
	run_at timestamp(6) NOT NULL,
	job_id bigint,
	outcome varchar NOT NULL,
	first_at timestamp(6),
	moments integer,
	created_at timestamp(6) NOT NULL,
	PRIMARY KEY (task_key, run_at)
);
CREATE INDEX IF NOT EXISTS index_dray_recurring_runs_on_created_at ON dray_recurring_runs (created_at);

-- Recurring tasks whose schedule no expression says that Rails' parser reads. Rails does not know of
-- them; in place of a row in solid_queue_recurring_tasks they have one here.
CREATE TABLE IF NOT EXISTS dray_recurring_own (
	task_key varchar NOT NULL PRIMARY KEY,
	command varchar(2048),
	class_name varchar,
	arguments text,
	queue_name varchar,
	priority integer DEFAULT 0,
	static boolean NOT NULL DEFAULT true,
	description text,
	created_at timestamp(6) NOT NULL,
	updated_at timestamp(6) NOT NULL
);

-- Processes that ended without leaving in good order: who, when and how. Kept for an hour.
CREATE TABLE IF NOT EXISTS dray_gone (
	id bigserial PRIMARY KEY,
	process_id bigint NOT NULL,
	kind varchar NOT NULL,
	name varchar NOT NULL,
	hostname varchar,
	pid integer NOT NULL,
	last_heartbeat_at timestamp(6) NOT NULL,
	how text NOT NULL,
	released bigint NOT NULL,
	failed bigint NOT NULL,
	gone_at timestamp(6) NOT NULL
);
CREATE INDEX IF NOT EXISTS index_dray_gone_on_gone_at ON dray_gone (gone_at);

-- Processes of other software that were seen at these tables, one of each kind. They are remembered
-- after they are gone: they may come back, and their jobs are theirs.
CREATE TABLE IF NOT EXISTS dray_others (
	kind varchar NOT NULL PRIMARY KEY,
	name varchar NOT NULL,
	seen_at timestamp(6) NOT NULL
);

-- What classes declare, published once for all: their policies in the row with position 0, beside the
-- first of their limits, and further limits in rows of their own.
CREATE TABLE IF NOT EXISTS dray_classes (
	class_name varchar NOT NULL,
	position integer NOT NULL,
	max_losses integer,
	slots integer,
	duration_ms bigint,
	on_conflict varchar,
	key_template text,
	group_name varchar,
	updated_at timestamp(6) NOT NULL,
	lost_end text,
	PRIMARY KEY (class_name, position)
);

-- The runs of a job that did not succeed, what became of it then, what the run's process used, and
-- which failures have the same cause.
CREATE TABLE IF NOT EXISTS dray_attempts (
	id bigserial PRIMARY KEY,
	job_id bigint NOT NULL,
	attempt integer NOT NULL,
	claim_id bigint NOT NULL,
	process_name varchar,
	hostname varchar,
	began_at timestamp(6) NOT NULL,
	ended_at timestamp(6) NOT NULL,
	outcome varchar NOT NULL,
	error text,
	cpu_us bigint,
	peak_memory bigint,
	error_group varchar(8),
	CONSTRAINT fk_dray_attempts_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS index_dray_attempts_on_job_id_and_id
	ON dray_attempts (job_id, id);
CREATE INDEX IF NOT EXISTS index_dray_attempts_on_ended_at_and_error_group
	ON dray_attempts (ended_at, error_group);
CREATE INDEX IF NOT EXISTS index_dray_attempts_on_error_group_and_ended_at
	ON dray_attempts (error_group, ended_at);

-- Which running jobs people have cancelled; until their workers have stopped them.
CREATE TABLE IF NOT EXISTS dray_cancellations (
	job_id bigint NOT NULL PRIMARY KEY,
	claim_id bigint NOT NULL,
	process_id bigint,
	requested_at timestamp(6) NOT NULL,
	requested_by text NOT NULL,
	reason text,
	CONSTRAINT fk_dray_cancellations_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS index_dray_cancellations_on_process_id ON dray_cancellations (process_id);

-- The table by which Rails knows that somebody has made the tables: without it `bin/rails db:prepare`
-- loads its schema file, which drops them with every job. 1 is the version of Solid Queue's schema file.
-- Where a table of that name can be seen it is left as it is.
DO $dray$
BEGIN
	PERFORM 1 FROM schema_migrations LIMIT 1;
EXCEPTION
	WHEN undefined_table THEN
		CREATE TABLE schema_migrations (version varchar NOT NULL PRIMARY KEY);
		INSERT INTO schema_migrations (version) VALUES ('1');
	WHEN insufficient_privilege THEN
		NULL;
END
$dray$;

INSERT INTO dray_migrations (version, name, applied_at, adopted)
VALUES (19, 'tables', CURRENT_TIMESTAMP AT TIME ZONE 'UTC', {adopted});

-- @sqlite

-- What has been applied to this database; each file records itself. adopted: the tables of Solid Queue
-- were there before, made by Rails.
CREATE TABLE IF NOT EXISTS dray_migrations (
	version integer PRIMARY KEY NOT NULL,
	name varchar NOT NULL,
	applied_at datetime(6),
	adopted boolean NOT NULL DEFAULT 0
);

{solid_queue}
-- How often a job's process was lost while it ran. runs_before: how many runs the job has behind it that
-- this does not count, since a retry forgot them. interruptions: how many of its runs were cut short, or
-- put themselves off.
CREATE TABLE IF NOT EXISTS dray_losses (
	job_id bigint NOT NULL PRIMARY KEY,
	losses integer NOT NULL,
	last_lost_at datetime(6) NOT NULL,
	runs_before integer NOT NULL DEFAULT 0,
	interruptions integer NOT NULL DEFAULT 0,
	CONSTRAINT fk_dray_losses_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) WITHOUT ROWID;

-- Which job holds which slot. A slot has no foreign key: that a job vanished with its slot must be seen,
-- or the slot would be lost.
CREATE TABLE IF NOT EXISTS dray_slots (
	concurrency_key varchar NOT NULL,
	job_id bigint NOT NULL,
	class_name varchar NOT NULL,
	position integer NOT NULL,
	created_at datetime(6) NOT NULL,
	PRIMARY KEY (concurrency_key, job_id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS index_dray_slots_on_job_id ON dray_slots (job_id);

-- The further keys of jobs whose class has several limits; the first one is the job's own.
CREATE TABLE IF NOT EXISTS dray_keys (
	job_id bigint NOT NULL,
	position integer NOT NULL,
	concurrency_key varchar NOT NULL,
	PRIMARY KEY (job_id, position),
	CONSTRAINT fk_dray_keys_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS index_dray_keys_on_concurrency_key ON dray_keys (concurrency_key);

-- Who has paused what, why and until when. A paused queue is one of solid_queue_pauses; its row here
-- tells about it as long as both were made at the same time.
CREATE TABLE IF NOT EXISTS dray_pauses (
	kind varchar NOT NULL,
	name varchar NOT NULL,
	process_id bigint,
	reason text,
	who varchar,
	host varchar,
	created_at datetime(6) NOT NULL,
	ends_at datetime(6),
	PRIMARY KEY (kind, name),
	CONSTRAINT fk_dray_pauses_process_id FOREIGN KEY (process_id)
		REFERENCES solid_queue_processes (id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS index_dray_pauses_on_process_id ON dray_pauses (process_id);

-- What people have done to queues and jobs: who, where, when, why, and to how many.
CREATE TABLE IF NOT EXISTS dray_audit (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	action varchar NOT NULL,
	target text NOT NULL,
	reason text,
	who varchar,
	host varchar,
	count bigint NOT NULL,
	state varchar NOT NULL,
	created_at datetime(6) NOT NULL
);
CREATE INDEX IF NOT EXISTS index_dray_audit_on_created_at ON dray_audit (created_at);

-- What Solid Queue's tables of recurring tasks have no column for, and each moment that was decided on,
-- for longer than its job may exist.
CREATE TABLE IF NOT EXISTS dray_recurring_tasks (
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
CREATE TABLE IF NOT EXISTS dray_recurring_runs (
	task_key varchar NOT NULL,
	run_at datetime(6) NOT NULL,
	job_id bigint,
	outcome varchar NOT NULL,
	first_at datetime(6),
	moments integer,
	created_at datetime(6) NOT NULL,
	PRIMARY KEY (task_key, run_at)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS index_dray_recurring_runs_on_created_at ON dray_recurring_runs (created_at);

-- Recurring tasks whose schedule no expression says that Rails' parser reads. Rails does not know of
-- them; in place of a row in solid_queue_recurring_tasks they have one here.
CREATE TABLE IF NOT EXISTS dray_recurring_own (
	task_key varchar NOT NULL PRIMARY KEY,
	command varchar(2048),
	class_name varchar,
	arguments text,
	queue_name varchar,
	priority integer DEFAULT 0,
	static boolean NOT NULL DEFAULT TRUE,
	description text,
	created_at datetime(6) NOT NULL,
	updated_at datetime(6) NOT NULL
) WITHOUT ROWID;

-- Processes that ended without leaving in good order: who, when and how. Kept for an hour.
CREATE TABLE IF NOT EXISTS dray_gone (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	process_id bigint NOT NULL,
	kind varchar NOT NULL,
	name varchar NOT NULL,
	hostname varchar,
	pid integer NOT NULL,
	last_heartbeat_at datetime(6) NOT NULL,
	how text NOT NULL,
	released bigint NOT NULL,
	failed bigint NOT NULL,
	gone_at datetime(6) NOT NULL
);
CREATE INDEX IF NOT EXISTS index_dray_gone_on_gone_at ON dray_gone (gone_at);

-- Processes of other software that were seen at these tables, one of each kind. They are remembered
-- after they are gone: they may come back, and their jobs are theirs.
CREATE TABLE IF NOT EXISTS dray_others (
	kind varchar NOT NULL PRIMARY KEY,
	name varchar NOT NULL,
	seen_at datetime(6) NOT NULL
) WITHOUT ROWID;

-- What classes declare, published once for all: their policies in the row with position 0, beside the
-- first of their limits, and further limits in rows of their own.
CREATE TABLE IF NOT EXISTS dray_classes (
	class_name varchar NOT NULL,
	position integer NOT NULL,
	max_losses integer,
	slots integer,
	duration_ms bigint,
	on_conflict varchar,
	key_template text,
	group_name varchar,
	updated_at datetime(6) NOT NULL,
	lost_end text,
	PRIMARY KEY (class_name, position)
) WITHOUT ROWID;

-- The runs of a job that did not succeed, what became of it then, what the run's process used, and
-- which failures have the same cause.
CREATE TABLE IF NOT EXISTS dray_attempts (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	job_id bigint NOT NULL,
	attempt integer NOT NULL,
	claim_id bigint NOT NULL,
	process_name varchar,
	hostname varchar,
	began_at datetime(6) NOT NULL,
	ended_at datetime(6) NOT NULL,
	outcome varchar NOT NULL,
	error text,
	cpu_us bigint,
	peak_memory bigint,
	error_group varchar(8),
	CONSTRAINT fk_dray_attempts_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS index_dray_attempts_on_job_id_and_id
	ON dray_attempts (job_id, id);
CREATE INDEX IF NOT EXISTS index_dray_attempts_on_ended_at_and_error_group
	ON dray_attempts (ended_at, error_group);
CREATE INDEX IF NOT EXISTS index_dray_attempts_on_error_group_and_ended_at
	ON dray_attempts (error_group, ended_at);

-- Which running jobs people have cancelled; until their workers have stopped them.
CREATE TABLE IF NOT EXISTS dray_cancellations (
	job_id bigint NOT NULL PRIMARY KEY,
	claim_id bigint NOT NULL,
	process_id bigint,
	requested_at datetime(6) NOT NULL,
	requested_by text NOT NULL,
	reason text,
	CONSTRAINT fk_dray_cancellations_job_id FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS index_dray_cancellations_on_process_id ON dray_cancellations (process_id);

-- The table by which Rails knows that somebody has made the tables: without it `bin/rails db:prepare`
-- loads its schema file, which drops them with every job. 1 is the version of Solid Queue's schema file.
-- A table with rows is left as it is.
CREATE TABLE IF NOT EXISTS schema_migrations (
	version varchar NOT NULL PRIMARY KEY
);
INSERT INTO schema_migrations (version)
SELECT '1' WHERE NOT EXISTS (SELECT 1 FROM schema_migrations);

INSERT INTO dray_migrations (version, name, applied_at, adopted)
VALUES (19, 'tables', strftime('%Y-%m-%d %H:%M:%f', 'now'), {adopted});
