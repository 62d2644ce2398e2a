-- @mysql
-- The tables of Solid Queue 1.x, name for name, so that Rails and its tools can share them: the beginning
-- of 019.

CREATE TABLE IF NOT EXISTS solid_queue_jobs (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	queue_name varchar(255) NOT NULL,
	class_name varchar(255) NOT NULL,
	arguments text,
	priority int NOT NULL DEFAULT 0,
	active_job_id varchar(255),
	scheduled_at datetime(6),
	finished_at datetime(6),
	concurrency_key varchar(255),
	created_at datetime(6) NOT NULL,
	updated_at datetime(6) NOT NULL,
	KEY index_solid_queue_jobs_on_active_job_id (active_job_id),
	KEY index_solid_queue_jobs_on_class_name (class_name),
	KEY index_solid_queue_jobs_on_finished_at (finished_at),
	KEY index_solid_queue_jobs_for_filtering (queue_name, finished_at),
	KEY index_solid_queue_jobs_for_alerting (scheduled_at, finished_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS solid_queue_ready_executions (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	job_id bigint NOT NULL,
	queue_name varchar(255) NOT NULL,
	priority int NOT NULL DEFAULT 0,
	created_at datetime(6) NOT NULL,
	UNIQUE KEY index_solid_queue_ready_executions_on_job_id (job_id),
	KEY index_solid_queue_poll_all (priority, job_id),
	KEY index_solid_queue_poll_by_queue (queue_name, priority, job_id),
	CONSTRAINT fk_rails_81fcbd66af FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS solid_queue_claimed_executions (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	job_id bigint NOT NULL,
	process_id bigint,
	created_at datetime(6) NOT NULL,
	UNIQUE KEY index_solid_queue_claimed_executions_on_job_id (job_id),
	KEY index_solid_queue_claimed_executions_on_process_id_and_job_id (process_id, job_id),
	CONSTRAINT fk_rails_9cfe4d4944 FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS solid_queue_scheduled_executions (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	job_id bigint NOT NULL,
	queue_name varchar(255) NOT NULL,
	priority int NOT NULL DEFAULT 0,
	scheduled_at datetime(6) NOT NULL,
	created_at datetime(6) NOT NULL,
	UNIQUE KEY index_solid_queue_scheduled_executions_on_job_id (job_id),
	KEY index_solid_queue_dispatch_all (scheduled_at, priority, job_id),
	CONSTRAINT fk_rails_c4316f352d FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS solid_queue_blocked_executions (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	job_id bigint NOT NULL,
	queue_name varchar(255) NOT NULL,
	priority int NOT NULL DEFAULT 0,
	concurrency_key varchar(255) NOT NULL,
	expires_at datetime(6) NOT NULL,
	created_at datetime(6) NOT NULL,
	UNIQUE KEY index_solid_queue_blocked_executions_on_job_id (job_id),
	KEY index_solid_queue_blocked_executions_for_release (concurrency_key, priority, job_id),
	KEY index_solid_queue_blocked_executions_for_maintenance (expires_at, concurrency_key),
	CONSTRAINT fk_rails_4cd34e2228 FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS solid_queue_failed_executions (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	job_id bigint NOT NULL,
	error text,
	created_at datetime(6) NOT NULL,
	UNIQUE KEY index_solid_queue_failed_executions_on_job_id (job_id),
	CONSTRAINT fk_rails_39bbc7a631 FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS solid_queue_semaphores (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	`key` varchar(255) NOT NULL,
	value int NOT NULL DEFAULT 1,
	expires_at datetime(6) NOT NULL,
	created_at datetime(6) NOT NULL,
	updated_at datetime(6) NOT NULL,
	UNIQUE KEY index_solid_queue_semaphores_on_key (`key`),
	KEY index_solid_queue_semaphores_on_key_and_value (`key`, value),
	KEY index_solid_queue_semaphores_on_expires_at (expires_at)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS solid_queue_processes (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	kind varchar(255) NOT NULL,
	last_heartbeat_at datetime(6) NOT NULL,
	supervisor_id bigint,
	pid int NOT NULL,
	hostname varchar(255),
	metadata text,
	created_at datetime(6) NOT NULL,
	name varchar(255) NOT NULL,
	UNIQUE KEY index_solid_queue_processes_on_name_and_supervisor_id (name, supervisor_id),
	KEY index_solid_queue_processes_on_last_heartbeat_at (last_heartbeat_at),
	KEY index_solid_queue_processes_on_supervisor_id (supervisor_id)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS solid_queue_pauses (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	queue_name varchar(255) NOT NULL,
	created_at datetime(6) NOT NULL,
	UNIQUE KEY index_solid_queue_pauses_on_queue_name (queue_name)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS solid_queue_recurring_tasks (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	`key` varchar(255) NOT NULL,
	schedule varchar(255) NOT NULL,
	command varchar(2048),
	class_name varchar(255),
	arguments text,
	queue_name varchar(255),
	priority int DEFAULT 0,
	static tinyint(1) NOT NULL DEFAULT 1,
	description text,
	created_at datetime(6) NOT NULL,
	updated_at datetime(6) NOT NULL,
	UNIQUE KEY index_solid_queue_recurring_tasks_on_key (`key`),
	KEY index_solid_queue_recurring_tasks_on_static (static)
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

CREATE TABLE IF NOT EXISTS solid_queue_recurring_executions (
	id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY,
	job_id bigint NOT NULL,
	task_key varchar(255) NOT NULL,
	run_at datetime(6) NOT NULL,
	created_at datetime(6) NOT NULL,
	UNIQUE KEY index_solid_queue_recurring_executions_on_job_id (job_id),
	UNIQUE KEY index_solid_queue_recurring_executions_on_task_key_and_run_at (task_key, run_at),
	CONSTRAINT fk_rails_318a5533ed FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) ENGINE = InnoDB ROW_FORMAT = DYNAMIC DEFAULT CHARSET = utf8mb4;

-- @postgresql
-- The tables of Solid Queue 1.x, name for name, so that Rails and its tools can share them: the beginning
-- of 019.
--
-- Rows of the execution tables are inserted and deleted, never updated, so their pages are filled
-- whole; semaphores are updated in place, so half of each of their pages is kept free. On all of
-- them autovacuum starts after a fixed number of dead rows, whatever the table's size, and never
-- truncates: that needs an exclusive lock, under which claims would wait.

CREATE TABLE solid_queue_jobs (
	id bigserial PRIMARY KEY,
	queue_name varchar NOT NULL,
	class_name varchar NOT NULL,
	arguments text,
	priority integer NOT NULL DEFAULT 0,
	active_job_id varchar,
	scheduled_at timestamp(6),
	finished_at timestamp(6),
	concurrency_key varchar,
	created_at timestamp(6) NOT NULL,
	updated_at timestamp(6) NOT NULL
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
	id bigserial PRIMARY KEY,
	job_id bigint NOT NULL,
	queue_name varchar NOT NULL,
	priority integer NOT NULL DEFAULT 0,
	created_at timestamp(6) NOT NULL,
	CONSTRAINT fk_rails_81fcbd66af FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) WITH (
	fillfactor = 100,
	autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_threshold = 1000,
	autovacuum_vacuum_cost_delay = 0,
	vacuum_truncate = false
);
CREATE UNIQUE INDEX index_solid_queue_ready_executions_on_job_id
	ON solid_queue_ready_executions (job_id);
CREATE INDEX index_solid_queue_poll_all
	ON solid_queue_ready_executions (priority, job_id);
CREATE INDEX index_solid_queue_poll_by_queue
	ON solid_queue_ready_executions (queue_name, priority, job_id);

CREATE TABLE solid_queue_claimed_executions (
	id bigserial PRIMARY KEY,
	job_id bigint NOT NULL,
	process_id bigint,
	created_at timestamp(6) NOT NULL,
	CONSTRAINT fk_rails_9cfe4d4944 FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) WITH (
	fillfactor = 100,
	autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_threshold = 1000,
	autovacuum_vacuum_cost_delay = 0,
	vacuum_truncate = false
);
CREATE UNIQUE INDEX index_solid_queue_claimed_executions_on_job_id
	ON solid_queue_claimed_executions (job_id);
CREATE INDEX index_solid_queue_claimed_executions_on_process_id_and_job_id
	ON solid_queue_claimed_executions (process_id, job_id);

CREATE TABLE solid_queue_scheduled_executions (
	id bigserial PRIMARY KEY,
	job_id bigint NOT NULL,
	queue_name varchar NOT NULL,
	priority integer NOT NULL DEFAULT 0,
	scheduled_at timestamp(6) NOT NULL,
	created_at timestamp(6) NOT NULL,
	CONSTRAINT fk_rails_c4316f352d FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) WITH (
	fillfactor = 100,
	autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_threshold = 1000,
	autovacuum_vacuum_cost_delay = 0,
	vacuum_truncate = false
);
CREATE UNIQUE INDEX index_solid_queue_scheduled_executions_on_job_id
	ON solid_queue_scheduled_executions (job_id);
CREATE INDEX index_solid_queue_dispatch_all
	ON solid_queue_scheduled_executions (scheduled_at, priority, job_id);

CREATE TABLE solid_queue_blocked_executions (
	id bigserial PRIMARY KEY,
	job_id bigint NOT NULL,
	queue_name varchar NOT NULL,
	priority integer NOT NULL DEFAULT 0,
	concurrency_key varchar NOT NULL,
	expires_at timestamp(6) NOT NULL,
	created_at timestamp(6) NOT NULL,
	CONSTRAINT fk_rails_4cd34e2228 FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
) WITH (
	fillfactor = 100,
	autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_threshold = 1000,
	autovacuum_vacuum_cost_delay = 0,
	vacuum_truncate = false
);
CREATE UNIQUE INDEX index_solid_queue_blocked_executions_on_job_id
	ON solid_queue_blocked_executions (job_id);
CREATE INDEX index_solid_queue_blocked_executions_for_release
	ON solid_queue_blocked_executions (concurrency_key, priority, job_id);
CREATE INDEX index_solid_queue_blocked_executions_for_maintenance
	ON solid_queue_blocked_executions (expires_at, concurrency_key);

CREATE TABLE solid_queue_failed_executions (
	id bigserial PRIMARY KEY,
	job_id bigint NOT NULL,
	error text,
	created_at timestamp(6) NOT NULL,
	CONSTRAINT fk_rails_39bbc7a631 FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX index_solid_queue_failed_executions_on_job_id
	ON solid_queue_failed_executions (job_id);

CREATE TABLE solid_queue_semaphores (
	id bigserial PRIMARY KEY,
	key varchar NOT NULL,
	value integer NOT NULL DEFAULT 1,
	expires_at timestamp(6) NOT NULL,
	created_at timestamp(6) NOT NULL,
	updated_at timestamp(6) NOT NULL
) WITH (
	fillfactor = 50,
	autovacuum_vacuum_scale_factor = 0,
	autovacuum_vacuum_threshold = 1000,
	autovacuum_vacuum_cost_delay = 0,
	vacuum_truncate = false
);
CREATE UNIQUE INDEX index_solid_queue_semaphores_on_key
	ON solid_queue_semaphores (key);
CREATE INDEX index_solid_queue_semaphores_on_key_and_value
	ON solid_queue_semaphores (key, value);
CREATE INDEX index_solid_queue_semaphores_on_expires_at
	ON solid_queue_semaphores (expires_at);

CREATE TABLE solid_queue_processes (
	id bigserial PRIMARY KEY,
	kind varchar NOT NULL,
	last_heartbeat_at timestamp(6) NOT NULL,
	supervisor_id bigint,
	pid integer NOT NULL,
	hostname varchar,
	metadata text,
	created_at timestamp(6) NOT NULL,
	name varchar NOT NULL
);
CREATE UNIQUE INDEX index_solid_queue_processes_on_name_and_supervisor_id
	ON solid_queue_processes (name, supervisor_id);
CREATE INDEX index_solid_queue_processes_on_last_heartbeat_at
	ON solid_queue_processes (last_heartbeat_at);
CREATE INDEX index_solid_queue_processes_on_supervisor_id
	ON solid_queue_processes (supervisor_id);

CREATE TABLE solid_queue_pauses (
	id bigserial PRIMARY KEY,
	queue_name varchar NOT NULL,
	created_at timestamp(6) NOT NULL
);
CREATE UNIQUE INDEX index_solid_queue_pauses_on_queue_name
	ON solid_queue_pauses (queue_name);

CREATE TABLE solid_queue_recurring_tasks (
	id bigserial PRIMARY KEY,
	key varchar NOT NULL,
	schedule varchar NOT NULL,
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
CREATE UNIQUE INDEX index_solid_queue_recurring_tasks_on_key
	ON solid_queue_recurring_tasks (key);
CREATE INDEX index_solid_queue_recurring_tasks_on_static
	ON solid_queue_recurring_tasks (static);

CREATE TABLE solid_queue_recurring_executions (
	id bigserial PRIMARY KEY,
	job_id bigint NOT NULL,
	task_key varchar NOT NULL,
	run_at timestamp(6) NOT NULL,
	created_at timestamp(6) NOT NULL,
	CONSTRAINT fk_rails_318a5533ed FOREIGN KEY (job_id)
		REFERENCES solid_queue_jobs (id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX index_solid_queue_recurring_executions_on_job_id
	ON solid_queue_recurring_executions (job_id);
CREATE UNIQUE INDEX index_solid_queue_recurring_executions_on_task_key_and_run_at
	ON solid_queue_recurring_executions (task_key, run_at);

-- @sqlite
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
