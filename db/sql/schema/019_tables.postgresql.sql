-- 019 tables: all of dray's own, and before them those of Solid Queue, unless Rails has made these. Some
-- of dray's may be there, with rows: a dump had them. The numbers below 019 were never released.

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
