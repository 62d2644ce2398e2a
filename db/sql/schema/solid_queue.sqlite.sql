-- The tables of Solid Queue 1.x, name for name, so that Rails and its tools can share them: the beginning
-- of 019. AUTOINCREMENT matters: the id of a claim is never given out twice.

CREATE TABLE solid_queue_jobs (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	queue_name varchar NOT NULL,
	class_name varchar NOT NULL,
	arguments text,
	priority integer NOT NULL DEFAULT 0,
	active_job_id varchar,
	scheduled_at datetime(6),
	finished_at datetime(6),
	concurrency_key varchar,
	created_at datetime(6) NOT NULL,
	updated_at datetime(6) NOT NULL
);
CREATE INDEX index_solid_queue_jobs_on_active_job_id
	ON solid_queue_jobs (active_job_id);
CREATE INDEX index_solid_queue_jobs_on_class_name
	ON solid_queue_jobs (class_name);
CREATE INDEX index_solid_queue_jobs_on_finished_at
	ON solid_queue_jobs (finished_at);
CREATE INDEX index_solid_queue_jobs_for_filtering
	ON solid_queue_jobs (queue_name, finished_at);
CREATE INDEX index_solid_queue_jobs_for_alerting
	ON solid_queue_jobs (scheduled_at, finished_at);

CREATE TABLE solid_queue_ready_executions (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	job_id bigint NOT NULL,
	queue_name varchar NOT NULL,
	priority integer NOT NULL DEFAULT 0,
	created_at datetime(6) NOT NULL,
	CONSTRAINT fk_rails_81fcbd66af FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX index_solid_queue_ready_executions_on_job_id
	ON solid_queue_ready_executions (job_id);
CREATE INDEX index_solid_queue_poll_all
	ON solid_queue_ready_executions (priority, job_id);
CREATE INDEX index_solid_queue_poll_by_queue
	ON solid_queue_ready_executions (queue_name, priority, job_id);

CREATE TABLE solid_queue_claimed_executions (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	job_id bigint NOT NULL,
	process_id bigint,
	created_at datetime(6) NOT NULL,
	CONSTRAINT fk_rails_9cfe4d4944 FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX index_solid_queue_claimed_executions_on_job_id
	ON solid_queue_claimed_executions (job_id);
CREATE INDEX index_solid_queue_claimed_executions_on_process_id_and_job_id
	ON solid_queue_claimed_executions (process_id, job_id);

CREATE TABLE solid_queue_scheduled_executions (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	job_id bigint NOT NULL,
	queue_name varchar NOT NULL,
	priority integer NOT NULL DEFAULT 0,
	scheduled_at datetime(6) NOT NULL,
	created_at datetime(6) NOT NULL,
	CONSTRAINT fk_rails_c4316f352d FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX index_solid_queue_scheduled_executions_on_job_id
	ON solid_queue_scheduled_executions (job_id);
CREATE INDEX index_solid_queue_dispatch_all
	ON solid_queue_scheduled_executions (scheduled_at, priority, job_id);

CREATE TABLE solid_queue_blocked_executions (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	job_id bigint NOT NULL,
	queue_name varchar NOT NULL,
	priority integer NOT NULL DEFAULT 0,
	concurrency_key varchar NOT NULL,
	expires_at datetime(6) NOT NULL,
	created_at datetime(6) NOT NULL,
	CONSTRAINT fk_rails_4cd34e2228 FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX index_solid_queue_blocked_executions_on_job_id
	ON solid_queue_blocked_executions (job_id);
CREATE INDEX index_solid_queue_blocked_executions_for_release
	ON solid_queue_blocked_executions (concurrency_key, priority, job_id);
CREATE INDEX index_solid_queue_blocked_executions_for_maintenance
	ON solid_queue_blocked_executions (expires_at, concurrency_key);

CREATE TABLE solid_queue_failed_executions (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	job_id bigint NOT NULL,
	error text,
	created_at datetime(6) NOT NULL,
	CONSTRAINT fk_rails_39bbc7a631 FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX index_solid_queue_failed_executions_on_job_id
	ON solid_queue_failed_executions (job_id);

CREATE TABLE solid_queue_semaphores (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	"key" varchar NOT NULL,
	value integer NOT NULL DEFAULT 1,
	expires_at datetime(6) NOT NULL,
	created_at datetime(6) NOT NULL,
	updated_at datetime(6) NOT NULL
);
CREATE UNIQUE INDEX index_solid_queue_semaphores_on_key
	ON solid_queue_semaphores ("key");
CREATE INDEX index_solid_queue_semaphores_on_key_and_value
	ON solid_queue_semaphores ("key", value);
CREATE INDEX index_solid_queue_semaphores_on_expires_at
	ON solid_queue_semaphores (expires_at);

CREATE TABLE solid_queue_processes (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	kind varchar NOT NULL,
	last_heartbeat_at datetime(6) NOT NULL,
	supervisor_id bigint,
	pid integer NOT NULL,
	hostname varchar,
	metadata text,
	created_at datetime(6) NOT NULL,
	name varchar NOT NULL
);
CREATE UNIQUE INDEX index_solid_queue_processes_on_name_and_supervisor_id
	ON solid_queue_processes (name, supervisor_id);
CREATE INDEX index_solid_queue_processes_on_last_heartbeat_at
	ON solid_queue_processes (last_heartbeat_at);
CREATE INDEX index_solid_queue_processes_on_supervisor_id
	ON solid_queue_processes (supervisor_id);

CREATE TABLE solid_queue_pauses (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	queue_name varchar NOT NULL,
	created_at datetime(6) NOT NULL
);
CREATE UNIQUE INDEX index_solid_queue_pauses_on_queue_name
	ON solid_queue_pauses (queue_name);

CREATE TABLE solid_queue_recurring_tasks (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	"key" varchar NOT NULL,
	schedule varchar NOT NULL,
	command varchar(2048),
	class_name varchar,
	arguments text,
	queue_name varchar,
	priority integer DEFAULT 0,
	static boolean NOT NULL DEFAULT 1,
	description text,
	created_at datetime(6) NOT NULL,
	updated_at datetime(6) NOT NULL
);
CREATE UNIQUE INDEX index_solid_queue_recurring_tasks_on_key
	ON solid_queue_recurring_tasks ("key");
CREATE INDEX index_solid_queue_recurring_tasks_on_static
	ON solid_queue_recurring_tasks (static);

CREATE TABLE solid_queue_recurring_executions (
	id integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	job_id bigint NOT NULL,
	task_key varchar NOT NULL,
	run_at datetime(6) NOT NULL,
	created_at datetime(6) NOT NULL,
	CONSTRAINT fk_rails_318a5533ed FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX index_solid_queue_recurring_executions_on_job_id
	ON solid_queue_recurring_executions (job_id);
CREATE UNIQUE INDEX index_solid_queue_recurring_executions_on_task_key_and_run_at
	ON solid_queue_recurring_executions (task_key, run_at);
