-- process_register(kind, name, pid, hostname, supervisor_id, metadata, now) -> process_id
-- Inserts the row of a process, and returns its id.

-- @mysql
INSERT INTO solid_queue_processes
	(kind, name, pid, hostname, supervisor_id, metadata, last_heartbeat_at, created_at)
VALUES (:kind, :name, :pid, :hostname, :supervisor_id, :metadata, :now, :now);
-- rows
SELECT LAST_INSERT_ID();

-- @postgresql @sqlite
-- rows
INSERT INTO solid_queue_processes
	(kind, name, pid, hostname, supervisor_id, metadata, last_heartbeat_at, created_at)
VALUES (:kind, :name, :pid, :hostname, :supervisor_id, :metadata, :now, :now)
RETURNING id;
