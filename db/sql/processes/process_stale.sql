-- process_stale(heartbeat_before) -> id, last_heartbeat_at, metadata, kind, name, hostname, pid
-- Processes whose last heartbeat is that old, oldest first.
-- read
-- rows
SELECT id, last_heartbeat_at, metadata, kind, name, hostname, pid FROM solid_queue_processes
WHERE last_heartbeat_at <= :heartbeat_before
ORDER BY last_heartbeat_at, id;
