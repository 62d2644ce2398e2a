-- process_stale(heartbeat_before) -> id, last_heartbeat_at, metadata, kind, name, hostname, pid
-- Finds the processes whose last heartbeat is that old, the oldest first.
-- read
-- rows
SELECT id, last_heartbeat_at, metadata, kind, name, hostname, pid FROM solid_queue_processes
WHERE last_heartbeat_at <= :heartbeat_before
ORDER BY last_heartbeat_at, id;
