-- process_heartbeat_told(process_id, name, supervisor_id, metadata, now) ->
-- Records that the process lives, which has cancelled jobs, if it was not declared dead.
-- guard
UPDATE solid_queue_processes
SET last_heartbeat_at = :now, supervisor_id = :supervisor_id, metadata = :metadata
WHERE id = :process_id AND COALESCE(name, '') = :name;
