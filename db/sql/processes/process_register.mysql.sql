-- process_register(kind, name, pid, hostname, supervisor_id, metadata, now) -> process_id
INSERT INTO solid_queue_processes
	(kind, name, pid, hostname, supervisor_id, metadata, last_heartbeat_at, created_at)
VALUES (:kind, :name, :pid, :hostname, :supervisor_id, :metadata, :now, :now);
-- rows
SELECT LAST_INSERT_ID();
