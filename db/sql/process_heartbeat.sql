-- process_heartbeat(process_id, supervisor_id, metadata, now) ->
-- Changing no row means that the process was declared dead.
-- guard
UPDATE solid_queue_processes
SET last_heartbeat_at = :now, supervisor_id = :supervisor_id, metadata = :metadata
WHERE id = :process_id;
