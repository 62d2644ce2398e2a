-- process_find(name) -> process_id, kind, hostname, pid, last_heartbeat_at
-- Finds the process with this name.
-- read
-- rows
SELECT id, kind, hostname, pid, last_heartbeat_at FROM solid_queue_processes WHERE name = :name;
