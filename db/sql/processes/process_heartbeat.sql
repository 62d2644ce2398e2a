-- process_heartbeat(process_id, name, supervisor_id, metadata, now) ->
-- Changing no row means that the process was declared dead, or that this is another database by now
-- (a backup was restored), where the id is somebody else's. The row is found by its id, always.
-- guard
UPDATE solid_queue_processes
SET last_heartbeat_at = :now, supervisor_id = :supervisor_id, metadata = :metadata
WHERE id = :process_id AND COALESCE(name, '') = :name;
